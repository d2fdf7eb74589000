#!/usr/bin/env bash
# Has tmux be the terminal of trace-viewer: keys, windows of other sizes, every way out. Whatever it is, the screen before has to be
# back after it, and the terminal set as before. The screens are kept as text in OUTDIR. Skipped, with a message, where tmux is not
# installed.
#
#   Tests/Scripts/terminal.sh TRACE_VIEWER SAMPLE_LOG OUTDIR
set -euo pipefail

viewer=$(realpath "$1")
log=$(realpath "$2")
mkdir -p "$3"
out=$(realpath "$3")
if ! command -v tmux >/dev/null; then
  printf 'terminal skipped: tmux is not installed\n'
  exit 0
fi

name=trace-viewer-$$
scratch=$(mktemp -d)
in_tmux() { tmux -L "$name" -f /dev/null "$@"; }
trap 'in_tmux kill-server 2>/dev/null || true; rm -rf "$scratch"' EXIT

screen() { in_tmux capture-pane -p -t main; }
keep() { screen >"$out/$1.txt"; }
fail() {
  printf 'FAILED: %s It shows:\n' "$*" >&2
  screen >&2 || true
  exit 1
}

# Nothing is ever written into it: who reads it leaves the processor to others for a moment.
mkfifo "$scratch/never"
exec 9<>"$scratch/never"

# within REASON COMMAND...: asks again and again until the command succeeds, for two minutes at most.
within() {
  local reason=$1 until=$((SECONDS + 120))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$until" ] || fail "$reason"
    read -rt 0.02 -u 9 || true
  done
}
shows() { screen >"$scratch/screen" && grep -qF -e "$1" "$scratch/screen"; }
lacks() { screen >"$scratch/screen" && ! grep -qF -e "$1" "$scratch/screen"; }
wait_for() { within "'$1' never came." shows "$1"; }
wait_without() { within "'$1' never went." lacks "$1"; }
has_color() {
  in_tmux capture-pane -e -p -t main >"$scratch/colors"
  grep -qE $'\e\\[([0-9]+;)*(3[0-8]|9[0-7])[;m]' "$scratch/colors"
}
press() { in_tmux send-keys -t main "$@"; }

# Of the pane: whether the other screen is shown, the cursor, wrapping, reports of the mouse and marks of pastes.
modes() {
  in_tmux display-message -p -t main \
    'other #{alternate_on} cursor #{cursor_flag} wraps #{wrap_flag} mouse #{mouse_any_flag} #{mouse_sgr_flag}'
}

# The shell has something on its screen. A program that ends tells a file how, so that nothing hides in what is drawn.
cat >"$scratch/profile" <<'END'
PS1='READY> '
run() { rm -f "$SCRATCH/code"; "$@"; echo "$?" >"$SCRATCH/code.new"; mv "$SCRATCH/code.new" "$SCRATCH/code"; }
END
in_tmux new-session -d -s main -x 100 -y 30 \
  "env -u VISUAL ENV='$scratch/profile' SCRATCH='$scratch' LANG=C.UTF-8 SWIFT_BACKTRACE=enable=no \
    EDITOR='$scratch/editor' /bin/sh -i"
wait_for 'READY>'

# start ARGUMENT...: the program, on a screen that says which run it is.
runs=0
start() {
  runs=$((runs + 1))
  press "clear; echo screen-before-$runs; stty -a >$scratch/settings" Enter
  within 'The shell does not answer.' [ -s "$scratch/settings" ]
  wait_for "screen-before-$runs"
  modes_before=$(modes)
  press "run$(printf ' %q' "$viewer" "$@")" Enter
}
# The process of the program, which the shell of the pane has for a child.
process() {
  local pid
  pid=$(ps -o pid= --ppid "$(in_tmux display-message -p -t main '#{pane_pid}')" | head -n 1)
  printf '%s' "${pid// /}"
}

# ended CODE: waits for the end and fails unless it is this one and everything is as before.
ended() {
  within 'The program does not end.' [ -s "$scratch/code" ]
  [ "$(cat "$scratch/code")" = "$1" ] || fail "The exit code is $(cat "$scratch/code") instead of $1."
  rm -f "$scratch/code"
  wait_for "screen-before-$runs"
  wait_without '? help'
  [ "$(modes)" = "$modes_before" ] || fail "The terminal was '$modes_before' and is '$(modes)'."
  # The shell edits its line itself, and sets the terminal back for each program that it starts.
  rm -f "$scratch/after"
  press "stty -a >$scratch/after.new; mv $scratch/after.new $scratch/after" Enter
  within 'The shell does not answer.' [ -s "$scratch/after" ]
  cmp -s "$scratch/settings" "$scratch/after" || fail 'The terminal is set in another way.'
  rm -f "$scratch/settings"
}

