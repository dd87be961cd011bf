#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh consume.sh PREFIX COMPILER SCRATCH: builds the consumer with the flags that pkg-config gives, and runs it.

set -eu
prefix=$1 compiler=$2 scratch=$3
here=$(cd "$(dirname "$0")" && pwd)

command -v pkg-config > /dev/null || { echo "skipped: no pkg-config here"; exit 77; }
PKG_CONFIG_PATH=$prefix/share/pkgconfig
export PKG_CONFIG_PATH
mkdir -p "$scratch"
# Flags are words: no quotes.
# shellcheck disable=SC2046
"$compiler" $(pkg-config --cflags hanabi) "$here/../consumer.cpp" "$here/../other.cpp" -o "$scratch/pkg_config_consumer" $(pkg-config --libs hanabi)
"$scratch/pkg_config_consumer"
if pkg-config --exists libzstd liblz4; then
    # shellcheck disable=SC2046
    "$compiler" $(pkg-config --cflags hanabi-decompress) "$here/../decompress.cpp" -o "$scratch/pkg_config_decompress" $(pkg-config --libs hanabi-decompress)
    "$scratch/pkg_config_decompress" "$here/../../data/cases/20-fatbin-compressed/size.fatbin"
fi
# shellcheck disable=SC2046
"$compiler" $(pkg-config --cflags hanabi-host) "$here/../host.cpp" "$here/../host_other.cpp" $(pkg-config --variable=sources hanabi-host) \
    -o "$scratch/pkg_config_host" $(pkg-config --libs hanabi-host)
"$scratch/pkg_config_host"
echo "hanabi $(pkg-config --modversion hanabi)"
