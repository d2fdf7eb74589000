# shellcheck shell=bash
# Functions for .ci/run and Scripts/check-long, which source this file from the root of the
# repository.

# step NAME: begins a step. When a step ends, its time is printed, with the processor time of its
# programs. All times are printed again at the end.
steps=()
step_name='' step_start=$SECONDS step_processor=0
end_step() {
  [ -z "$step_name" ] && return
  local line
  read_processor_time
  line=$(printf '%5d s, processor %5d s  %s' $((SECONDS - step_start)) \
    $((processor_time - step_processor)) "$step_name")
  printf '(%s)\n' "$line"
  steps+=("$line")
}
step() {
  end_step
  read_processor_time
  step_name=$* step_start=$SECONDS step_processor=$processor_time
  printf '\n== %s\n' "$*"
}
# read_processor_time: sets processor_time to the seconds of all programs that have ended. It
# can't print them, because a subshell doesn't see the programs of its parent.
read_processor_time() {
  times >"$scratch/times"
  processor_time=$(awk -F '[ms ]' 'NR == 2 { printf "%d", $1 * 60 + $2 + $4 * 60 + $5 }' \
    "$scratch/times")
}
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

# minutes LIMIT COMMAND...: stops a command that hangs. Every limit is far above the time that the
# command takes on two cores.
minutes() {
  local limit=$1 code=0
  shift
  timeout -k 10 "${limit}m" "$@" || code=$?
  [ "$code" != 124 ] || fail "'$*' was stopped after $limit minutes"
  return "$code"
}
# No step may write a file of more than 4 GiB.
ulimit -f $((4 << 20))

# expect CODE COMMAND...: runs the command and fails unless it exits with CODE.
expect() {
  local wanted=$1 got=0
  shift
  timeout -k 10 300 "$@" || got=$?
  [ "$got" = "$wanted" ] || fail "'$*' exited with $got instead of $wanted"
}

# python_step LIMIT MODULE SCRIPT...: runs a script in Python, unless Python or a module is missing.
python_step() {
  local limit=$1 module=$2
  shift 2
  if python3 -c "import $module" 2>/dev/null; then
    minutes "$limit" "$@"
  else
    printf 'skipped: python3 with the module %s is not installed\n' "$module"
  fi
}

scratch=$(mktemp -d)
declare -A beside_process=() beside_start=()
clean_up() {
  local process children
  for process in "${beside_process[@]}"; do
    children=$(pgrep -P "$process" || true)
    # shellcheck disable=SC2086 # There can be several children.
    kill "$process" $children 2>/dev/null || true
  done
  rm -rf "$scratch"
}
trap clean_up EXIT

# begin_beside NAME COMMAND...: starts a command, or a function, next to the following steps, most
# of which need only one core. Its output and exit code must not depend on other load. It must have
# a limit on its time.
begin_beside() {
  local name=$1
  shift
  beside_start[$name]=$SECONDS
  ("$@") >"$scratch/beside-$name.txt" 2>&1 </dev/null &
  beside_process[$name]=$!
}
# end_beside NAME: waits for that command, prints its output, and sets beside_code to its exit code.
end_beside() {
  local name=$1
  step "$name (began $((SECONDS - beside_start[$name])) s before)"
  beside_code=0
  wait "${beside_process[$name]}" || beside_code=$?
  unset "beside_process[$name]"
  cat "$scratch/beside-$name.txt"
}

# Installs the programs that read our files.
install_programs() {
  [ "${CI:-}" = true ] || return 0
  step "Install the programs that read our files"
  { apt-get update -qq && apt-get install -y -qq jq gzip zstd xz-utils mandoc zsh fish chromium tmux \
    shellcheck libjemalloc2 valgrind; } >/dev/null 2>&1 \
    || printf 'apt-get could not install all programs.\n'
  install_modules duckdb jsonschema fastjsonschema xmlschema perfetto opentelemetry-proto \
    check-jsonschema
  # It needs a newer Python than the others.
  install_modules mcp
}

install_modules() {
  python3 -m pip install --quiet --break-system-packages "$@" 2>/dev/null \
    || python3 -m pip install --quiet "$@" 2>/dev/null \
    || printf 'pip could not install all of: %s\n' "$*"
}

# The tests get a temporary folder of their own, so that the script can see which files they leave
# behind. Only files named trace-* count, because SwiftPM leaves files, too.
mkdir "$scratch/temporary"
test_here() {
  TMPDIR=$scratch/temporary minutes "$@" 2>&1 | tee "$scratch/tests.txt" || {
    # The output is long, so its failures are printed again at the end.
    printf '\n== Failures\n'
    grep -aE -A 60 'WARNING: ThreadSanitizer|ERROR: (Address|Leak)Sanitizer' "$scratch/tests.txt" \
      | head -n 200 || true
    grep -aE -A 8 '✘|error: |Fatal error' "$scratch/tests.txt" | grep -avE '^(✔|◇|--)' \
      | cut -c 1-400 | tail -n 100 || true
    fail "A test failed."
  }
}
expect_nothing_left() {
  left=$(find "$scratch/temporary" /tmp -maxdepth 1 -name 'trace-*' -newer "$scratch/temporary")
  [ -z "$left" ] || fail "The tests left files behind: $left"
}

# Prints the times of all steps.
end_steps() {
  end_step
  printf '\nAll checks passed in %d minutes on %d cores.\n' $((SECONDS / 60)) "$(nproc)"
  printf '%s\n' "${steps[@]}"
}
