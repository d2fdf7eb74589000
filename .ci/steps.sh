# shellcheck shell=bash
# The steps of Scripts/check, which sources this file from the root of the repository. Each step is
# declared by `step`, with its function below. Within a kind, steps that take long come first.

debug=.build/debug release=.build/release
viewer=$release/trace-viewer sample=$release/search-sample

# What several steps depend on.
scripts=Tests/Scripts
engine='Sources/Engine Sources/Log/TraceFormat'
recorder="$engine Sources/ReactiveKit Sources/ReactiveTrace Sources/Causes"
reader="$engine Sources/Log Sources/Viewer Sources/trace-viewer"
all_code="Sources Samples/SearchBox Samples/LeakyScreens Samples/OrderServer"
all_code+=' Tests/Support Tests/Programs Tests/Corpora/LeakCorpus Tests/Corpora/TaskCorpus'
all_code+=' Tests/Corpora/TextCorpus'
logs_of_sample="$recorder Samples/SearchBox Samples/Logs"
# What can break every step, and what only the format and the house rules check.
every_step='.ci/run .ci/steps.sh Package.swift Scripts/check'
of_no_step='.ci/*.py .github/ISSUE_TEMPLATE .gitignore .spi.yml .swift-format Benchmarks'
of_no_step+=' Scripts/check-long Scripts/check-toolchain Scripts/recording'
corpus_scripts="$scripts/corpus.py $scripts/judgments.py"

fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
skip() { printf 'skipped: %s\n' "$*"; }

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

# script LIMIT NAME...: runs a script of Tests/Scripts, unless it needs Python and that is missing.
script() {
  local limit=$1 name=$2
  shift 2
  if [[ $name == *.py ]] && ! command -v python3 >/dev/null; then
    skip "python3 is not installed"
  else
    minutes "$limit" "$scripts/$name" "$@"
  fi
}

# Programs, builds, and logs that several steps read.

