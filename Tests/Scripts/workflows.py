#!/usr/bin/env python3
"""Checks rules for the files for GitHub and the package index that are not in GitHub's schemas.

    workflows.py FOLDER

Writes each script of a workflow or of the action to FOLDER, for shellcheck.
"""

import pathlib
import re
import sys

from ruamel.yaml import YAML

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ACTION = ROOT / "action.yml"
SCRIPT = ROOT / "Scripts/github-action"


def load(path):
    return YAML(typ="safe", pure=True).load(path.read_text())


def steps(document):
    """Returns the steps of a workflow or of an action."""
    if "runs" in document:
        return document["runs"]["steps"]
    return [step for job in document["jobs"].values() for step in job.get("steps", [])]


def check_scripts(path, document, folder):
    """Checks that no script contains an expression, which would insert foreign text into code."""
    for number, step in enumerate(steps(document)):
        code = step.get("run")
        if code is None:
            continue
        assert "${{" not in code, f"{path.name}: '{code}' has an expression. Use env."
        (folder / f"{path.stem}-{number}.sh").write_text(
            f"#!/usr/bin/env bash\nset -eo pipefail\n{code}\n"
        )
        for name in re.findall(r"(?:^|(?<=[\s/\"]))((?:Scripts|\.ci|\.github)/[\w-]+)", code):
            assert (ROOT / name).is_file(), f"{path.name} runs {name}, which does not exist."


def check_permissions(path, document):
    assert document["permissions"] == {
        "contents": "read"
    }, f"{path.name} begins with more than read access."
    for name, job in document["jobs"].items():
        for step in job.get("steps", []):
            uses = step.get("uses", "")
            if uses.startswith("actions/checkout@"):
                kept = step.get("with", {}).get("persist-credentials")
                assert kept is False, f"{path.name}: {name} leaves the token in the checkout."
            if uses and uses != "./":
                assert re.fullmatch(
                    r"[\w./-]+@(v\d+|[0-9a-f]{40})", uses
                ), f"{path.name}: {uses} has no version."


def check_inputs(document):
    """Checks that every input reaches the script, and that every output comes from it."""
    (step,) = document["runs"]["steps"]
    inputs = {name: "INPUT_" + name.replace("-", "_").upper() for name in document["inputs"]}
    assert set(step["env"]) == set(
        inputs.values()
    ), "The inputs and the variables of action.yml differ."
    for name, variable in inputs.items():
        assert re.search(
            rf"inputs\.{name}\b", step["env"][variable]
        ), f"{variable} is not the input {name}."
    code = SCRIPT.read_text()
    read = set(re.findall(r"\$\{(INPUT_\w+):-", code))
    assert read == set(
        inputs.values()
    ), f"The script and action.yml differ: {read ^ set(inputs.values())}"
    for name, attributes in document["inputs"].items():
        default = re.search(rf"\$\{{{inputs[name]}:-([^}}]*)\}}", code).group(1)
        assert default == attributes.get(
            "default", ""
        ), f"The default of {name} is '{default}' in the script."
    outputs = set(re.findall(r"(?m)^[^#\n]*\boutput ([a-z-]+) ", code))
    assert outputs == set(
        document["outputs"]
    ), f"The outputs differ: {outputs ^ set(document['outputs'])}"
    for name, attributes in document["outputs"].items():
        assert attributes["value"] == f"${{{{ steps.{step['id']}.outputs.{name} }}}}", name


def check_systems():
    """Checks that the script has the names of the systems that the release workflow builds for."""
    named = set(re.findall(r"system=([\w-]+)", SCRIPT.read_text()))
    joined = re.search(
        r"made/\{([\w,-]+)\}", (ROOT / ".github/workflows/release.yml").read_text()
    ).group(1)
    assert named == set(joined.split(",")), f"{named} are installed, and {joined} are released."


def check_index():
    """Checks the manifest of the package index, which may have 1,000 bytes, and its targets."""
    path = ROOT / ".spi.yml"
    assert path.stat().st_size <= 1000
    manifest = load(path)
    assert set(manifest) == {"version", "builder"} and manifest["version"] == 1
    (config,) = manifest["builder"]["configs"]
    assert set(config) == {"documentation_targets"}
    documented = {folder.parent.name for folder in ROOT.glob("Sources/*/*.docc")}
    assert set(config["documentation_targets"]) == documented, documented


def main():
    folder = pathlib.Path(sys.argv[1])
    for path in sorted((ROOT / ".github/workflows").glob("*.yml")):
        document = load(path)
        check_scripts(path, document, folder)
        check_permissions(path, document)
    action = load(ACTION)
    check_scripts(ACTION, action, folder)
    check_inputs(action)
    check_systems()
    check_index()


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"FAILED: {error}")
