"""The formulas of a page, which are plain text, as TeX: the site typesets what a code host shows as it is written."""

import re
from collections.abc import Callable

import sympy as sp

LETTERS = "alpha beta gamma delta epsilon eta theta kappa lambda mu nu rho sigma phi psi omega Phi Psi Omega"
GREEK = LETTERS.split()
FUNCTIONS = {"sum": r"\sum", "sqrt": r"\sqrt", "E": r"\mathbb{E}", "log2": r"\log_2"} | {
    name: rf"\{name}" for name in ("max", "min", "ln", "log", "exp", "sup", "inf")
}
SIGNS = {
    "&lt;=": r"\le",
    "&lt;": "<",
    "<=": r"\le",
    ">=": r"\ge",
    "!=": r"\ne",
    "->": r"\to",
    "<-": r"\leftarrow",
    "(x)": r"\otimes",
    "*": r"\cdot",
    "|": r"\mid",
    "{": r"\{",
    "}": r"\}",
}
HATS = {"yhat": r"\hat y", "ybar": r"\bar y", "eps": r"\varepsilon"}
NAMES = "|".join([*GREEK, *HATS, "[A-Za-z]"])
TOKEN = re.compile(
    r"(?P<space> +|\n(?! *(?:[\n|>#-]|\d+\. |\* )))|(?P<number>\d+(?:[.,]\d+)*(?:e[+-]\d+)?)"
    r"|(?P<norm>(?:\\?\|){2}(?P<inside>(?:[^|\\\s]| (?=[^|])|\\\*)+)(?:\\?\|){2})"
    r"|(?P<mean>[EP](?:\[[^\[\]]*\]|\([^()]*\)))"
    r"|(?P<product>\\?<(?P<factors>[^<>\s,][^<>\n,]*, [^<>\n,]*[^<>\s,])>)"
    rf"|(?P<name>{NAMES})(?![A-Za-z])(?P<star>\\?\*(?![^\W_]|\()|(?<=Omega)\*)?(?P<prime>'(?:(?!\w)|(?=_\w|[A-Z][\s^])))?"
    rf"|(?P<function>{'|'.join(FUNCTIONS)})(?![A-Za-z])"
    r"|(?P<word>[A-Za-z]{2,}(?=_\w)|(?:loss|surrogate|Var)(?=\())"
    rf"|(?P<script>[_^](?:\{{[^{{}}]*\}}|\([^()]*\)|-?(?:\d+|(?:{NAMES})(?![A-Za-z]))))"
    r"|(?P<sign>&lt;=?|<=|>=|!=|->|<-|(?<= )\(x\)(?= )|[<>=+\-/]|(?<= )\*(?= ))"
    r"|(?P<comma>,)|(?P<open>[(\[{])|(?P<close>[)\]}])"
)
PARTNER = {")": "(", "]": "[", "}": "{"}
ARTICLES = {"a", "A", "I"}
NUMBERED = re.compile(
    r"(?:Theorems?|Lemmas?|[Ss]ections?|Figure|Table|Claims?|Examples?|Exercise|[Ee]quation|[Cc]ase|page)\s$"
)
JOINED = re.compile(r"[_^(*]|\s*[<>=+\-/]\s|\s*&lt;")
START = re.compile(r"(?<![\w'`$\\.,/#&;=*-])(?=[\w|(\[\\])")
KEPT = re.compile(
    r"```.*?```|`[^`]+`|\$\$.*?\$\$|\$[^$]+\$|!?\[[^\]]*\]\([^)]*\)|<!--.*?-->|<[a-z/][^ >]*>|^#[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
CODE = re.compile(r"`([\w\s*/+().,-]+)`")
LETTERED = re.compile(r"^(\s*)(?=[A-Za-z]\.(?:\s|$))")  # else a list
PARAMETER = re.compile(r"\s*\*{0,2}\w+(?:, \*{0,2}\w+)* : ")
WORDS = re.compile(r"[A-Za-z]{2,}(?:[ ,]+[A-Za-z]{2,})*")
DISPLAY = re.compile(r"(?<=\n\n)((?:    \S.*\n)+)(?=\n)")


def tokens(text: str, start: int) -> list[re.Match[str]]:
    """Those of a formula from ``start`` on, as far as it goes and its brackets close."""
    found, opened, complete = [], [], 0
    while token := TOKEN.match(text, start):
        if (token["comma"] or token["close"]) and not opened:
            break
        if token["close"] and opened.pop() != PARTNER[token["close"]]:
            break
        if token["open"]:
            opened.append(token["open"])
        found.append(token)
        start = token.end()
        if not opened and not token["space"] and not token["sign"] and not token["function"]:
            complete = len(found)
    return found[:complete]


def is_formula(text: str, found: list[re.Match[str]]) -> bool:
    """A letter with something mathematical beside it, and no word of English that is a letter."""
    kinds = [token.lastgroup for token in found if not token["space"]]
    articles = [token for token in found if token["name"] in ARTICLES]
    joined = all(
        JOINED.match(text, token.end()) or text[: token.start()].rstrip().endswith((*"-+/=<", *"0123456789"))
        for token in articles
    )
    telling = any(token[kind] for token in found for kind in ("norm", "product", "script", "sign", "mean")) or any(
        token["name"] in GREEK or token["function"] == "sqrt" for token in found
    )
    letters = any(token[kind] for token in found for kind in ("name", "norm", "product", "mean"))
    return joined and telling and letters and kinds[0] != "sign"


def tex(text: str) -> str:
    """A formula."""
    made, place = [], 0
    while place < len(text):
        token = TOKEN.match(text, place)
        if token is None:
            word = WORDS.match(text, place)
            made.append(rf"\text{{ {word[0]} }}" if word else SIGNS.get(text[place], text[place]))
            place = word.end() if word else place + 1
            continue
        place = token.end()
        if token["function"] == "sqrt" and text[place : place + 1] == "(":
            end = _closing(text, place)
            made.append(rf"\sqrt{{{tex(text[place + 1 : end])}}}")
            place = end + 1
        elif token["script"]:
            inside = token["script"][1:]
            inside = inside[1:-1] if inside[0] in "{(" else inside
            made.append(f"{token['script'][0]}{{{tex(inside)}}}")
        else:
            made.append(_word(token))
    return re.sub(r"\s+", " ", "".join(made))


def _word(token: re.Match[str]) -> str:
    if token["norm"]:
        return rf"\lVert {tex(token['inside'])} \rVert"
    if token["product"]:
        return rf"\langle {tex(token['factors'])} \rangle"
    if token["name"]:
        name = HATS.get(token["name"]) or (rf"\{token['name']}" if token["name"] in GREEK else token["name"])
        return f"{name}{'^*' if token['star'] else ''}{token['prime'] or ''} "
    if token["word"]:
        return rf"\text{{{token['word']}}}"
    if token["mean"]:
        mark, opened, inside, closed = token[0][0], token[0][1], token[0][2:-1], token[0][-1]
        return rf"\mathbb{{{mark}}}{opened}{tex(inside)}{closed}"
    if token["function"]:
        return FUNCTIONS[token["function"]] + " "
    if token["sign"]:
        return f" {SIGNS.get(token['sign'], token['sign'])} "
    return SIGNS.get(token[0], token[0])


def _closing(text: str, start: int) -> int:
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return place
    return len(text)


def prose(text: str) -> str:
    """Text without code, with its formulas in dollars."""
    made, done = [], 0
    for start in START.finditer(text):
        if start.start() < done:
            continue
        found = tokens(text, start.start())
        while found and (found[0]["space"] or (found[0]["number"] and NUMBERED.search(text[: found[0].start()]))):
            found = found[1:]
        if found and is_formula(text, found):
            made += [text[done : found[0].start()], f"${tex(text[found[0].start() : found[-1].end()]).strip()}$"]
            done = found[-1].end()
    return "".join([*made, text[done:]])


def cell(found: re.Match[str]) -> str:
    """An expression of sympy in a table; anything else that is code stays."""
    if not re.search(r"[*/(]", found[1]) or re.search(
        r"[A-Za-z]{6,}|\b(?!log|sqrt|Max|Min|gamma|eta)[A-Za-z]\w+", found[1]
    ):
        return found[0]
    try:
        return f"${sp.latex(sp.sympify(found[1]), ln_notation=True)}$"
    except (sp.SympifyError, TypeError):
        return found[0]


def page(text: str) -> str:
    """A page of Markdown with its formulas in dollars."""
    text = DISPLAY.sub(lambda found: f"$${tex(' '.join(found[1].split()))}$$\n", text)
    text = re.sub(r"^\|.*$", lambda row: CODE.sub(cell, row[0]), text, flags=re.MULTILINE)
    made, done = [], 0
    for kept in KEPT.finditer(text):
        made += [prose(text[done : kept.start()]), kept[0]]
        done = kept.end()
    return "".join([*made, prose(text[done:])])


def docstring(lines: list[str]) -> list[str]:
    """The lines of a docstring as reStructuredText: formulas are :math:, other stars and bars no markup."""
    made, example = [], False
    for line in lines:
        example = bool(line.strip()) and (example or line.lstrip().startswith(">>>"))
        if not example:
            line = _marked(line, _escaped if PARAMETER.match(line) else _with_roles)
            line = LETTERED.sub(r"\1\\", line)
        made.append(line)
    return made


def _marked(text: str, marked: Callable[[str], str]) -> str:
    """A line with all but its code marked up."""
    parts = re.split(r"(``.*?``|`[^`]*`)", text)
    return "".join(part if n % 2 else marked(part) for n, part in enumerate(parts))


def _with_roles(text: str) -> str:
    parts = prose(text).split("$")
    return "".join(rf"\ :math:`{part}`\ " if n % 2 else _escaped(part) for n, part in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"[*|\\]|(?<=\w)_(?!\w)", lambda found: "\\" + found[0], text)
