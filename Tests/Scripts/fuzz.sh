#!/usr/bin/env bash
# Fuzzes what reads logs, and files and memory of other programs: builds the readers with libFuzzer
# and the address sanitizer, and looks for inputs that crash them or take too long, and for logs
# whose result depends on where they are divided. Such inputs stay in .build-fuzz. Linux only.
#
#   Tests/Scripts/fuzz.sh [SECONDS] [log|image|core|names|memory ...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

seconds=${1:-60}
fuzzers=("${@:2}")
[ ${#fuzzers[@]} -gt 0 ] || fuzzers=(log image core names memory)
build=.build-fuzz
mkdir -p "$build"
# With optimization, building takes 190 seconds of processor time instead of 45, and the programs
# try 1.4 to 5 times as many inputs a second.
optimization=-O
[ "$seconds" -ge 60 ] || optimization=-Onone
# shellcheck disable=SC2054
common=("$optimization" -sanitize=fuzzer,address -parse-as-library -package-name fuzzing
  -swift-version 6 -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility -enable-experimental-feature RawLayout
  -enable-testing -I "$build" -I Sources/Engine/CRuntime/include
  -Xcc -fmodule-map-file=Sources/Engine/CRuntime/include/module.modulemap -wmo)

objects=()
for source in Sources/Engine/CRuntime/*.c; do
  object="$build/$(basename "$source" .c).o"
  clang -O2 -c "$source" -I Sources/Engine/CRuntime/include -fsanitize=address -o "$object"
  objects+=("$object")
done
modules=(SystemLibrary TraceFormat)
[[ " ${fuzzers[*]} " != *" log "* ]] || modules+=(TraceAnalysis)
[ "${fuzzers[*]}" = log ] \
  || modules+=(SwiftRuntime CodeLocations ProcessMemory HeapGraph TaskInspection ProcessInspection
    LeakDetection)
for module in "${modules[@]}"; do
  find Sources/*/"$module" -name '*.swift' -print0 \
    | xargs -0 swiftc "${common[@]}" -module-name "$module" -emit-module-path \
      "$build/$module.swiftmodule" -o "$build/$module.o" -c
  objects+=("$build/$module.o")
done

# Builds the program of a source file, unless it is newer than all that it consists of.
link() {
  local part
  for part in "Tests/Programs/Fuzzing/$1.swift" "${objects[@]}"; do
    [ "$build/$1" -nt "$part" ] || break
    part=
  done
  [ -n "$part" ] || return 0
  swiftc "${common[@]}" -module-name "$1" "Tests/Programs/Fuzzing/$1.swift" "${objects[@]}" \
    -o "$build/$1" 2>"$build/linker.txt" || { cat "$build/linker.txt" >&2; exit 1; }
}

# Makes the inputs to begin with. The fuzzer adds those that reach new code.
make_seeds() {
  local seeds="$build/corpus-$1"
  mkdir -p "$seeds"
  case $1 in
    log) cp -n Tests/Programs/Fuzzing/Corpus/*.log "$seeds/" 2>/dev/null || true ;;
    core)
      # A core file of a small program, if the kernel writes it to the current folder.
      (cd "$seeds" && ulimit -c unlimited && { sh -c 'kill -SEGV $$' || true; } 2>/dev/null) ;;
    memory) SEEDS="$seeds" FUZZER=memory "$build/EngineFuzzer" -runs=0 2>/dev/null ;;
    *)
      cat >"$build/seed.c" <<'END'
int g;
static inline int h(int a) { return g + a; }
int f(int b) { return h(b); }
END
      cat >"$build/seed.swift" <<'END'
actor A {
  var a = 1
  func f(_ g: @escaping () async -> Int) async { a += await g() }
}
END
      swiftc -g -O -parse-as-library -c "$build/seed.swift" -o "$build/seed.o"
      if [ "$1" = names ]; then
        nm "$build/seed.o" | awk '{ print $NF > "'"$seeds"'/" NR }'
        return
      fi
      cp "$build/seed.o" "$seeds/swift"
      for version in 4 5; do
        clang -g -gdwarf-$version -O1 -fPIC -shared -nostdlib "$build/seed.c" -o "$seeds/c$version"
      done
      strip -g "$seeds/c4" -o "$seeds/stripped" ;;
  esac
}

result=0
for fuzzer in "${fuzzers[@]}"; do
  echo "== $fuzzer"
  program=EngineFuzzer options=(-max_len=32768)
  if [ "$fuzzer" = log ]; then
    program=LogFuzzer options=(-max_len=8192 -dict=Tests/Programs/Fuzzing/words.dict)
  fi
  link $program
  make_seeds "$fuzzer"
  # Swift's crash report reads memory that the sanitizer guards, so it is off.
  code=0
  FUZZER=$fuzzer SWIFT_BACKTRACE=enable=no "$build/$program" -max_total_time="$seconds" \
    -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$build/$fuzzer-" \
    "${options[@]}" "$build/corpus-$fuzzer" >"$build/$fuzzer.txt" 2>&1 || code=$?
  # The difference is in one long line before the call stack.
  if [ "$code" != 0 ]; then
    grep -a 'Fatal error' "$build/$fuzzer.txt" | cut -c 1-4000 || true
    result=$code
  fi
  tail -25 "$build/$fuzzer.txt"
done
exit "$result"
