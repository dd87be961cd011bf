#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh test/fuzz/run.sh SECONDS [TARGET...]: builds the fuzz targets and runs each so long (600: ten minutes); all of test/fuzz
# when none is named. What an input breaks is kept as build/fuzz/corpus/TARGET-crash-*.

set -eu
cd "$(dirname "$0")/../.."
. tool/common.sh
[ $# -ge 1 ] || fail "usage: sh test/fuzz/run.sh SECONDS [TARGET...]"
seconds=$1
shift
need cmake ninja-build libboost1.81-dev libzstd-dev liblz4-dev clang-19 libclang-rt-19-dev
configure fuzz -DHANABI_FUZZ_SECONDS="$seconds"
cmake --build --preset fuzz
names=$(printf '|%s' "$@")
[ $# -ge 1 ] || names="|.*"
ctest --preset fuzz -R "^fuzz\\.(${names#|})\$" --timeout $((seconds + 120)) --parallel 2
