"""SECURITY.md has the kinds of secrets as the table has them; run this file to write them anew."""

from pathlib import Path

from dreamd.text.secrets.opaque import kinds

PAGE = Path(__file__).parents[2] / "SECURITY.md"
BEGIN, END = "<!-- kinds of secrets: from dreamd/text/data/secrets.tsv -->\n", "<!-- end -->\n"


def listed() -> str:
    heads: dict[str, list[str]] = {}
    for kind in kinds():
        shown = [f"`{head}`" for head in kind.heads if head[0] not in "@*"]
        if kind.heads[0][0] == "*":
            shown = ["by the form of the whole"]
        if kind.heads[0][0] == "@":
            shown = ["beside its name"]
        heads.setdefault(kind.name.removesuffix(" key"), []).extend(shown)
    rows = [f"| {name} | {', '.join(dict.fromkeys(heads[name]))} |" for name in sorted(heads)]
    return "\n".join(["| issuer | what its keys begin with |", "|---|---|", *rows]) + "\n"


def test_the_page_lists_the_kinds_of_the_table() -> None:
    page = PAGE.read_text("utf-8")
    assert page.partition(BEGIN)[2].partition(END)[0] == listed()


if __name__ == "__main__":
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(before + BEGIN + listed() + END + rest.partition(END)[2], "utf-8")
