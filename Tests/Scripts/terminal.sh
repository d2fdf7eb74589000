#!/usr/bin/env bash
# Runs the interactive view in tmux: types keys, resizes the window, and leaves the program in every
# way. Afterward, the previous screen and the settings of the terminal must be back. The script
# keeps the screens as text files in OUTDIR. If tmux is not installed, it skips everything with a
# message.
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
  printf 'FAILED: %s The screen:\n' "$*" >&2
  screen >&2 || true
  exit 1
}

# Nothing ever writes to this pipe, so reading it with a timeout is a short pause.
mkfifo "$scratch/never"
exec 9<>"$scratch/never"

# within REASON COMMAND...: repeats the command until it succeeds. Fails with the reason after two
# minutes.
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
wait_for() { within "'$1' did not appear." shows "$1"; }
wait_without() { within "'$1' did not disappear." lacks "$1"; }
has_color() {
  in_tmux capture-pane -e -p -t main >"$scratch/colors"
  grep -qE $'\e\\[([0-9]+;)*(3[0-8]|9[0-7])[;m]' "$scratch/colors"
}
press() { in_tmux send-keys -t main "$@"; }

# Prints modes of the pane: whether it shows the alternate screen and the cursor, wraps lines, and
# reports the mouse.
modes() {
  in_tmux display-message -p -t main \
    'other #{alternate_on} cursor #{cursor_flag} wraps #{wrap_flag}'\
' mouse #{mouse_any_flag} #{mouse_sgr_flag}'
}

# The shell of the pane. `run` writes the exit code of a program to a file, so that the script does
# not have to find it on the screen.
cat >"$scratch/profile" <<'END'
PS1='READY> '
run() {
  rm -f "$SCRATCH/code"
  "$@"
  echo "$?" >"$SCRATCH/code.new"
  mv "$SCRATCH/code.new" "$SCRATCH/code"
}
END
in_tmux new-session -d -s main -x 100 -y 30 \
  "env -u VISUAL ENV='$scratch/profile' SCRATCH='$scratch' LANG=C.UTF-8 SWIFT_BACKTRACE=enable=no \
    EDITOR='$scratch/editor' /bin/sh -i"
wait_for 'READY>'

# start ARGUMENT...: starts the viewer on a screen that shows the number of the run.
runs=0
start() {
  runs=$((runs + 1))
  press "clear; echo screen-before-$runs; stty -a >$scratch/settings" Enter
  within 'The shell does not respond.' [ -s "$scratch/settings" ]
  wait_for "screen-before-$runs"
  modes_before=$(modes)
  # The log may be one of the samples, which get no files next to them.
  press "run$(printf ' %q' "$viewer" "$@" --no-view-file)" Enter
}
# Prints the process id of the viewer, a child of the shell in the pane.
process() {
  local pid
  pid=$(ps -o pid= --ppid "$(in_tmux display-message -p -t main '#{pane_pid}')" | head -n 1)
  printf '%s' "${pid// /}"
}

# ended CODE: waits until the viewer exits. Fails if its exit code is another one, or if the screen
# or the terminal is not as before.
ended() {
  within 'The program does not exit.' [ -s "$scratch/code" ]
  [ "$(cat "$scratch/code")" = "$1" ] \
    || fail "The exit code is $(cat "$scratch/code") instead of $1."
  rm -f "$scratch/code"
  wait_for "screen-before-$runs"
  wait_without '? help'
  [ "$(modes)" = "$modes_before" ] || fail "The terminal was '$modes_before' and is '$(modes)'."
  # The settings are read by a program that the shell starts, because the shell changes them while
  # it edits a line.
  rm -f "$scratch/after"
  press "stty -a >$scratch/after.new; mv $scratch/after.new $scratch/after" Enter
  within 'The shell does not respond.' [ -s "$scratch/after" ]
  cmp -s "$scratch/settings" "$scratch/after" \
    || fail 'The settings of the terminal are not as before.'
  rm -f "$scratch/settings"
}

# Looking around
start "$log"
wait_for '? help'
wait_for search.keystrokes
[[ $(modes) == 'other 1 cursor 0 wraps 0 '* ]] || fail "The terminal is '$(modes)'."
has_color || fail 'There are no colors.'
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
for pane in 2-events:keystrokes 3-detail:'made for' 4-findings:'error[retain-cycle]' \
  5-summary:FAILED; do
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

# A replay, slow enough for slow machines
press '<' '<' '<' Space
wait_for '▶ 1/8x'
press Space
wait_for '‖ 1/8x'
keep paused
press Escape
wait_without '1/8x'

# Other window sizes
in_tmux resize-window -t main -x 60 -y 20
wait_for '? help'
keep small
in_tmux resize-window -t main -x 19 -y 4
wait_for 'needs 20x5, is 19x4'
[ "$(screen | grep -c .)" = 1 ] || fail 'A window that is too small shows more than one line.'
keep too-small
in_tmux resize-window -t main -x 100 -y 30
wait_for search.keystrokes
wait_for '? help'
[ "$(screen | sed -n 1,2p)" = "$(sed -n 1,2p "$out/open.txt")" ] \
  || fail 'After a return to the first size, the screen is not as before.'

# Export and mouse
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

# Every way to leave
start "$log"
wait_for '? help'
press Escape
wait_for 'q quits'
press q
ended 0
start "$log" --mouse
wait_for '? help'
press C-c
ended 130
# SIGINT is left out: an interactive shell stops its own list of commands on it.
for signal in TERM:143 HUP:129 QUIT:131 SEGV:139 ABRT:134 TRAP:133; do
  start "$log" --mouse
  wait_for '? help'
  kill -s "${signal%:*}" "$(process)"
  ended "${signal#*:}"
done

# Suspended and resumed
start "$log"
wait_for '? help'
press C-z
wait_for "screen-before-$runs"
wait_without '? help'
keep stopped
[ "$(modes)" = "$modes_before" ] \
  || fail "While the program is suspended, the terminal is '$(modes)' instead of '$modes_before'."
rm -f "$scratch/code"
press 'run fg' Enter
wait_for '? help'
press q
ended 0

# Without colors, in ASCII
start "$log" --ascii --color=never
wait_for '? help'
keep ascii
! LC_ALL=C grep -q '[^ -~]' "$out/ascii.txt" || fail 'The screen has characters that are not ASCII.'
! has_color || fail 'There are colors.'
press q
ended 0

# A log that does not exist yet
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

# A replay in the view, and as lines
start replay "$log"
wait_for '▶ 1x'
press q
ended 0
lines=$("$viewer" replay --plain --speed=max "$log" | awk '{ print $1 }')
[ "$lines" = "$(sort -n <<<"$lines")" ] \
  || fail 'The lines of a replay are not in chronological order.'

printf 'terminal %s runs in %s, and the terminal was restored after each\n' "$runs" "$(tmux -V)"
