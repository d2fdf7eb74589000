#!/usr/bin/env bash
# Opens HTML reports in a headless Chromium, including one of a malicious log. The script of the
# page must build the whole page, an address must open the details of a subscription, text from a
# log must never run, and the console must stay empty. If no Chromium is installed, the test skips
# itself with a message.
#
#   Tests/Scripts/html-report.sh TRACE_VIEWER LOG...
set -euo pipefail

viewer=$1
shift
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

browser=
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null; then browser=$name; break; fi
done
if [ -z "$browser" ]; then
  printf 'html    skipped: Chromium is not installed\n'
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# in_browser ADDRESS: opens a page and writes its final DOM to $scratch/dom. Fails if the console
# has messages.
in_browser() {
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" \
    --enable-logging=stderr --virtual-time-budget=10000 --dump-dom "$1" \
    >"$scratch/dom" 2>"$scratch/errors" \
    || fail "The browser cannot open $1."
  if grep 'CONSOLE' "$scratch/errors"; then fail "The console is not empty: $1"; fi
}

# attribute NAME: prints the value of an attribute of the body.
attribute() { sed -n "s/.*<body[^>]* $1=\"\([^\"]*\)\".*/\1/p" "$scratch/dom" | head -n 1; }

check() {
  local log=$1 page=$scratch/report.html shown bars first
  "$viewer" report --format html --output "$page" "$log" \
    || fail "trace-viewer writes no HTML report of $log."
  "$viewer" report --format json --output "$scratch/report.json" "$log" \
    || fail "trace-viewer writes no JSON report of $log."
  shown=$(sed -n 's/.*"shown": .*"subscriptions": \([0-9]*\),.*/\1/p' "$scratch/report.json")
  in_browser "file://$page"
  [ "$(attribute data-ready)" = "$shown" ] \
    || fail "The page of $log has '$(attribute data-ready)' subscriptions instead of $shown."
  bars=$(attribute data-bars)
  [ $((bars + $(attribute data-folded))) = "$shown" ] \
    || fail "The page of $log draws $bars bars for $shown subscriptions."
  grep -q '<aside id="details"[^>]* hidden' "$scratch/dom" \
    || fail "The page of $log opens with details, although its address names no subscription."
  [ "$shown" != 0 ] || return 0

  first=$(sed -n 's/^    {"id": \([0-9]*\), "log": 0,.*/\1/p' "$scratch/report.json" | head -n 1)
  # The page selects the bar in its next frame, and the browser doesn't always draw that frame before
  # it writes the DOM.
  for _ in 1 2 3; do
    in_browser "file://$page#sub=$first"
    if grep -q 'class="bar [a-z ]*selected"' "$scratch/dom"; then break; fi
  done
  ! grep -q '<aside id="details"[^>]* hidden' "$scratch/dom" || fail "#sub=$first opens no details."
  grep -o '<aside id="details".*' "$scratch/dom" | grep -q "<h2>#$first" \
    || fail "#sub=$first opens the details of another subscription."
  grep -q 'class="bar [a-z ]*selected"' "$scratch/dom" \
    || fail "#sub=$first is not selected in the timeline."
}

for log in "$@"; do check "$log"; done

harm='</script><img src=x onerror=\"document.body.dataset.pwned=1\">'
harm+='<script>document.body.dataset.pwned=1</script>'
cat >"$scratch/harm.jsonl" <<END
{"t":0,"event":"trace","version":1,"process":"$harm","host":"$harm"}
{"t":1,"event":"mark","name":"$harm"}
{"t":2,"event":"subscribe","sub":1,"lane":"$harm","thread":1,"source":"$harm",\
"function":"$harm","type":"$harm"}
{"t":3,"event":"next","sub":1,"lane":"$harm","value":"$harm","thread":1}
{"t":4,"event":"failed","sub":1,"lane":"$harm","error":"$harm","thread":1}
{"t":5,"event":"subscribe","sub":2,"lane":"$harm","thread":1,"observed":"call.1"}
{"t":6,"event":"subscribe","sub":3,"lane":"$harm","thread":1,"parent":2,"observed":"$harm:7"}
{"t":7,"event":"retained","sub":2,"lane":"$harm","kind":"cycle","break":0,"owner":"bag",\
"steps":[{"kind":"field","type":"$harm","name":"$harm","holds":"$harm","way":"closure",\
"at":"$harm"},{"kind":"subscription","name":"$harm","sub":2}]}
{"t":8,"event":"place","lane":"call.1","source":"$harm:1","function":"$harm"}
END
check "$scratch/harm.jsonl"
! grep -q 'data-pwned' "$scratch/dom" || fail "The page ran text from a log."

