#!/usr/bin/env bash
# Lets Graphviz read the format dot of logs, including those of leaked objects and of a malicious
# log. Each name must arrive in the drawing as it is in the log. If Graphviz isn't installed, the
# test skips itself with a message.
#
#   Tests/Scripts/graphviz.sh TRACE_VIEWER LOG...
set -euo pipefail

viewer=$1
shift
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

if ! command -v dot >/dev/null; then
  printf 'graphviz  skipped: dot is not installed\n'
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# draw LOG: writes the findings as $scratch/dot, and the drawing as $scratch/svg.
draw() {
  local code=0
  "$viewer" check --format dot "$1" >"$scratch/dot" || code=$?
  [ "$code" -le 2 ] || fail "trace-viewer check --format dot $1 exits with $code."
  dot -Tsvg "$scratch/dot" -o "$scratch/svg" 2>"$scratch/errors" \
    || fail "Graphviz doesn't read the findings of $1: $(cat "$scratch/errors")"
  # A missing font isn't a mistake of the text.
  if grep -v 'font' "$scratch/errors"; then fail "Graphviz warns about the findings of $1."; fi
}

for log in "$@"; do draw "$log"; done

# leaks NAME: writes a log with a cycle of two objects that has the name everywhere.
leaks() {
  cat >"$scratch/leaks.jsonl" <<END
{"t":0,"event":"trace","version":1,"minor":4,"process":"$1"}
{"t":0,"event":"object","sub":1,"lane":"$1","source":"$1.swift:3","count":1,\
"members":[{"name":"$1","count":2,"bytes":80}],"held":[{"name":"$1","count":1000,"bytes":24000}]}
{"t":0,"event":"retained","sub":1,"lane":"$1","kind":"cycle","proof":"certain","break":1,"steps":[\
{"kind":"field","type":"$1","name":"$1","holds":"$1","way":"reference"},\
{"kind":"closure","name":"$1","holds":"$1","way":"object","at":"$1:7"}]}
{"t":0,"event":"end","searched":4096,"records":3,"lost":0}
END
  draw "$scratch/leaks.jsonl"
}
count() { grep -c "$1" "$scratch/svg" || true; }

leaks Cart
[ "$(count 'class="cluster"')" = 1 ] || fail "The finding isn't one cluster."
[ "$(count 'class="node"')" = 3 ] || fail "There are $(count 'class="node"') nodes instead of 3."
[ "$(count 'class="edge"')" = 3 ] || fail "There are $(count 'class="edge"') edges instead of 3."
[ "$(grep -c '<path.*stroke="red"' "$scratch/svg")" = 1 ] || fail "Not one edge is red."
for words in 'break it here' '1,000 × Cart' '24,000 bytes' '>\.Cart<'; do
  grep -q "$words" "$scratch/svg" || fail "The drawing doesn't have '$words'."
done

# Ends of strings, escape sequences, character references, HTML, and characters of the syntax.
leaks 'a\"];b->c'
[ "$(count 'class="node"')" = 3 ] || fail "A quote in a name ends the string."
leaks 'a\\N\\G\\l'
grep -qF '1,000 × a\N\G\l' "$scratch/svg" || fail "A backslash in a name is an escape sequence."
leaks '&lt;b&#65;'
grep -qF '&amp;lt;b&amp;#65;' "$scratch/svg" || fail "An ampersand in a name is a reference."
leaks '<b>{x|y}</b>'
grep -qF '&lt;b&gt;{x|y}&lt;/b&gt;' "$scratch/svg" || fail "A name is HTML or a record."
leaks 'end\\'
leaks '\u0000\u001b[31m\u202e\n'
printf 'graphviz  the format dot is valid for %s\n' "$(dot -V 2>&1 | sed 's/^dot - //')"
