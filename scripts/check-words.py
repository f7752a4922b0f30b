#!/usr/bin/env python3
"""Checks that the pages keep the rules of the house for words (CONTRIBUTING.md).

    scripts/check-words.py [FILE...]

Without FILEs: README.md, CONTRIBUTING.md, results/README.md and every page of docs/. Code blocks are left out everywhere, tables
everywhere but for commits and clock times. Of a Rust FILE its comments are read. `--rust` means every Rust file of the
tree; `--count` prints numbers by file only. Prints each place with the rule that it breaks, and exits 1 if there are any.

`--texts` reads the texts of Rust files instead: string literals of at least five words that begin with a capital or hold
several sentences. Placeholders count as one word. Tests and raw strings are left out. Without FILEs it means every Rust file of `src` and
`crates`. It does not see a sentence that is put together from several literals.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 100
WORDS = 25
OPENINGS = re.compile(r"(The same|Those|Whom|What)\b")
COMMIT = re.compile(r"`(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}`|\bcommit `?[0-9a-f]{7,40}\b")
CLOCK = re.compile(r"(?<![\w.:])([01]?\d|2[0-3]):[0-5]\d(?![\w:.]*\d)")


def parts(text):
    """Of a page: (number of its first line, kind, lines), the kind being prose, heading or table. Code is left out."""
    block, kind, first, in_code = [], None, 0, False
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("```"):
            in_code = not in_code
            now = None
        elif in_code or not bare or re.fullmatch(r"-{3,}", bare):
            now = None
        elif line.startswith("    ") and kind != "prose":
            now = None
        elif bare.startswith("|"):
            now = "table"
        elif bare.startswith("#"):
            now = "heading"
        else:
            now = "prose"
        opens = re.match(r"([-*]|\d+\.) ", bare)
        if block and (now != kind or now == "heading" or (now == "prose" and opens)):
            yield first, kind, block
            block = []
        kind = now
        if now:
            first = number if not block else first
            block.append(line)
    if block:
        yield first, kind, block


def plain(text):
    """Prose as it is read: without marks, with code and addresses as one word each."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "Code", text)
    text = re.sub(r"^\s*([-*]|\d+\.) ", "", text)
    text = re.sub(r"(?<=\*\*)\w", lambda first: first.group().upper(), text)
    return re.sub(r"\*\*|(?<!\w)[*_]|[*_](?!\w)", "", text)


def sentences(text):
    # "1.5", "e.g." and "and others, 1989" end nothing: a sentence ends before a capital, a figure or the end.
    return [s.strip() for s in re.split(r"(?<=[.!?])[)\"]*\s+(?=[(\"]*[A-Z0-9])|(?<=:)\s*$", text) if s.strip()]


def bad_sentences(text):
    """What is wrong with the sentences of a plain text."""
    for sentence in sentences(text):
        opening = OPENINGS.match(sentence.lstrip('("'))
        if opening:
            yield f"opens with \"{opening.group()}\": {sentence[:60]}"
        count = len([word for word in sentence.split() if re.search(r"\w", word)])
        if count > WORDS:
            yield f"{count} words: {sentence[:60]}"


def wrong(text):
    """(line, what is wrong) of a page."""
    for first, kind, lines in parts(text):
        for number, line in enumerate(lines, first):
            if COMMIT.search(line):
                yield number, "a commit"
            if CLOCK.search(re.sub(r"`[^`]*`", "code", line)):
                yield number, "a clock time"
            if kind == "prose" and len(line) > COLUMNS:
                yield number, f"{len(line)} columns"
        if kind == "table":
            continue
        for what in bad_sentences(plain(" ".join(line.strip() for line in lines))):
            yield first, what


def comments(text):
    """The comments of a Rust file, each on its line; code is blank."""
    marker = re.compile(r"^\s*//[/!]? ?(.*)$")
    found = (marker.match(line) for line in text.splitlines())
    return "\n".join(of.group(1) if of else "" for of in found)


def too_long(text):
    """(line, what is wrong) of the comments of a Rust file that reach too far right."""
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*//", line) and len(line) > COLUMNS and "http" not in line and "// |" not in line and "//! |" not in line:
            yield number, f"{len(line)} columns"


LITERAL = re.compile(r'''//[^\n]*|'(?:\\.|[^'\\\n])'|r(#*)".*?"\1|"(?P<text>(?:\\.|[^"\\])*)"''', re.S)
TESTS = re.compile(r"#\[cfg\(test\)\]\n(?:#\[.*\n)*(?:pub\S* )?mod \w+ \{\n.*?^\}$", re.S | re.M)


def texts(text):
    """(line, text) of the string literals of a Rust file that people read."""
    text = TESTS.sub(lambda tests: "\n" * tests.group().count("\n"), text)
    for literal in LITERAL.finditer(text):
        words = re.sub(r"\\\n\s*", "", literal["text"] or "").replace(r"\n", " ").replace('\\"', '"')
        words = plain(re.sub(r"\{\w*(:[^{}]*)?\}", "Code", words))
        if len(words.split()) >= 5 and (re.match(r"\W*[A-Z]", words) or len(sentences(words)) > 1):
            yield text.count("\n", 0, literal.start()) + 1, words


def is_test(name):
    return "tests" in Path(name).parts or Path(name).name == "tests.rs"


def of_file(name):
    text = (ROOT / name).read_text()
    if "--texts" in sys.argv:
        return [(line, what) for line, words in texts(text) for what in bad_sentences(words)]
    if not name.endswith(".rs"):
        return list(wrong(text))
    return sorted([*wrong(comments(text)), *too_long(text)])


def main():
    arguments = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if "--rust" in sys.argv:
        folders = ["src", "crates", "tests", "examples", "fuzz/fuzz_targets"]
        arguments += sorted(str(file.relative_to(ROOT)) for folder in folders for file in (ROOT / folder).rglob("*.rs"))
    if "--texts" in sys.argv and not arguments:
        files = (str(file.relative_to(ROOT)) for folder in ["src", "crates"] for file in (ROOT / folder).rglob("*.rs"))
        arguments = sorted(name for name in files if not is_test(name))
    pages = arguments or ["README.md", "CONTRIBUTING.md", "results/README.md"] + sorted(
        str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))
    found = 0
    for name in pages:
        places = of_file(name)
        found += len(places)
        if "--count" in sys.argv:
            if places:
                print(f"{len(places):5} {name}")
            continue
        for line, what in places:
            print(f"{name}:{line}: {what}")
    print(f"{len(pages)} pages, {found} places to mend")
    sys.exit(found > 0)


main()