# A cycle is a picture with a step for each link, the one to break marked, in the cards and in the
# details. For a long cycle, a button shows the rest.
steps() { grep -o 'class="step [^"]*"' "$scratch/dom" | wc -l; }
# cycle STEPS: writes a log in which a cycle of so many steps keeps two of three subscriptions
# alive.
cycle() {
  local path
  path=$(seq 1 "$1" \
    | sed 's/.*/{"kind":"field","type":"A&","name":"b","holds":"B","way":"optional-reference"}/' \
    | paste -sd, -)
  cat >"$scratch/cycle.jsonl" <<END
{"t":0,"event":"trace","version":1,"process":"cycle"}
{"t":1,"event":"subscribe","sub":1,"lane":"results","thread":1,"source":"A/B.swift:9",\
"observed":"A/Screen.swift:26"}
{"t":2,"event":"subscribe","sub":2,"lane":"query","thread":1,"parent":1,\
"observed":"A/Screen.swift:26"}
{"t":3,"event":"retained","sub":1,"lane":"results","kind":"cycle","proof":"certain",\
"tail":1,"break":1,"steps":[$path]}
{"t":4,"event":"end","records":5,"lost":0}
END
  check "$scratch/cycle.jsonl"
}
cycle 4
[ "$(steps)" = 10 ] \
  || fail "The pictures of a cycle of 4 steps, of which 1 leaves the ring, have $(steps) steps \
instead of 5 in the card and 5 in the details."
for name in 'step ring first' 'step ring break' 'step ring back' 'step end'; do
  grep -q "class=\"$name\"" "$scratch/dom" || fail "The picture of a cycle has no '$name'."
done
grep -q 'Break it here.*Set A2.b to nil' "$scratch/dom" || fail "The step to break has no advice."
grep -q '<summary>1 subscription and 1 upstream' "$scratch/dom" \
  || fail "The card does not unfold the subscriptions that leak with its root."
grep -q 'observed at.*A/Screen.swift:26' "$scratch/dom" \
  || fail "The card does not say where the root was observed."
cycle 70
[ "$(steps)" -lt 60 ] || fail "The pictures of a cycle of 70 steps show all of them at once."
grep -q '[0-9]* more steps</button>' "$scratch/dom" \
  || fail "The picture of a long cycle has no button for the rest."

# A cycle of leaked objects is a ring with the references at its arrows, and has tables of classes.
# objects STEPS: writes a log with a cycle of so many objects.
objects() {
  local steps
  steps=$(seq 1 "$1" \
    | sed 's/.*/{"kind":"field","type":"Class&","name":"field&","holds":"C","way":"reference"}/' \
    | paste -sd, -)
  cat >"$scratch/objects.jsonl" <<END
{"t":0,"event":"trace","version":1,"minor":4,"process":"objects"}
{"t":0,"event":"object","sub":1,"lane":"Class1","source":"A/B.swift:9","count":1,\
"members":[{"name":"Class1","count":$1,"bytes":640}],\
"held":[{"name":"Leaf","count":1000,"bytes":24000},{"name":"","count":2,"bytes":96}]}
{"t":0,"event":"retained","sub":1,"lane":"Class1","kind":"cycle","proof":"certain","break":0,\
"steps":[$steps]}
{"t":0,"event":"end","searched":4096,"records":3,"lost":0}
END
  check "$scratch/objects.jsonl"
}
drawn() { grep -o "<$1" "$scratch/dom" | wc -l; }
for count in 1 2 3 12 40; do
  objects "$count"
  shown=$((count > 24 ? 24 : count))
  [ "$(drawn 'g class="wire')" -le "$shown" ] && [ "$(drawn 'g class="wire')" -gt $((shown / 2)) ] \
    || fail "A ring of $count objects has $(drawn 'g class="wire') arrows."
  [ "$(drawn 'g class="wire cut"')" = 1 ] || fail "A ring of $count objects marks no arrow."
  [ "$(drawn 'g class="cut-sign"')" = 1 ] || fail "The arrow to break has no sign."
  grep -q '<svg class="ring-view"[^>]* role="img" aria-labelledby="ring-1 ring-1-steps"' \
    "$scratch/dom" || fail "A ring has no name and no description."
  ! grep -q 'NaN' "$scratch/dom" || fail "A ring of $count objects has a coordinate without a value."
done
objects 2
grep -q 'ring-1-steps">1. Class1, .field1 (break it here); 2. Class2, .field2<' "$scratch/dom" \
  || fail "The description of a ring does not have its steps."
for words in '×1,000' '24,000 bytes' '4,096 bytes searched' '1,002 leaked objects'; do
  grep -q "$words" "$scratch/dom" || fail "The page of leaked objects does not have '$words'."
done
for words in '0 elements' 'since 0 ns' 'leak</span>'; do
  ! grep -q "$words" "$scratch/dom" || fail "The page of leaked objects has '$words'."
done
for id in timeline lane-table sub-table; do
  grep -q "<section id=\"$id\"[^>]* hidden" "$scratch/dom" \
    || fail "The page of leaked objects shows the section $id."
done
cat >"$scratch/harm.jsonl" <<END
{"t":0,"event":"trace","version":1,"minor":4,"process":"$harm"}
{"t":0,"event":"object","sub":1,"lane":"$harm","source":"$harm:9","count":1,\
"members":[{"name":"$harm","count":1,"bytes":64}],"held":[{"name":"$harm","count":1,"bytes":24}]}
{"t":0,"event":"retained","sub":1,"lane":"$harm","kind":"cycle","proof":"certain","break":0,\
"steps":[{"kind":"field","type":"$harm","name":"$harm","holds":"$harm","way":"reference"}]}
{"t":0,"event":"end","searched":4096,"records":3,"lost":0}
END
check "$scratch/harm.jsonl"
! grep -q 'data-pwned' "$scratch/dom" || fail "The page ran text from leaked objects."
printf 'html    opens in %s\n' "$browser"
