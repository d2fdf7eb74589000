#!/usr/bin/env bash
# Builds the reader of logs with libFuzzer and the address sanitizer and lets it look for inputs that crash it, or that it reads
# otherwise where they are divided. Linux only. What it finds stays in the folder that it names.
#
#   Tests/Scripts/fuzz.sh [SECONDS]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

seconds=${1:-60}
build=.build-fuzz
mkdir -p "$build/corpus"
common=(-O -sanitize=fuzzer,address -parse-as-library -package-name fuzzing -swift-version 6 -enable-upcoming-feature
  ExistentialAny -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility
  -enable-testing -I "$build" -I Sources/AnalysisShims/include -Xcc -fmodule-map-file="$build/module.modulemap" -wmo)

# SwiftPM makes this of the headers by itself.
printf 'module AnalysisShims { umbrella header "%s/Sources/AnalysisShims/include/AnalysisShims.h" export * }\n' "$PWD" \
  >"$build/module.modulemap"
clang -O2 -c Sources/AnalysisShims/AnalysisShims.c -I Sources/AnalysisShims/include -o "$build/AnalysisShims.o"
objects=("$build/AnalysisShims.o")
for module in SystemLibrary TraceFormat TraceAnalysis; do
  find "Sources/$module" -name '*.swift' -print0 | xargs -0 swiftc "${common[@]}" -module-name $module -emit-module-path \
    "$build/$module.swiftmodule" -o "$build/$module.o" -c
  objects+=("$build/$module.o")
done
swiftc "${common[@]}" -module-name LogFuzzer Tests/Fuzzing/LogFuzzer.swift "${objects[@]}" -o "$build/log-fuzzer" \
  2>"$build/linker.txt" || { cat "$build/linker.txt" >&2; exit 1; }

# Only what reaches new code is kept of the mutations; the seeds stay as they are.
cp -n Tests/Fuzzing/Corpus/*.log "$build/corpus/" 2>/dev/null || true
# Swift's own report of a crash reads memory that the sanitizer guards.
SWIFT_BACKTRACE=enable=no "$build/log-fuzzer" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
  -artifact_prefix="$build/" -dict=Tests/Fuzzing/words.dict "$build/corpus" 2>&1 | tail -25
