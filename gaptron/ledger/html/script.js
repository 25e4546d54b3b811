(() => {
  "use strict";
  const get = (id) => document.getElementById(id);
  const LOW = -1.5, HIGH = 1.5, STEPS = 600, LEFT = 50, RIGHT = 630, TOP = 12, BOTTOM = 290;

  function settings() {
    const loss = get("loss").value, K = loss === "figure1" || loss === "binary" ? 2 : Number(get("K").value);
    const beta = get("own-beta").checked ? Number(get("beta").value) : 1 / K;
    return { loss, K, beta, eta: Number(get("eta").value) * RATES[loss](K, beta) };
  }

  function gapAt(m, s) { return GAPS[s.loss](m, s.K, s.eta, s.beta); }

  function draw() {
    const s = settings(), points = [];
    for (let i = 0; i <= STEPS; i += 1) {
      const m = LOW + (HIGH - LOW) * i / STEPS;
      points.push([m, gapAt(m, s)]);
    }
    const extra = [0, -1e-9, s.beta, 1 / s.K];
    const worst = points.map((p) => p[0]).concat(extra).reduce((b, m) => (gapAt(m, s) > gapAt(b, s) ? m : b));
    const most = gapAt(worst, s), high = Math.max(0.1, most * 1.2), low = Math.min(-0.6, -high);
    const x = (m) => LEFT + (RIGHT - LEFT) * (m - LOW) / (HIGH - LOW);
    const y = (g) => BOTTOM - (BOTTOM - TOP) * (Math.max(g, low) - low) / (high - low);
    const place = (p) => `${x(p[0]).toFixed(1)},${y(p[1]).toFixed(1)}`;
    get("curve").setAttribute("d", "M" + points.map(place).join("L"));
    const raised = points.map((p) => [p[0], Math.max(p[1], 0)]);
    get("above").setAttribute("d", `M${x(LOW)},${y(0)}L${raised.map(place).join("L")}L${x(HIGH)},${y(0)}Z`);
    get("zero").setAttribute("d", `M${LEFT},${y(0)}H${RIGHT}`);
    get("frame").setAttribute("d", `M${LEFT},${TOP}V${BOTTOM}H${RIGHT}`);
    ticks(x, y, high, low);
    const fine = most <= 1e-9;
    get("plot-says").textContent = `largest gap ${most.toFixed(6)} at margin ${worst.toFixed(3)}, eta = ${s.eta.toFixed(6)}: ` +
      (fine ? "at most 0, the inequality holds on these margins" : "positive, the inequality fails");
    get("plot-says").dataset.holds = String(fine);
    get("K-value").textContent = String(s.K);
    get("eta-value").textContent = Number(get("eta").value).toFixed(2);
    get("beta-value").textContent = get("own-beta").checked ? s.beta.toFixed(2) : "1/K";
    get("beta").disabled = !get("own-beta").checked;
    get("K").disabled = s.loss === "figure1" || s.loss === "binary";
  }

  function ticks(x, y, high, low) {
    const labels = [[x(-1), BOTTOM + 18, "-1", "middle"], [x(0), BOTTOM + 18, "0", "middle"], [x(1), BOTTOM + 18, "1", "middle"],
      [LEFT - 6, y(0) + 4, "0", "end"], [LEFT - 6, y(high) + 10, high.toFixed(2), "end"], [LEFT - 6, y(low), low.toFixed(2), "end"]];
    get("ticks").replaceChildren(...labels.map(([left, bottom, text, anchor]) => {
      const label = document.createElementNS("http://www.w3.org/2000/svg", "text");
      label.setAttribute("x", left);
      label.setAttribute("y", bottom);
      label.setAttribute("class", anchor);
      label.textContent = text;
      return label;
    }));
  }

  // --- filters ---
  function filter() {
    const wanted = { document: get("by-document").value, verdict: get("by-verdict").value };
    const text = get("by-text").value.toLowerCase();
    let shown = 0;
    for (const claim of document.querySelectorAll(".claim")) {
      const fits = (!wanted.document || claim.dataset.document === wanted.document) &&
        (!wanted.verdict || claim.dataset.verdict === wanted.verdict) &&
        (!text || claim.textContent.toLowerCase().includes(text));
      claim.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    for (const part of document.querySelectorAll(".document")) {
      part.hidden = !part.querySelector(".claim:not([hidden])");
    }
    get("shown").textContent = `${shown} shown`;
  }

  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.hidden) {
      get("filters").reset();
      filter();
      target.scrollIntoView();
    }
  }

  if (get("controls")) {
    get("controls").addEventListener("input", draw);
    get("controls").addEventListener("submit", (event) => event.preventDefault());
    draw();
  }
  get("filters").addEventListener("input", filter);
  get("filters").addEventListener("change", filter);
  get("filters").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", reveal);
  window.gap = (loss, m, K, eta, beta) => GAPS[loss](m, K, eta, beta);
  get("filters").hidden = false;
  filter();
})();