# Looking about
start "$log"
wait_for '? help'
wait_for search.keystrokes
[[ $(modes) == 'other 1 cursor 0 wraps 0 '* ]] || fail "The terminal is '$(modes)'."
has_color || fail 'There are no colours.'
keep open
press w
wait_for '500 ms'
keep zoomed
press s
wait_without '500 ms'
press /dispos Enter
wait_for 'hit 1 of'
keep hit
press Escape
wait_without 'hit 1 of'
for pane in 2-events:keystrokes 3-detail:'made for' 4-findings:'error[undisposed]' 5-summary:FAILED; do
  press "${pane%%-*}"
  text=${pane#*:}
  wait_for "$text"
  pane=${pane%%:*}
  keep "${pane#*-}"
done
press 1 Tab '?'
wait_for KEYS
keep help
press '?'
wait_without KEYS

# Playing, slowly enough for slow machines
press '<' '<' '<' Space
wait_for '▶ 1/8x'
press Space
wait_for '‖ 1/8x'
keep paused
press Escape
wait_without '1/8x'

# Other windows
in_tmux resize-window -t main -x 60 -y 20
wait_for '? help'
keep small
in_tmux resize-window -t main -x 19 -y 4
wait_for 'needs 20x5, is 19x4'
[ "$(screen | grep -c .)" = 1 ] || fail 'A window that is too small shows more than a line.'
keep too-small
in_tmux resize-window -t main -x 100 -y 30
wait_for search.keystrokes
wait_for '? help'
[ "$(screen | sed -n 1,2p)" = "$(sed -n 1,2p "$out/open.txt")" ] || fail 'The first size does not look as it did.'

# Passing on
press x
wait_for ' to: '
press C-u "$scratch/lane.csv" Enter
wait_for 'exported to'
[ "$(wc -l <"$scratch/lane.csv")" -gt 2 ] || fail 'The export is empty.'
press M
wait_for 'mouse on'
[[ $(modes) == *' mouse 1 1' ]] || fail "The terminal is '$(modes)'."
press M
wait_for 'mouse off'
press q
ended 0

# Ways out
start "$log"
wait_for '? help'
press Escape
ended 0
start "$log" --mouse
wait_for '? help'
press C-c
ended 130
# Of SIGINT an interactive shell makes an end of its own list of commands.
for signal in TERM:143 HUP:129 QUIT:131 SEGV:139 ABRT:134 TRAP:133; do
  start "$log" --mouse
  wait_for '? help'
  kill -s "${signal%:*}" "$(process)"
  ended "${signal#*:}"
done

# Stopped, and let go on
start "$log"
wait_for '? help'
press C-z
wait_for "screen-before-$runs"
wait_without '? help'
keep stopped
[ "$(modes)" = "$modes_before" ] || fail "The terminal of a stopped program is '$(modes)'."
rm -f "$scratch/code"
press 'run fg' Enter
wait_for '? help'
press q
ended 0

# Without colours, and in ASCII
start "$log" --ascii --color=never
wait_for '? help'
keep ascii
! LC_ALL=C grep -q '[^ -~]' "$out/ascii.txt" || fail 'There is more than ASCII.'
! has_color || fail 'There are colours.'
press q
ended 0

# A log that is not there yet
start follow "$scratch/growing.jsonl"
wait_for 'waiting for the log'
head -n 20 "$log" >"$scratch/growing.jsonl"
wait_for live
wait_for search.keystrokes
tail -n +21 "$log" >>"$scratch/growing.jsonl"
wait_for ended
keep followed
press q
ended 0

# A replay, on the screen and in lines
start replay "$log"
wait_for '▶ 1x'
press q
ended 0
lines=$("$viewer" replay --plain --speed=max "$log" | awk '{ print $1 }')
[ "$lines" = "$(sort -n <<<"$lines")" ] || fail 'The lines of a replay are not in the order of time.'

printf 'terminal %s runs in %s, all given back\n' "$runs" "$(tmux -V)"
