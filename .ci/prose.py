#!/usr/bin/env python3
"""Checks what people read: lines of at most 100 columns, and plain wording.

    .ci/prose.py [--list]

Lines of Swift code may have at most 100 columns, comments and literals included. The script also
counts phrases that make readers stop, in comments, literals, test names and Markdown. CONTRIBUTING.md
says what to write instead. It knows phrases and not grammar, so a hit is a sentence to read again. It
fails if there are more than 3 hits in 1,000 lines of prose. --list prints every hit.
"""

import pathlib
import re
import subprocess
import sys

COLUMNS = 100
MAX_RATE = 3
PHRASES = [
    # A verb is negated, not a noun.
    r"\b(?:is|are|was|were|has|have|had) none\b",
    r"\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|need\b|way\b|other\b|one\b|such\b)\w+",
    # Order in time.
    r"\bbehind (?:it|them|that|the|a|its|their|each|another|itself)\b",
    r"\b(?:goes|go|went|going) on\b(?! to| a | the )",
    r"\b(?:begins?|began) anew\b",
    r"\b(?:time|memory|it) is over\b",
    r"\bnot before\b",
    # A program reports, identifies and forwards.
    r"\b(?:is|are|was|were) said\b|\bsays? of\b",
    r"\btells? (?:apart|of|whether|what)\b|\b(?:is|are|was|were) told\b",
    r"\bhand(?:s|ed)? on\b",
    # Something is next to something else, or in it.
    r"\b(?:stands?|stood) (?:beside|behind|before|in|at|there|twice|again)\b",
    r"\bbeside\b",
    # Old words.
    r"\bin vain\b|\blest\b|\bwhereof\b|\bthereof\b|\bhitherto\b",
    r"\b(?:that|the one) of (?:which|whom)\b|\bof (?:which|whom|what) nothing\b",
]
PATTERNS = [re.compile(phrase) for phrase in PHRASES]
# Limits are called max... and min... .
LIMIT = re.compile(r"\b(?:let|var|func|case)\s+(?:most|least)[A-Z]\w*")
SWIFT_PROSE = re.compile(r"//+\s?(.*)|@(?:Test|Suite)\((.*)|\"([^\"]{12,})\"")
COMMENTS = {".py": "#", ".sh": "#", ".yml": "#"}


def prose(path, line):
    """Returns the part of a line that people read."""
    if path.suffix == ".md":
        return line
    if path.suffix in COMMENTS:
        return line.partition(COMMENTS[path.suffix])[2]
    found = [part for parts in SWIFT_PROSE.findall(line) for part in parts if part]
    return " ".join(found + LIMIT.findall(line))


def main():
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True)
    wide, hits, lines_of_prose = [], [], 0
    for name in listed.stdout.splitlines():
        path = pathlib.Path(name)
        if path.suffix not in (".swift", ".md", *COMMENTS) or path == pathlib.Path(".ci/prose.py"):
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if path.suffix == ".swift" and len(line) > COLUMNS:
                wide.append(f"{name}:{number}: {len(line)} columns")
            text = prose(path, line)
            lines_of_prose += bool(text.strip())
            if any(pattern.search(text) for pattern in PATTERNS) or LIMIT.search(text):
                hits.append(f"{name}:{number}: {line.strip()[:120]}")
    rate = 1000 * len(hits) / max(lines_of_prose, 1)
    print("\n".join(wide + (hits if "--list" in sys.argv or rate > MAX_RATE else [])))
    print(f"{len(hits)} phrases to read again in {lines_of_prose} lines of prose, {rate:.1f} per 1,000")
    return 1 if wide or rate > MAX_RATE else 0


if __name__ == "__main__":
    sys.exit(main())