step programs needed 0 "" "Programs that read our files; with CI=true, they are installed"
run_programs() {
  [ "${CI:-}" = true ] || { skip "the steps use the programs that are installed"; return; }
  { apt-get update -qq && apt-get install -y -qq jq gzip zstd xz-utils mandoc zsh fish \
    chromium tmux shellcheck libjemalloc2 libmimalloc2.0 libtcmalloc-minimal4 valgrind graphviz gdb; } >/dev/null 2>&1 \
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

step debug needed 2 "" "The debug build, with tests"
run_debug() { minutes 20 swift build --build-tests; }

# Most of its modules are compiled one after the other, so another step can run at the same time.
step release needed 1 "" "The release build"
# Builds only the products that the steps run.
run_release() {
  local product
  for product in trace-viewer search-sample TraceWriterHelper LeakCorpus TaskCorpus TextCorpus; do
    minutes 20 swift build -c release --product "$product"
  done
}

step logs needed 1 release "Logs of the sample: clean, leaking, killed; and logs of other programs"
run_logs() {
  local writer=$release/TraceWriterHelper pid
  REACTIVE_TRACE=$scratch/clean.jsonl expect 0 "$sample"
  expect 0 "$viewer" check "$scratch/clean.jsonl" | tee "$scratch/clean.txt"
  grep -q "no undisposed subscriptions" "$scratch/clean.txt" \
    || fail "check does not call the clean run clean."

  REACTIVE_TRACE=$scratch/leak.jsonl expect 0 "$sample" --leak
  expect 1 "$viewer" check "$scratch/leak.jsonl" | tee "$scratch/leak.txt"
  grep -q "search.keystrokes" "$scratch/leak.txt" || fail "check does not name the leak's lane."
  grep -q "SearchScreen.swift:" "$scratch/leak.txt" \
    || fail "check does not name the source location of the leak."

  REACTIVE_TRACE=$scratch/killed.jsonl timeout -k 10 300 "$sample" &
  pid=$!
  until [ "$(grep -c '"event":"next"' "$scratch/killed.jsonl" 2>/dev/null || true)" -ge 10 ] \
    2>/dev/null; do
    kill -0 "$pid" 2>/dev/null || fail "The sample ended before it was killed."
  done
  # The sample is the child of timeout, which then exits by itself.
  pkill -KILL -P "$pid"
  wait "$pid" 2>/dev/null || true
  expect 0 "$viewer" "$scratch/killed.jsonl"
  expect 2 "$viewer" check "$scratch/killed.jsonl" 2>"$scratch/killed.err"
  # After an unproven finding, standard error only has the next command to run.
  if grep -v '^Next: ' "$scratch/killed.err"; then
    fail "The log of a killed program is damaged."
  fi

  REACTIVE_TRACE=$scratch/stress.jsonl expect 0 "$writer" exit 4
  REACTIVE_TRACE=$scratch/lanes.jsonl expect 0 "$writer" lanes 10000
  REACTIVE_TRACE=$scratch/unnamed.jsonl REACTIVE_TRACE_ALL=1 expect 0 "$writer" unnamed
}

# Sources and pages.

swift_folders=(Package.swift Sources Tests Samples Benchmarks/Package.swift Benchmarks/Sources
  Benchmarks/Peers/Package.swift Benchmarks/Peers/Sources)
step format commit 1 "" "Format of Swift code" "*"
run_format() { swift format lint --strict --recursive "${swift_folders[@]}"; }

step rules commit 1 programs "House rules" "*"
run_rules() {
  if grep -nE '\.package\((url|path|name):' Package.swift; then
    fail "The root package must not depend on another package."
  fi
  if git grep -nE '@unchecked Sendable|nonisolated\(unsafe\)' -- Sources \
    ':!Sources/ReactiveKit/Support' ':!Sources/Engine/SystemLibrary/System/BlockingMutex.swift' \
    ':!Sources/ReactiveKit/Subjects' \
    ':!Sources/ReactiveKit/Loading/ReplayLoadingValueSubject.swift' \
    ':!Sources/ReactiveTrace/LogFiles/LogFile.swift' \
    ':!Sources/ReactiveTrace/LogFiles/FileSpace.swift' \
    ':!Sources/ReactiveTrace/Support/WeakReference.swift' \
    ':!Sources/Log/TraceAnalysis/Lifecycles/LifecycleList.swift' ':!*.md'; then
    fail "Only the locks, the open subjects, the mapped file, the columns of lifecycles and weak \
references may be unchecked."
  fi
  # The planted leaks and hangs and the programs of the corpora wait for hours, tests never do.
  if git grep -nE '\b(usleep|sleep)\(|Thread\.sleep|Task\.sleep' -- Tests \
    ':!Tests/Corpora/HangCorpus' ':!Tests/Corpora/TaskCorpus' ':!Tests/Corpora/ObjectCorpus' \
    ':!Tests/Programs/Machines' \
    || git grep -nE 'usleep|Thread\.sleep' -- Tests/Corpora/HangCorpus \
    || git grep -nF '.asyncAfter(' -- Tests ':!Tests/Corpora/LeakCorpus' \
      ':!Tests/Corpora/TaskCorpus' ':!Tests/Corpora/ObjectCorpus'; then
    fail "Tests must not wait for real time."
  fi
  if git grep -nE '\bMutex[<(]' -- Sources Tests ':!Sources/ReactiveKit/Support/Locked.swift' \
    ':!Tests/Corpora/LeakCorpus' ':!Tests/Corpora/ObjectCorpus'; then
    fail "Use BlockingMutex or a lock of ReactiveKit. The thread sanitizer does not understand \
Mutex."
  fi
  # Rules that need a script of their own are one line each.
  local failures=()
  .ci/arrows.py || failures+=("A folder uses one above it. See the layers in ARCHITECTURE.md.")
  .ci/imports.py || failures+=("Package.swift, the imports and the map in ARCHITECTURE.md differ.")
  Scripts/machines --page --check || failures+=("The page 'Where it works' is out of date.")
  .ci/prose.py || failures+=("A line is too long, or the wording is unusual. See CONTRIBUTING.md.")
  if [ ${#failures[@]} -gt 0 ]; then fail "${failures[*]}"; fi
  check_paths
  if command -v shellcheck >/dev/null; then
    shellcheck -x .ci/run Scripts/check Scripts/check-long
  else
    skip "shellcheck is not installed"
  fi
}
# Each path of a step exists, and each script and folder of sources belongs to a step.
check_paths() {
  local path known='' name
  set -f
  for name in "${names[@]}"; do
    if [ "${paths[$name]}" != '*' ]; then known+=" ${paths[$name]}"; fi
  done
  for path in $known $of_no_step $every_step; do
    [ -e "$path" ] || [[ $path == *\** ]] || fail "A step has the path '$path', which is missing."
  done
  while read -r path; do
    # shellcheck disable=SC2086 # The paths are words without spaces.
    is_below "$path" $known $of_no_step $every_step || fail "No step has a path for '$path'."
  done < <(git ls-files)
  set +f
}

step documentation commit 2 debug "Documentation: code, links, site" "*.md" "*.docc" \
  $recorder Sources/TraceTesting Tests/Programs/Documentation Tests/Programs/Tables.swift \
  Scripts/site "$scripts/documentation.py" "$scripts/tables.py"
run_documentation() { script 15 documentation.py; script 1 tables.py --check; }

# Tests in the debug build.

step test commit 2 "debug programs" "Tests, and the logs of all tests against the schema" \
  $all_code Tests/Unit Samples/Logs Tests/Programs/Fuzzing/Corpus README.md "Documentation/*.md" \
  Documentation/view.svg \
  Sources/ReactiveKit/ReactiveKit.docc Sources/ReactiveTrace/ReactiveTrace.docc \
  "$scripts/log-schema.py"
run_test() {
  mkdir "$scratch/logs"
  # The README has this command, so it runs without options.
  TRACE_KEEP_LOGS=$scratch/logs tests 10 swift test
  if python3 -c 'import fastjsonschema' 2>/dev/null; then
    script 10 log-schema.py "$scratch/logs" Samples/Logs/*.jsonl
  else
    skip "python3 with the module fastjsonschema is not installed"
  fi
  rm -rf "$scratch/logs"
}
# tests LIMIT COMMAND...: runs tests. They may leave no file whose name begins with trace-.
tests() {
  local left
  minutes "$@" 2>&1 | tee "$TMPDIR/tests.txt" || {
    # The output is long, so its failures are printed again at the end.
    printf '\n== Failures\n'
    grep -aE -A 60 'WARNING: ThreadSanitizer|ERROR: (Address|Leak)Sanitizer' "$TMPDIR/tests.txt" \
      | head -n 200 || true
    grep -aE -A 8 '✘|error: |Fatal error' "$TMPDIR/tests.txt" | grep -avE '^(✔|◇|--)' \
      | cut -c 1-400 | tail -n 100 || true
    fail "A test failed."
  }
  left=$(find "$TMPDIR" -maxdepth 1 -name 'trace-*')
  [ -z "$left" ] || fail "The tests left files behind: $left"
}

# Programs in the debug build.

step hangs commit 1 debug "Tests that hang, each for another reason" \
  $reader Tests/Corpora/HangCorpus "$scripts/hangs.py"
run_hangs() { script 10 hangs.py $debug; }

step skill commit 1 debug "The file for coding agents, and leaks that are fixed by following it" \
  $recorder $reader SKILL.md Samples/LeakyScreens "$scripts/skill.py" "$scripts/debug_build.py"
run_skill() { script 5 skill.py $debug; }

# Each case runs in its own process.
step leaks commit 1 debug "Planted leaks" $recorder $reader Tests/Corpora/LeakCorpus $corpus_scripts
run_leaks() {
  script 10 corpus.py $debug
  # Without symbols, closures are recognized by their captures.
  script 10 corpus.py $debug --stripped
}

step fuzz commit 1 "" "Fuzz the readers" \
  Sources/Engine Sources/Log Tests/Programs/Fuzzing "$scripts/fuzz.sh"
# Each reader has 15 to 30 seconds. The long checks give each of them six minutes.
run_fuzz() { minutes 15 "$scripts/fuzz.sh" 15; }

step tasks commit 1 debug "Stuck tasks, and lives of tasks" \
  $recorder $reader Tests/Corpora/TaskCorpus "$scripts/task-corpus.py" "$scripts/task-lives.py" \
  "$scripts/judgments.py"
run_tasks() {
  script 10 task-corpus.py $debug
  script 5 task-lives.py $debug --repeat 5
}

step cores commit 1 debug "Core files of gcore and of the kernel" \
  $engine $reader Tests/Programs/Machines "$scripts/core-files.py"
run_cores() { script 5 core-files.py $debug/trace-viewer; }

step machines long 2 "" "Other versions of Swift and of glibc, and ARM64" \
  $engine $reader Tests/Programs/Machines Scripts/machines "$scripts/zoo.py" \
  "$scripts/restrictions.py"
run_machines() {
  local program
  [ "$(id -u)" = 0 ] || { skip "only root can make the systems"; return; }
  for program in mmdebstrap qemu-system-aarch64 cpio; do
    command -v $program >/dev/null || { skip "$program isn't installed"; return; }
  done
  minutes 170 Scripts/machines
}

step isolation commit 2 debug "Closures of actors: settings, and programs that must not compile" \
  Sources/ReactiveKit Sources/ReactiveTrace "$scripts/isolation.py"
run_isolation() { script 5 isolation.py; }

step screens commit 1 debug "The sample of common mistakes, and the guide about it" \
  $recorder $reader Samples/LeakyScreens "$scripts/leaky-screens.py" "$scripts/judgments.py" \
  Sources/ReactiveTrace/ReactiveTrace.docc/LeaksInPractice.md
run_screens() { script 5 leaky-screens.py $debug $debug/trace-viewer; }

step agents commit 1 "debug programs" "The server for coding agents" \
  $recorder $reader Samples/LeakyScreens "$scripts/model-context.py"
run_agents() { script 5 model-context.py $debug; }

step orders commit 1 debug "The sample of a server whose orders don't end, and its page" \
  $engine $reader Samples/OrderServer Samples/OrderServer/README.md "$scripts/order-server.py"
run_orders() { script 5 order-server.py $debug; }

step hosts commit 1 debug "Programs with a static standard library" \
  $recorder $reader Tests/Programs/HostPrograms "$scripts/host-programs.py"
run_hosts() { script 10 host-programs.py $debug --link static-stdlib; }

# The thread sanitizer, for tests of the libraries. The long checks also run those of the readers
# of logs and of the built program.

step tsan commit 2 "" "Tests of both libraries under the thread sanitizer" \
  $recorder Sources/Log Tests/Unit/ReactiveKitTests Tests/Unit/ReactiveTraceTests Tests/Support \
  Tests/Programs/TraceWriterHelper Tests/Corpora/TaskCorpus Tests/Corpora/TextCorpus
run_tsan() { tests_with_threads "ReactiveKitTests ReactiveTraceTests" .; }
# tests_with_threads TARGETS FILTER: builds only these test targets, and runs tests of them.
tests_with_threads() {
  # SwiftPM finds the XCTests with the index of sources, so it can't be left out.
  local options=(--sanitize=thread --scratch-path .build-tsan)
  export TRACE_TESTS_WITH_THREADS=$1
  minutes 20 swift build --product reactivekit-tracePackageTests "${options[@]}"
  tests 30 swift test --skip-build "${options[@]}" --filter "$2"
}

# Programs in the release build.

step clients commit 1 release "Leaks in a client's tests, and a client without the search for causes" \
  $recorder $reader Sources/TraceTesting "$scripts/run-swift-test.py" \
  "$scripts/judgments.py" "$scripts/traits.py"
run_clients() { script 15 run-swift-test.py $viewer; script 10 traits.py $viewer; }

step adapters commit 2 release "The adapters for other libraries, where these can be fetched" \
  $recorder $reader Adapters "$scripts/adapters.py"
run_adapters() { script 20 adapters.py $viewer; }

pages=Sources/ReactiveTrace/ReactiveTrace.docc
step own-viewer long 2 release "Leaks in the tests of a client that builds the viewer itself" \
  $recorder $reader Sources/TraceTesting "$scripts/run-swift-test.py" "$scripts/judgments.py"
run_own-viewer() { script 20 run-swift-test.py $viewer --own-viewer; }

step start commit 1 release "The ten minutes of both pages about getting started" \
  $recorder $reader $pages/GettingStarted.md $pages/GettingStartedWithoutSignals.md \
  "$scripts/getting-started.py"
run_start() { script 15 getting-started.py $viewer; }

step instructions commit 1 "release programs" "Instructions for reading logs" \
  $reader Benchmarks/instructions Benchmarks/instructions.json Benchmarks/Reading
run_instructions() { instructions --row read; }
instructions() {
  local code=0
  command -v valgrind >/dev/null || { skip "valgrind is not installed"; return; }
  minutes 20 Benchmarks/instructions . "$@" || code=$?
  case $code in
    0) ;;
    3) skip "the counts of another machine can't be compared" ;;
    *) fail "A path needs more instructions than before, or they can't be counted." ;;
  esac
}

step leaks-release commit 1 release "Planted leaks in a release build, without lanes" \
  $recorder $reader Tests/Corpora/LeakCorpus $corpus_scripts
run_leaks-release() { script 10 corpus.py $release --configuration release --all; }

step objects commit 1 release "The corpus of leaked objects" \
  $engine $reader Tests/Corpora/ObjectCorpus "$scripts/object-corpus.py" "$scripts/judgments.py"
run_objects() {
  objects release
  other_allocator libjemalloc.so.2 release
}
# other_allocator LIBRARY CONFIGURATION: words in the allocator's own memory can hide leaks.
other_allocator() {
  [[ $(ldconfig -p) == *"$1"* ]] || { skip "$1 isn't installed"; return; }
  script 10 object-corpus.py --viewer $viewer --preload "$1" --overlooked 4 \
    "Tests/Corpora/ObjectCorpus/.build/$2"
}
# objects CONFIGURATION: an old word that is the address of an object can hide a leak.
objects() {
  local package=Tests/Corpora/ObjectCorpus
  minutes 20 swift build --package-path $package -c "$1" --disable-index-store
  script 10 object-corpus.py --self-check "$package/.build/$1"
  script 10 object-corpus.py --viewer $viewer --overlooked 3 "$package/.build/$1"
  script 10 object-corpus.py --viewer $viewer --at-rest --overlooked 8 "$package/.build/$1"
}

step tasks-release commit 1 release "Stuck and healthy tasks in a release build" \
  $recorder $reader Tests/Corpora/TaskCorpus "$scripts/task-corpus.py" "$scripts/judgments.py"
run_tasks-release() { script 10 task-corpus.py $release; }

step texts commit 1 release "Texts of elements in a release build" \
  $recorder Tests/Corpora/TextCorpus
run_texts() { local seed; for seed in 1 2 3; do expect 0 $release/TextCorpus "$seed"; done; }

# Logs, reports and exports.

step page commit 1 "release programs" "Large HTML reports in a browser" \
  $reader "$scripts/html-page.py" "$scripts/queries.py" "$scripts/browser.py"
run_page() { script 10 html-page.py $viewer && script 5 queries.py $viewer; }

step terminal commit 1 "release programs" "The interactive view in tmux" \
  $reader Samples/Logs "$scripts/terminal.sh"
# The captured screens are kept, so that you can look at them.
run_terminal() {
  local screens=${TRACE_SCREENS:-$PWD/.build-screens}
  mkdir -p "$screens"
  script 10 terminal.sh $viewer Samples/Logs/search-leak.jsonl "$screens"
}

step reading commit 1 "logs programs" "Logs in other programs" \
  $logs_of_sample $reader Samples/Fleet Tests/Programs/TraceWriterHelper "$scripts/read-logs.sh" \
  "$scripts/fleet.py" "$scripts/fleet.sh"
run_reading() {
  script 10 read-logs.sh $viewer "$scratch"/{clean,leak,stress,lanes,unnamed}.jsonl \
    Samples/Logs/*.jsonl
  script 10 fleet.sh $viewer $release/TraceWriterHelper
}

step repair commit 1 "release programs" "Repair of damaged logs" \
  $reader Samples/Logs "$scripts/repair.py" "$scripts/repair.sh"
run_repair() { script 10 repair.sh $viewer Samples/Logs/*.jsonl; }

step reports commit 1 "logs programs" "Reports and exports in other programs" \
  $logs_of_sample $reader "$scripts/report-formats.py" "$scripts/report-formats.sh" \
  "$scripts/exports.py" "$scripts/exports.sh" "$scripts/html-report.sh" "$scripts/graphviz.sh"
run_reports() {
  # The schemas of JUnit, SARIF and GitLab are not part of the repository.
  if [ -z "${TRACE_SCHEMAS:-}" ] && [ -d ../shared/schemas ]; then
    export TRACE_SCHEMAS=$PWD/../shared/schemas
  fi
  script 10 report-formats.sh $viewer "$scratch"/{clean,leak,killed,unnamed}.jsonl \
    Samples/Logs/*.jsonl
  script 10 exports.sh $viewer "$scratch"/{clean,leak,unnamed}.jsonl Samples/Logs/*.jsonl
  script 10 html-report.sh $viewer "$scratch/leak.jsonl" Samples/Logs/*.jsonl
  script 10 graphviz.sh $viewer "$scratch"/{clean,leak,killed}.jsonl Samples/Logs/*.jsonl
}

step conformance commit 1 "debug release programs" "The conformance kit of the log format" \
  $reader $recorder Samples/Conformance Samples/Logs "$scripts/conformance.py"
run_conformance() { script 5 conformance.py $viewer $sample $debug/leaky-screens; }

step findings commit 1 release "The same findings in every output" \
  $reader Samples/Logs "$scripts/consistency.py"
run_findings() { script 10 consistency.py $viewer; }

step completions commit 1 "release programs" \
  "Completions in shells, and the manual page in mandoc" $reader "$scripts/completions.sh"
run_completions() { script 10 completions.sh $viewer; }

step action commit 1 "release programs" "The workflows and the action" \
  $reader .github action.yml Scripts/github-action Scripts/packaging Samples/Logs \
  "$scripts/workflows.sh" "$scripts/workflows.py"
run_action() { script 10 workflows.sh $viewer; }

step releases commit 1 release "The files of a release" \
  $reader Scripts/release Scripts/packaging CHANGELOG.md LICENSE "$scripts/release.sh"
run_releases() { script 10 release.sh $viewer; }

step usage commit 1 logs "The bundled logs, files that are not logs, and wrong usage" \
  $logs_of_sample $reader
run_usage() {
  local folder=$TMPDIR
  expect 0 $viewer Samples/Logs/search-clean.jsonl
  expect 0 swift run -c release trace-viewer Samples/Logs/search-leak.jsonl
  # A command that needs the lock of the same build folder.
  expect 2 swift run -c release trace-viewer run -- swift build -c release --product trace-viewer
  expect 0 $viewer check Samples/Logs/search-clean.jsonl
  expect 1 $viewer check Samples/Logs/search-leak.jsonl

  expect 66 $viewer check "$folder/missing.jsonl"
  mkdir "$folder/no-logs" "$folder/logs"
  expect 66 $viewer "$folder/no-logs"
  cp "$scratch"/{clean,leak}.jsonl "$folder/logs"
  expect 1 $viewer check "$folder/logs"
  : >"$folder/empty.jsonl"
  expect 65 $viewer "$folder/empty.jsonl"
  printf 'hello\n' >"$folder/text.jsonl"
  expect 65 $viewer check "$folder/text.jsonl"
  expect 64 $viewer --no-such-option
  REACTIVE_TRACE=$folder/no/such/folder.jsonl expect 0 $sample 2>"$folder/unwritable.err"
  grep -q "cannot write the log" "$folder/unwritable.err" \
    || fail "The program does not report a path that it cannot write to."
}

# What takes too long for every commit, or has never found anything.

step asan long 2 "" "Tests under the address sanitizer, which also finds memory leaks" \
  $all_code Tests/Unit .ci/lsan.supp
run_asan() {
  local options=(--sanitize=address --scratch-path .build-asan) targets values
  # Sanitizers slow down the search of memory for the causes of leaks. Tests without sanitizers
  # check its results.
  export REACTIVE_TRACE_EXPLAIN=0.2
  minutes 20 swift build --build-tests "${options[@]}"
  # The tests that wait for the built program on a terminal run only under the thread sanitizer. The
  # state, the screens and the reports of the viewer are values without pointers, so their tests run
  # only without sanitizers.
  targets='InteractiveView|TerminalUI|TraceReports|TraceViewer'
  values='Update|Screen|Scene|Documented|Pane|View|Timeline|Check|Diff|Report|Marbles|Explain|'
  values+=Project
  LSAN_OPTIONS=suppressions=$PWD/.ci/lsan.supp tests 20 swift test --skip-build "${options[@]}" \
    --skip "TerminalProgram|($targets)Tests\.($values)"
}

step tsan-long long 2 "" "Tests under the thread sanitizer" \
  $recorder $reader Tests/Unit/ReactiveKitTests Tests/Unit/ReactiveTraceTests \
  Tests/Unit/Engine/HeapGraphTests Tests/Unit/Log/TraceAnalysisTests \
  Tests/Unit/Viewer/TerminalUITests Tests/Unit/Viewer/TraceViewerTests Tests/Support
# The tests of everything that has threads: the libraries, the readers of logs, and the built
# program on a terminal. The other tests of the viewer call it in their own process, on one thread.
run_tsan-long() {
  tests_with_threads "HeapGraphTests ReactiveKitTests ReactiveTraceTests TerminalUITests \
TraceAnalysisTests TraceViewerTests" "^(ReactiveKit|ReactiveTrace|HeapGraph)Tests\.|\
^TraceAnalysisTests\.(ParallelReading|LogReader|PlainReader|LogFollower|FollowedRecorder|\
GrowingLog|LogAnalysis|MemberList|Verdict)Tests|TerminalProgram|TerminalSession|BuiltProgram"
}

step adapters-tsan long 2 release "The adapters for other libraries under the thread sanitizer" \
  $recorder Adapters .ci/tsan.supp "$scripts/adapters.py"
run_adapters-tsan() { script 40 adapters.py --sanitize thread $viewer; }

step server long 2 release "The servers with and without the adapters for services" \
  $recorder $reader Samples/Server Adapters/TracedServices "$scripts/server-sample.py" "$scripts/judgments.py"
# Its build, with the web framework, may stay from an earlier run.
run_server() { script 30 server-sample.py --scratch-path .build-server $viewer; }

step instructions-long long 1 "release programs" "Instructions of all hottest paths" \
  $recorder $reader Benchmarks/instructions Benchmarks/instructions.json Benchmarks/Instructions \
  Benchmarks/Reading
run_instructions-long() { instructions; }

step crashes long 2 debug "Long tests of crashes, forks, long chains and random input" \
  $recorder $reader Tests/Unit Tests/Support
run_crashes() {
  local suites
  suites=$(grep -rl 'TestLength\.isLong' Tests/Unit | sed 's|.*/||; s|\.swift||')
  TRACE_LONG_TESTS=1 tests 30 swift test --skip-build --filter "(${suites//$'\n'/|})/"
}

step fuzz-long long 1 "" "Fuzz each kind of reader for six minutes" \
  Sources/Engine Sources/Log Tests/Programs/Fuzzing "$scripts/fuzz.sh"
run_fuzz-long() { minutes 40 "$scripts/fuzz.sh" 360; }

step hangs-long long 1 debug "Tests that hang: optimized, with SwiftNIO, and servers" \
  $reader Tests/Corpora/HangCorpus "$scripts/hangs.py"
run_hangs-long() {
  script 10 hangs.py $debug --release --allow 2
  # The report about the blocked event loop begins with the task that waits for it.
  script 15 hangs.py $debug --nio
  script 30 hangs.py $debug --servers
}

step advice long 2 debug "The advice about planted leaks, followed to the letter" \
  $recorder $reader Tests/Corpora/LeakCorpus "$scripts/follow-advice.py" $corpus_scripts
run_advice() { script 10 follow-advice.py $debug; }

step hosts-long long 2 "debug programs" \
  "Static executables, and programs that are stripped, dynamic, or in Valgrind" \
  $recorder $reader Tests/Programs/HostPrograms "$scripts/host-programs.py"
run_hosts-long() {
  script 15 host-programs.py $debug --link stripped --link dynamic --link static-executable
  if command -v valgrind >/dev/null; then
    script 10 host-programs.py $debug --link memcheck
  else
    skip "valgrind is not installed"
  fi
}

step leaks-long long 2 "debug release programs" \
  "Planted leaks in other builds and with another allocator" \
  $recorder $reader Tests/Corpora/LeakCorpus $corpus_scripts
run_leaks-long() {
  local jemalloc evolution
  script 10 corpus.py $debug --all
  script 10 corpus.py $release --configuration release
  jemalloc=$(find /usr/lib /usr/lib64 -name 'libjemalloc.so.2' 2>/dev/null | head -n 1)
  if [ -n "$jemalloc" ]; then
    script 10 corpus.py $debug --preload "$jemalloc"
  else
    skip "libjemalloc2 is not installed"
  fi
  # The modules of the toolchain aren't compiled with library evolution, which causes a warning.
  minutes 20 swift build --product LeakCorpus --scratch-path .build-evolution \
    -Xswiftc -enable-library-evolution -Xswiftc -no-warnings-as-errors
  evolution=.build-evolution/debug
  cp $debug/trace-viewer $evolution
  script 10 corpus.py $evolution
}

step objects-long long 2 release "The corpus of leaked objects, also searched from inside" \
  $recorder $reader Tests/Corpora/ObjectCorpus "$scripts/object-corpus.py" "$scripts/judgments.py"
run_objects-long() {
  objects debug
  local allocator
  for allocator in libjemalloc.so.2 libmimalloc.so.2 libtcmalloc_minimal.so.4; do
    other_allocator $allocator debug
  done
  OBJECT_CORPUS_INSIDE=1 minutes 20 swift build --package-path Tests/Corpora/ObjectCorpus \
    --scratch-path .build-inside --disable-index-store
  # A static executable can't look up functions by name, as this case does.
  minutes 20 swift build --package-path Tests/Corpora/ObjectCorpus --scratch-path .build-static \
    --disable-index-store --static-swift-stdlib -Xswiftc -static-executable
  script 15 object-corpus.py --viewer .build/debug/trace-viewer --overlooked 4 \
    --filter '^(?!continuation-in-event-list$)' .build-static/debug
  # Only certain cycles are found: of 212 cycles nearly all.
  script 10 object-corpus.py --inside .build-inside/debug --overlooked 3
}
