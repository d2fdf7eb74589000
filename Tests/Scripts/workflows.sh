#!/usr/bin/env bash
# Checks the files for GitHub with the schemas of GitHub, and the script of the action with a
# release in a folder, without a network.
#
# If check-jsonschema, ruamel.yaml (which comes with it) or shellcheck is missing, the script skips
# its checks with a message.
#
#   Tests/Scripts/workflows.sh TRACE_VIEWER
set -euo pipefail
viewer=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
cd "$root"

# Schemas.
if command -v check-jsonschema >/dev/null; then
  schema() {
    local name=$1
    shift
    check-jsonschema --quiet --builtin-schema "$name" "$@" || fail "$* is not valid ($name)."
  }
  schema vendor.github-workflows .github/workflows/*.yml
  schema custom.github-workflows-require-timeout .github/workflows/*.yml
  schema vendor.github-actions action.yml
  schema vendor.dependabot .github/dependabot.yml
  schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/*.yml
else
  printf 'schemas skipped: check-jsonschema is not installed\n'
fi

# Rules that are not in the schemas.
mkdir "$scratch/scripts"
cp Scripts/github-action .github/install-static-sdk "$scratch/scripts"
if python3 -c 'import ruamel.yaml' 2>/dev/null; then
  python3 Tests/Scripts/workflows.py "$scratch/scripts"
else
  printf 'workflows skipped: ruamel.yaml is not installed\n'
fi
if command -v shellcheck >/dev/null; then
  shellcheck "$scratch/scripts"/*
else
  printf 'shellcheck is not installed\n'
fi

# A release in a folder. Only the archive matters, so the checkout may have any changes.
version=$("$viewer" --version)
version=${version#trace-viewer }
case $(uname -sm) in
  "Linux x86_64") runner_arch=X64 system=linux-x86_64 ;;
  "Linux aarch64") runner_arch=ARM64 system=linux-aarch64 ;;
  *) printf 'the action skipped: this system has no release\n'; exit 0 ;;
esac
releases=$scratch/re\ leases
name=trace-viewer-$version-$system.tar.gz
mkdir -p "$releases/v$version"
python3 - "$viewer" "$version" "$releases/v$version/$name" "$root/Scripts/packaging" <<'CODE'
import pathlib, sys

sys.dont_write_bytecode = True
viewer, version, path, packaging = sys.argv[1:]
sys.path.insert(0, packaging)
import archive

kinds = ["manual", "bash", "zsh", "fish", "license", "changelog", "schema"]
files = dict.fromkeys(kinds, b"text\n")
files["program"] = pathlib.Path(viewer).read_bytes()
archive.program(pathlib.Path(path), f"trace-viewer-{version}", files, 0)
CODE
(cd "$releases/v$version" && sha256sum "$name" >"$name.sha256")

# The work of a job, in a folder with a space.
work=$scratch/the\ work
mkdir "$work"
cp Samples/Logs/*.jsonl "$work"
cp Samples/Logs/search-leak.jsonl "$work/-a;touch injected.jsonl"
head -n 30 Samples/Logs/search-leak.jsonl >"$work/cut.jsonl"
traced="#!/bin/sh
cp '$work/'\$1 \"\$(echo \"\$REACTIVE_TRACE\" | sed s/%p/\$\$/)\"
"
printf '%s' "$traced" >"$work/traced"
chmod +x "$work/traced"

# action CODE RESULT NAME=VALUE...: runs the action with these inputs. Its folders for temporary
# files and the files of the runner are new each time. The variables are those of a runner.
runs=0
action() {
  local wanted=$1 result=$2 got=0
  shift 2
  runs=$((runs + 1))
  temporary=$scratch/temporary\ $runs
  mkdir "$temporary"
  : >"$temporary/output"
  : >"$temporary/summary"
  : >"$temporary/path"
  (
    cd "$work"
    exec env -u REACTIVE_TRACE GITHUB_ACTIONS=true GITHUB_WORKSPACE="$work" \
      GITHUB_REPOSITORY=someone/else \
      GITHUB_OUTPUT="$temporary/output" GITHUB_STEP_SUMMARY="$temporary/summary" \
      GITHUB_PATH="$temporary/path" RUNNER_TEMP="$temporary" \
      RUNNER_OS=Linux RUNNER_ARCH="$runner_arch" \
      INPUT_RELEASES="file://${releases// /%20}" "$@" timeout 120 bash "$root/Scripts/github-action"
  ) >"$temporary/printed" 2>&1 || got=$?
  printed=$temporary/printed
  [ "$got" = "$wanted" ] || fail "'$*' exited with $got instead of $wanted: $(cat "$printed")"
  [ "$(output result)" = "$result" ] \
    || fail "'$*' has the result '$(output result)' instead of '$result': $(cat "$printed")"
  [ ! -e "$work/injected" ] || fail "'$*' ran a part of an input."
}
output() { sed -n "s/^$1=//p" "$temporary/output"; }
says() {
  grep -qF -- "$1" "$printed" || fail "The action does not say '$1', but: $(cat "$printed")"
}
reported() {
  [ -s "$temporary/summary" ] || fail "There is no job summary."
  [ "$(grep -c '^### ' "$temporary/summary")" = 1 ] \
    || fail "The job summary has more than one verdict."
  python3 -m json.tool "$(output sarif)" >/dev/null || fail "The SARIF file is not valid."
}

# Installing.
action 0 '' INPUT_INSTALL_ONLY=true
[ "$("$(cat "$temporary/path")/trace-viewer" --version)" = "trace-viewer $version" ] \
  || fail "The PATH does not have the program."
[ "$(output version)" = "$version" ] || fail "The version is '$(output version)'."
[ -x "$(output program)" ] || fail "The program is '$(output program)'."
action 0 '' INPUT_INSTALL_ONLY=true INPUT_VERSION="v$version"
action 69 failed INPUT_INSTALL_ONLY=true INPUT_VERSION=9.9.9
says "v9.9.9/trace-viewer-9.9.9-$system.tar.gz cannot be downloaded."
says "Is 9.9.9 a version of a release?"
action 69 failed INPUT_INSTALL_ONLY=true RUNNER_OS=Windows
says "There is no released trace-viewer for Windows on $runner_arch"
cp -r "$releases" "$scratch/changed"
printf 'x' >>"$scratch/changed/v$version/$name"
action 69 failed INPUT_INSTALL_ONLY=true INPUT_RELEASES="file://$scratch/changed"
says "was changed: its SHA-256 checksum is"
[ ! -s "$temporary/path" ] || fail "A changed program is on the PATH."
rm "$scratch/changed/v$version/$name.sha256"
action 69 failed INPUT_INSTALL_ONLY=true INPUT_RELEASES="file://$scratch/changed"
says "$name.sha256 cannot be downloaded"

# Programs without curl and wget, as in a container.
mkdir "$scratch/bin"
for program in bash cut dirname env mkdir mktemp rm sed sha256sum tar timeout; do
  ln -s "$(command -v "$program")" "$scratch/bin/$program"
done
action 69 failed INPUT_INSTALL_ONLY=true PATH="$scratch/bin"
says "apt-get update && apt-get install --yes curl"

# Logs.
action 0 clean INPUT_LOGS=search-clean.jsonl
[ "$(output exit-code)" = 0 ] || fail "The exit code is '$(output exit-code)'."
reported
action 1 findings INPUT_LOGS='search-*.jsonl'
[ "$(output exit-code)" = 1 ] || fail "The exit code is '$(output exit-code)'."
says "::error file="
reported
action 1 findings INPUT_LOGS=$'search-clean.jsonl\r\n\n./search-l*\n' \
  INPUT_SARIF='reports here/leaks; touch injected.sarif'
[ "$(output sarif)" = "$work/reports here/leaks; touch injected.sarif" ] \
  || fail "The SARIF file is '$(output sarif)'."
reported
action 1 findings INPUT_LOGS='-a;touch injected.jsonl'
action 66 failed INPUT_LOGS='missing-*.jsonl'
# shellcheck disable=SC2016 # The action must not run this.
action 66 failed INPUT_LOGS='$(touch injected) `touch injected` "; touch injected; "'
action 2 inconclusive INPUT_LOGS=cut.jsonl
reported
action 0 inconclusive INPUT_LOGS=cut.jsonl INPUT_INCONCLUSIVE=warn
[ "$(output exit-code)" = 2 ] || fail "The exit code is '$(output exit-code)'."
says "::warning title=trace-viewer::The check is inconclusive"
action 1 findings INPUT_LOGS=search-leak.jsonl INPUT_INCONCLUSIVE=warn

# Options.
action 0 clean INPUT_LOGS=search-leak.jsonl \
  INPUT_OPTIONS=$'--allow=search.*\n--output=junit:leaks.xml\n'
[ -s "$work/leaks.xml" ] || fail "There is no JUnit report."
action 64 failed INPUT_LOGS=search-leak.jsonl INPUT_OPTIONS=search-clean.jsonl
says "The input 'options' has the line 'search-clean.jsonl'."
action 64 failed INPUT_LOGS=search-leak.jsonl INPUT_OPTIONS=--
action 64 failed INPUT_LOGS=search-leak.jsonl INPUT_FAIL_ON='any; touch injected'
action 0 clean INPUT_LOGS=search-leak.jsonl INPUT_BASELINE='known leaks.json' \
  INPUT_OPTIONS=--write-baseline
action 0 clean INPUT_LOGS=search-leak.jsonl INPUT_BASELINE='known leaks.json'

# Commands. Their programs write logs, as traced programs do.
action 0 clean INPUT_COMMAND='./traced search-clean.jsonl'
reported
action 1 findings \
  INPUT_COMMAND=$'echo "a b"; ./traced \'search-leak.jsonl\'\n./traced search-clean.jsonl'
says "a b"
reported
action 2 inconclusive INPUT_COMMAND='./traced cut.jsonl'
action 2 inconclusive INPUT_COMMAND='true'
says "No process of this command wrote a log"
action 0 inconclusive INPUT_COMMAND='true' INPUT_INCONCLUSIVE=warn
for code in 7 1 2; do
  action "$code" failed INPUT_COMMAND="./traced search-leak.jsonl; exit $code"
  [ "$(output exit-code)" = "$code" ] || fail "The exit code is '$(output exit-code)'."
  reported
done
action 1 failed INPUT_COMMAND=$'false\n./traced search-clean.jsonl'
action 1 failed INPUT_COMMAND='false | ./traced search-clean.jsonl' INPUT_INCONCLUSIVE=warn
action 143 failed INPUT_COMMAND="kill -TERM \$\$"
action 127 failed INPUT_COMMAND='no-such-program'
# shellcheck disable=SC2016 # The command expands this.
action 0 clean INPUT_ALL=true \
  INPUT_COMMAND='[ "$REACTIVE_TRACE_ALL" = 1 ] && ./traced search-clean.jsonl'
# shellcheck disable=SC2016
action 0 clean INPUT_COMMAND='[ -z "${!INPUT_@}" ] && ./traced search-clean.jsonl'
mkdir "$work/in side"
cp "$work/traced" "$work/in side"
action 1 findings INPUT_WORKING_DIRECTORY='in side' INPUT_SARIF=here.sarif \
  INPUT_COMMAND='./traced search-leak.jsonl'
[ -s "$work/in side/here.sarif" ] || fail "The SARIF file is not in the working directory."

# An error of the script isn't a finding.
touch "$work/file"
action 70 failed INPUT_LOGS=search-leak.jsonl INPUT_SARIF=file/leaks.sarif

# Wrong inputs.
wrong() {
  local text=$1
  shift
  action 64 failed "$@"
  says "$text"
}
wrong "There is nothing to check."
wrong "exclude each other" INPUT_COMMAND=true INPUT_LOGS=search-leak.jsonl
wrong "nothing is checked" INPUT_COMMAND=true INPUT_INSTALL_ONLY=true
wrong "is for a command" INPUT_LOGS=search-leak.jsonl INPUT_ALL=true
wrong "It must be true or false." INPUT_COMMAND=true INPUT_ALL=yes
wrong "It must be fail or warn." INPUT_COMMAND=true INPUT_INCONCLUSIVE=ignore
wrong "It must be the version of a release" INPUT_COMMAND=true INPUT_VERSION=../../1.0.0
wrong "It must be OWNER/NAME." INPUT_COMMAND=true INPUT_RELEASES='' INPUT_REPOSITORY='a/b/../c'
wrong "It must begin with https:// or file://." INPUT_COMMAND=true INPUT_RELEASES=ftp://example.org
wrong "must be a single line" INPUT_COMMAND=true INPUT_SARIF=$'a\nresult=clean'
wrong "has no line with a log" INPUT_LOGS=$'\n\n'
wrong "which cannot be entered" INPUT_COMMAND=true INPUT_WORKING_DIRECTORY=$'no%0Where'
says "no%250Where"
printf 'The action was run %d times.\n' "$runs"
