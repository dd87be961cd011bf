#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh example/run.sh: builds the examples and runs them. On a Debian or Ubuntu machine it first installs what is missing; on
# another it says what is.

set -eu
cd "$(dirname "$0")/.."
. tool/common.sh

need g++ cmake ninja-build libboost1.81-dev
say_cuda
configure release -DHANABI_BUILD_BENCHMARKS=OFF
say "Building the examples"
cmake --build build/release
for program in build/release/example/*; do
    if [ -f "$program" ] && [ -x "$program" ]; then
        say "Running $(basename "$program")"
        "$program"
    fi
done
