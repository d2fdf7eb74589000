#!/usr/bin/env bash
# Opens the pages that trace-viewer makes of logs in a headless Chromium, and one of a log that means harm: the script has to build
# them, an address has to open the details of a subscription, nothing may run that is not ours, and the console has to stay empty.
# Skipped, with a message, where no Chromium is installed.
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

# in_browser ADDRESS: the page as its script left it, in $scratch/dom; fails where the console has something to say.
in_browser() {
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" \
    --enable-logging=stderr --virtual-time-budget=10000 --dump-dom "$1" >"$scratch/dom" 2>"$scratch/errors" \
    || fail "The browser does not open $1."
  if grep 'CONSOLE' "$scratch/errors"; then fail "The console is not empty: $1"; fi
}

# attribute NAME: what the body has for it.
attribute() { sed -n "s/.*<body[^>]* $1=\"\([^\"]*\)\".*/\1/p" "$scratch/dom" | head -n 1; }

check() {
  local log=$1 page=$scratch/report.html shown bars first
  "$viewer" report --format html --output "$page" "$log" || fail "There is no page of $log."
  "$viewer" report --format json --output "$scratch/report.json" "$log" || fail "There is no JSON of $log."
  shown=$(sed -n 's/.*"shown": .*"subscriptions": \([0-9]*\),.*/\1/p' "$scratch/report.json")
  in_browser "file://$page"
  [ "$(attribute data-ready)" = "$shown" ] || fail "The page of $log has not $shown subscriptions, but '$(attribute data-ready)'."
  bars=$(grep -o 'data-sub="' "$scratch/dom" | wc -l)
  [ $((bars + $(attribute data-folded))) = "$shown" ] || fail "The page of $log draws $bars bars for $shown subscriptions."
  grep -q '<aside id="details"[^>]* hidden' "$scratch/dom" || fail "The page of $log opens with details that nobody asked for."
  [ "$shown" != 0 ] || return 0

  first=$(sed -n 's/^    {"id": \([0-9]*\), "log": 0,.*/\1/p' "$scratch/report.json" | head -n 1)
  in_browser "file://$page#sub=$first"
  ! grep -q '<aside id="details"[^>]* hidden' "$scratch/dom" || fail "#sub=$first opens nothing."
  grep -o '<aside id="details".*' "$scratch/dom" | grep -q "<h2>#$first" || fail "#sub=$first opens something else."
  grep -q 'class="bar [a-z ]*selected"' "$scratch/dom" || fail "#sub=$first is not to be seen in the timeline."
}

for log in "$@"; do check "$log"; done

harm='</script><img src=x onerror=\"document.body.dataset.pwned=1\"><script>document.body.dataset.pwned=1</script>'
cat >"$scratch/harm.jsonl" <<END
{"t":0,"event":"trace","version":1,"process":"$harm","host":"$harm"}
{"t":1,"event":"mark","name":"$harm"}
{"t":2,"event":"subscribe","sub":1,"lane":"$harm","thread":1,"source":"$harm","function":"$harm","type":"$harm"}
{"t":3,"event":"next","sub":1,"lane":"$harm","value":"$harm","thread":1}
{"t":4,"event":"failed","sub":1,"lane":"$harm","error":"$harm","thread":1}
END
check "$scratch/harm.jsonl"
! grep -q 'data-pwned' "$scratch/dom" || fail "A text of a log was run."
printf 'html    opens in %s\n' "$browser"
