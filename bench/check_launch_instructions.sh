#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh check_launch_instructions.sh [COMPILER...]: instructions of one launch over those of a hand-written cuLaunchKernel call, by
# callgrind, at -O2. At most 60 more through a dispatcher, 30 through a functor, and no allocation. Fails if they are more.
# HANABI_HOST_LIBRARY in the environment, a hanabi::host that is built, spares compiling the host driver.

set -eu
cd "$(dirname "$0")/.."
command -v valgrind > /dev/null 2>&1 || { echo "skipped: no valgrind here"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $# -ne 0 ] || set -- g++

count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$scratch/bench" "$1" "$2" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
# The difference of two long loops: start-up and tear-down cancel out.
cost() { echo $((($(count "$1" 3000) - $(count "$1" 1000)) / 2000)); }

failed=0
for compiler in "$@"; do
    "$compiler" -std=c++20 -O2 -DNDEBUG -Iinclude ${HANABI_HOST_LIBRARY:+-DHANABI_HOST_SEPARATE} bench/launch_instructions.cpp \
        ${HANABI_HOST_LIBRARY:+"$HANABI_HOST_LIBRARY"} -o "$scratch/bench" -pthread -ldl
    "$scratch/bench" allocations 1000
    hand=$(cost hand)
    echo "$compiler: by hand $hand instructions"
    for limit in dispatcher:60 functor:30; do
        way=${limit%:*} most=${limit#*:}
        more=$(($(cost "$way") - hand))
        echo "$compiler: $way +$more (at most +$most)"
        [ "$more" -le "$most" ] || failed=1
    done
done
exit $failed
