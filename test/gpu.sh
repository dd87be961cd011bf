#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh test/gpu.sh: every suite labelled gpu in labels.list against the real driver, then the examples. Builds them first, unless
# build/gpu/bin is there: it may have been built on another machine and carried here, to the same place in a copy of the
# repository; then neither compiler nor Boost is needed. Without a GPU it builds, and skips the suites.

set -eu
cd "$(dirname "$0")/.."
bin=build/gpu/bin

if [ ! -d $bin ]; then
    . tool/common.sh
    need g++ cmake ninja-build libboost1.81-dev libboost-test1.81-dev
    configure gpu
    cmake --build --preset gpu
fi
nvidia-smi --query-gpu=index,name,driver_version,compute_cap --format=csv,noheader 2> /dev/null || echo "nvidia-smi does not answer"

passed=0 failed=0 skipped=0 names=
run() { # NAME COMMAND...
    name=$1
    shift
    printf '==> %s\n' "$name"
    status=0
    "$@" || status=$?
    case $status in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *)
        failed=$((failed + 1))
        names="$names, $name"
        ;;
    esac
}

for name in $(sed -n 's/^\([a-z0-9_]*\):.* gpu\( .*\)*$/\1/p' test/labels.list); do
    run "$name" sh test/on_gpu.sh $bin/test/"$name" --color_output=no --report_level=short
done
for program in $bin/example/*; do
    [ ! -x "$program" ] || run "example $(basename "$program")" "$program"
done
run "example dispatch ptx" $bin/example/dispatch ptx

[ "$failed" = 0 ] || echo "FAILED: ${names#, }"
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" = 0 ]
