#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh test/run.sh [CTEST ARGUMENT...]: builds everything by g++ and runs every test. On a Debian or Ubuntu machine it first
# installs what is missing; on another it says what is. Ends with ctest's summary and status.

set -eu
cd "$(dirname "$0")/.."
. tool/common.sh

need g++ cmake ninja-build libboost1.81-dev libboost-test1.81-dev libzstd-dev liblz4-dev pkgconf
say_cuda
configure gcc
build_and_test gcc "$@"
