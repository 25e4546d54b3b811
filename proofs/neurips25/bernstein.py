"""Lemma D.1 of NeurIPS 2025 as the proof of Theorem D.2 uses it: Bernstein's inequality with a random variance.

**Problem.** A martingale difference sequence with |Z_t| <= a, v = sum E_t[Z_t^2]; a bound on sum Z_t that holds with
probability at least 1 - delta.

**Algorithm.** A fair coin is tossed until the sum of +-1 is above the bound, at most 64 times; afterwards Z_t = 0.

**Theoretical guarantee.** For a fixed v it is Bernstein's inequality. For a random v the coin is above it with a
probability of more than 1/2 = delta: it may stop at whatever time is favourable. **Upper bound** for a random v: at a
rate r <= 1/a that is fixed beforehand, sum Z_t <= r v + ln(1/delta)/r.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Lemma D.1; Freedman 1975.
"""

from fractions import Fraction

from gaptron import Breaks, Claim, Corrected, InProof, Instance

LN2_ABOVE = Fraction(6931471806, 10**10)  # ln 2 < 0.6931471806
SQRT2_ABOVE = Fraction(1414213563, 10**9)


def above(total, time):
    """Whether total > sqrt(2 time ln 2) + (sqrt 2/3) ln 2, with ln 2 and sqrt 2 rounded up."""
    rest = total - SQRT2_ABOVE / 3 * LN2_ABOVE
    return rest > 0 and rest**2 > 2 * time * LN2_ABOVE


def coin(n_tosses=64):
    """P(the coin stops above the bound): the sum is above it exactly then."""
    going, stopped = {0: Fraction(1)}, Fraction(0)
    for time in range(1, n_tosses + 1):
        moved = {}
        for total, p in going.items():
            for step in (1, -1):
                moved[total + step] = moved.get(total + step, 0) + p / 2
        stopped += sum(p for total, p in moved.items() if above(total, time))
        going = {total: p for total, p in moved.items() if not above(total, time)}
    return Instance({"delta": "1/2", "a": 1, "tosses": n_tosses}, stopped, Fraction(1, 2))


def by_paths():
    """The same probability, from the last toss back."""
    table = {}
    for time in range(64, -1, -1):
        for total in range(-time, time + 1, 2):
            if time and above(total, time):
                table[time, total] = Fraction(1)
            elif time == 64:
                table[time, total] = Fraction(0)
            else:
                table[time, total] = (table[time + 1, total + 1] + table[time + 1, total - 1]) / 2
    return Instance({"delta": "1/2", "a": 1, "tosses": 64}, table[0, 0], Fraction(1, 2))


claims = (
    Claim(
        id="neurips25/bernstein-random",
        quote="If there exist a and v which satisfy |Z_t| <= a for any t and sum E_t[Z_t^2] <= v",
        severity="B",
        cause="Bernstein's inequality is used with a random v",
        patch="fix a rate r <= 1/a beforehand: sum Z_t <= r v + ln(1/delta)/r, which suffices for Theorem D.2",
        source="Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Lemma D.1 as used for Theorem D.2",
        statement="for every martingale difference sequence with |Z_t| <= a, sum Z_t > sqrt(2 v ln(1/delta)) + "
        "(sqrt(2)/3) a ln(1/delta) has probability at most delta, v = sum E_t[Z_t^2] being random",
        tex=r"\sum_t Z_t \le \sqrt{2 v \ln(1/\delta)} + \tfrac{\sqrt 2}{3} a \ln(1/\delta)",
        grounds=Breaks(coin),
        recorded="REFUTED",
        finding="A fair coin, tossed until the sum is above the bound and at most 64 times, stops above it with "
        "probability 0.5016 where delta = 1/2. For a v that is not random the inequality is true.",
        corrected=Corrected(
            statement="for every rate r with r max Z <= 1 that is fixed beforehand, sum Z_t <= r v + ln(1/delta)/r "
            "with probability at least 1 - delta",
            tex=r"\sum_t Z_t \le r v + \frac1r \ln\frac1\delta",
            grounds=InProof("bandit.proof", "neurips25/freedman"),
        ),
        second=Breaks(by_paths),
    ),
)
