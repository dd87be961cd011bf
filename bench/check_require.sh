#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh check_require.sh [COMPILER]: instructions of registry::require for each kernel, for 10, 100 and 1000 kernels of a module, by
# callgrind. Fails if a kernel of the 1000 costs more than half as much again as one of the 100. HANABI_HOST_LIBRARY in the
# environment, a hanabi::host that is built, spares compiling the host driver.

set -eu
cd "$(dirname "$0")/.."
command -v valgrind > /dev/null 2>&1 || { echo "skipped: no valgrind here"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"${1:-g++}" -std=c++20 -O2 -DNDEBUG -Iinclude ${HANABI_HOST_LIBRARY:+-DHANABI_HOST_SEPARATE} bench/require_scaling.cpp \
    ${HANABI_HOST_LIBRARY:+"$HANABI_HOST_LIBRARY"} -o "$scratch/bench" -pthread -ldl
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$scratch/bench" "$@" 2>&1 | sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
each() { echo $((($(count "$1") - $(count "$1" load)) / $1)); }

few=$(each 10) some=$(each 100) many=$(each 1000)
echo "require: $few instructions for each of 10 kernels, $some for each of 100, $many for each of 1000"
[ "$many" -le $((some * 3 / 2)) ]
