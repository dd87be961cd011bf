#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh compile.sh NVCC FILE.cu SCRATCH INCLUDE...: compiles the file as a CUDA program's host half would be; skipped (77) without nvcc.

set -eu
nvcc=$1 source=$2 scratch=$3
shift 3
case $nvcc in
"" | OFF | *-NOTFOUND) echo "skipped: no nvcc here"; exit 77 ;;
esac
for directory; do set -- "$@" "-I$directory"; shift; done
mkdir -p "$scratch"
"$nvcc" -std=c++20 -Xcompiler -Wall,-Wextra -Werror all-warnings "$@" -c "$source" -o "$scratch/$(basename "$source").o"
