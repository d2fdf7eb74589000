#!/usr/bin/env bash
# Fuzzes the log reader: builds it with libFuzzer and the address sanitizer, and looks for inputs
# that crash it, or whose result depends on where they are divided. Such inputs stay in .build-fuzz.
# Linux only.
#
#   Tests/Scripts/fuzz.sh [SECONDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

seconds=${1:-60}
build=.build-fuzz
mkdir -p "$build/corpus"
common=(-O -sanitize=fuzzer,address -parse-as-library -package-name fuzzing -swift-version 6
  -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
  -enable-upcoming-feature MemberImportVisibility
  -enable-testing -I "$build" -I Sources/Engine/CRuntime/include
  -Xcc -fmodule-map-file=Sources/Engine/CRuntime/include/module.modulemap -wmo)

objects=("$build/Scanning.o" "$build/Pages.o")
for source in Scanning Pages; do
  clang -O2 -c "Sources/Engine/CRuntime/$source.c" -I Sources/Engine/CRuntime/include \
    -o "$build/$source.o"
done
for module in SystemLibrary TraceFormat TraceAnalysis; do
  find Sources/*/"$module" -name '*.swift' -print0 \
    | xargs -0 swiftc "${common[@]}" -module-name $module -emit-module-path \
    "$build/$module.swiftmodule" -o "$build/$module.o" -c
  objects+=("$build/$module.o")
done
swiftc "${common[@]}" -module-name LogFuzzer Tests/Programs/Fuzzing/LogFuzzer.swift "${objects[@]}" \
  -o "$build/log-fuzzer" \
  2>"$build/linker.txt" || { cat "$build/linker.txt" >&2; exit 1; }

# The fuzzer adds inputs that reach new code to this copy of the corpus. The seeds do not change.
cp -n Tests/Programs/Fuzzing/Corpus/*.log "$build/corpus/" 2>/dev/null || true
# Swift's crash report reads memory that the sanitizer guards, so it is off.
code=0
SWIFT_BACKTRACE=enable=no "$build/log-fuzzer" -max_total_time="$seconds" -max_len=8192 \
  -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
  -artifact_prefix="$build/" -dict=Tests/Programs/Fuzzing/words.dict "$build/corpus" >"$build/fuzzer.txt" \
  2>&1 || code=$?
# The difference is in one long line before the call stack.
if [ "$code" != 0 ]; then grep -a 'Fatal error' "$build/fuzzer.txt" | cut -c 1-4000 || true; fi
tail -25 "$build/fuzzer.txt"
exit "$code"
