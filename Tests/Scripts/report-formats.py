"""Validates reports of `trace-viewer check` against schemas. Called by report-formats.sh."""

import json
import os
import re
import shutil
import subprocess
import sys

viewer, schemas, scratch, logs = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
checks = 0


def fail(message):
    sys.exit(f"FAILED: {message}")


def schema(name):
    return os.path.join(schemas, name)


# Validators ---------------------------------------------------------------------------------------

try:
    import jsonschema
except ImportError:
    jsonschema = None


def xml_validator(path):
    """Returns a function that raises an error for an invalid document.

    Returns None if no validator is installed.
    """
    try:
        import xmlschema

        return xmlschema.XMLSchema(path).validate
    except ImportError:
        pass
    try:
        from lxml import etree

        return lambda file: etree.XMLSchema(file=path).assertValid(etree.parse(file))
    except ImportError:
        pass
    if shutil.which("xmllint"):
        def run(file):
            done = subprocess.run(
                ["xmllint", "--noout", "--schema", path, file], capture_output=True
            )
            if done.returncode:
                raise ValueError(done.stderr.decode(errors="replace"))
        return run
    return None


validators = {"junit": [], "sarif": [], "gitlab": []}
for name in ("junit-jenkins-10.xsd", "junit-ant.xsd"):
    validate = xml_validator(schema(name))
    if validate:
        validators["junit"].append((name, validate))
    else:
        print(f"{name} skipped: neither xmlschema, lxml nor xmllint is installed")
for form, name in (
    ("sarif", "sarif-schema-2.1.0.json"),
    ("sarif", "sarif-github-overlay.json"),
    ("gitlab", "gitlab-codequality-item.json"),
):
    if jsonschema is None:
        print(f"{name} skipped: the Python module jsonschema is not installed")
        continue
    with open(schema(name), encoding="utf-8") as file:
        loaded = json.load(file)
    kind = jsonschema.validators.validator_for(loaded)
    validator = kind(loaded, format_checker=kind.FORMAT_CHECKER)
    validators[form].append(
        (
            name,
            lambda path, validator=validator: validator.validate(
                json.load(open(path, encoding="utf-8"))
            ),
        )
    )


# Hostile logs -------------------------------------------------------------------------------------

hostile = [
    "\x1b[2J\x1b]0;title\x07",
    "\u202eabc\u2066",
    "\n::error::x",
    "::error::x",
    "##[error]x",
    "]]>",
    "</failure><script>",
    "\x00\x9b31m",
    "\ufffe\uffff",
    "| `a` | <b> [x](y)",
    "%0A::error::",
    "\" ' & < >",
    "",
    " ",
    "\t",
    "../../etc/passwd",
    "/",
    "x" * 5000,
    "e" + "\u0301" * 100,
    "\U0001f468\u200d\U0001f469",
    "a b",
    "C:\\x",
    "%2e%2e/x",
    "?#",
    "日本語",
]


def hostile_log():
    def line(**fields):
        return json.dumps(fields, separators=(",", ":"))

    lines = [
        line(
            t=0,
            event="trace",
            version=1,
            trace="0",
            process=hostile[0],
            pid=1,
            host=" ",
            started="2026-02-31T25:00:00Z",
        )
    ]
    for number, text in enumerate(hostile, 1):
        lines.append(
            line(
                t=number,
                event="subscribe",
                sub=number,
                lane=text,
                thread=1,
                op="lane",
                source=f"{text}/{text}.swift:{-number}",
                function=text,
                type=text,
                observed=f"call.{number}" if number % 2 else f"{text}:7",
                cause=number - 1,
            )
        )
        lines.append(
            line(
                t=2000 + number,
                event="place",
                lane=f"call.{number}",
                source=f"{text}:{number}",
                function=text,
            )
        )
        step = {"kind": "field", "type": text, "name": text, "holds": text, "way": "closure",
                "at": text}
        lines.append(
            line(
                t=3000 + number,
                event="retained",
                sub=number,
                lane=text,
                kind=("cycle", "path", "none")[number % 3],
                proof=("certain", "probable")[number % 2],
                steps=[step] * (70 if number % 5 == 0 else 3),
                tail=number % 3,
                owner="bag",
                **{"break": 1},
            )
        )
        lines.append(
            line(t=1000 + number, event="next", sub=number, lane=text, value=text, thread=2)
        )
    for number, text in enumerate(hostile, 101):
        lines.append(line(t=number, event="subscribe", sub=number, lane=text, thread=1, op="lane"))
    lines.append(line(t=10**18, event="end", records=len(lines), lost=0))
    path = os.path.join(scratch, "\x1b[2J\n::error::]]>\u202e.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def baseline():
    entries = [
        {
            "rule": "x" + text,
            "lane": text,
            "file": text,
            "function": text,
            "count": 1,
            "reason": text,
        }
        for text in hostile
    ]
    path = os.path.join(scratch, "known.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"format": "trace-viewer-baseline", "version": 1, "findings": entries}, file)
    return path


# The runs -----------------------------------------------------------------------------------------

def check_bytes(form, data, label):
    """Checks that no terminal and no CI service takes text in the report as a command."""
    text = data.decode("utf-8")
    bad = re.search(
        "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text
    )
    if bad:
        fail(f"{label}: {form} contains {bad.group()!r}")
    if form != "github" and re.search(r"^\s*(::|##\[)", text, re.M):
        fail(f"{label}: a line of {form} begins with a command")
    if form == "github" and not all(
        re.match(r"::(error|warning|notice) [^\n]*::", line) for line in text.splitlines()
    ):
        fail(f"{label}: a line of {form} is not an annotation")


def run(label, options, paths):
    global checks
    for form in ("text", "json", "junit", "sarif", "github", "gitlab", "markdown", "dot"):
        file = os.path.join(scratch, "report." + form)
        done = subprocess.run(
            [viewer, "check", "--no-config", *options, "-o", f"{form}:{file}", "--", *paths],
            capture_output=True,
        )
        if done.returncode not in (0, 1, 2, 66):
            fail(
                f"{label}: check exits with {done.returncode}: "
                f"{done.stderr.decode(errors='replace')}"
            )
        with open(file, "rb") as written:
            data = written.read()
        check_bytes(form, data, label)
        check_bytes("text", done.stdout, label)
        check_bytes("text", done.stderr, label)
        if form == "json":
            json.loads(data)
        if form == "gitlab":
            prints = [issue["fingerprint"] for issue in json.loads(data)]
            if len(prints) != len(set(prints)):
                fail(f"{label}: two issues of gitlab have the same fingerprint")
        for name, validate in validators.get(form, []):
            try:
                validate(file)
            except Exception as error:
                fail(f"{label}: {form} is not valid under {name}: {str(error)[:2000]}")
            checks += 1


for log in logs:
    run(log, [], [log])
if len(logs) > 1:
    run("all logs", ["--fail-on=any"], logs)
run("a hostile log", ["--main=*", "--max-active=*=0"], [hostile_log()])
run("a hostile baseline", ["--baseline=" + baseline()], [hostile_log()])
run("missing files", [], [os.path.join(scratch, "\n::error::\x1b]]>"), hostile_log()])
run("only a missing file", [], [os.path.join(scratch, "\n::error::\x1b]]>")])
print(f"formats: {checks} reports are valid")
