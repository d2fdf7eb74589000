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
  -enable-experimental-feature RawLayout -I "$build" -I Sources/TraceShims/include)

# SwiftPM makes this of the headers by itself.
mkdir -p "$build/TraceShims"
printf 'module TraceShims { umbrella header "%s/Sources/TraceShims/include/TraceShims.h" export * }\n' "$PWD" \
  >"$build/TraceShims/module.modulemap"
clang -O2 -c Sources/TraceShims/TraceShims.c -I Sources/TraceShims/include -o "$build/TraceShims.o"
swiftc "${common[@]}" -wmo -module-name ReactiveKit -emit-module-path "$build/ReactiveKit.swiftmodule" -c \
  Sources/ReactiveKit/Support/{Cell,Locked,SpinLock}.swift -Xcc -fmodule-map-file="$build/TraceShims/module.modulemap" -o "$build/ReactiveKit.o"
swiftc "${common[@]}" -wmo -module-name LogFuzzer -Xcc -fmodule-map-file="$build/TraceShims/module.modulemap" \
  Sources/ReactiveTrace/{Model,Reading,Analysis,Analysis/Rules}/*.swift \
  Sources/ReactiveTrace/Encoding/{ByteWord,RFC3339}.swift Tests/Fuzzing/LogFuzzer.swift \
  "$build/ReactiveKit.o" "$build/TraceShims.o" -o "$build/log-fuzzer" 2>"$build/linker.txt" \
  || { cat "$build/linker.txt" >&2; exit 1; }

# Only what reaches new code is kept of the mutations; the seeds stay as they are.
cp -n Tests/Fuzzing/Corpus/*.log "$build/corpus/" 2>/dev/null || true
# Swift's own report of a crash reads memory that the sanitizer guards.
SWIFT_BACKTRACE=enable=no "$build/log-fuzzer" -max_total_time="$seconds" -max_len=8192 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
  -artifact_prefix="$build/" -dict=Tests/Fuzzing/words.dict "$build/corpus" 2>&1 | tail -25
