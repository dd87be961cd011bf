#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh regenerate.sh [NVCC]: writes the PTX of every *.cu beside it, and blas.cubin, which is machine code alone.
# sh regenerate.sh --check [NVCC]: compares the PTX instead, comments and names for debuggers aside. It differs from one release of nvcc to another, so
# a file is compared only by the release that it names; with none to compare by, skipped (status 77).

set -eu
cd "$(dirname "$0")"

check=
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
nvcc=${1:-nvcc}
command -v "$nvcc" > /dev/null 2>&1 || nvcc=/usr/local/cuda/bin/nvcc
if ! command -v "$nvcc" > /dev/null 2>&1; then
    echo "skipped: no nvcc here"
    exit 77
fi

# The lowest architecture of the oldest toolkit supported: the driver compiles this PTX for any later one. With the lines of
# the source, whose name is left without the folder that it happened to lie in.
compile() {
    "$nvcc" -std=c++20 -ptx -lineinfo -arch=compute_75 "$1" -o "$2.paths"
    sed 's|^\([[:space:]]*\.file[[:space:]].*"\).*/|\1|' "$2.paths" > "$2"
    rm "$2.paths"
}
release_of() { sed -n 's/.*\(release [0-9.]*\), V.*/\1/p' "$1" | head -n 1; }
# The names in .debug_str have a digest of where the source lies.
without_comments() { sed '/\.section[[:space:]]*\.debug_str/,/}/d; s|//.*||; s/[[:space:]]*$//; /^$/d' "$1"; }

if [ -z "$check" ]; then
    for source in *.cu; do
        compile "$source" "${source%.cu}.ptx"
        echo "${source%.cu}.ptx"
    done
    "$nvcc" -std=c++20 -cubin -arch=sm_90 blas.cu -o blas.cubin
    echo blas.cubin
    exit
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$nvcc" --version > "$scratch/version"
here=$(release_of "$scratch/version")
compared=0 faults=0
for source in *.cu; do
    [ -e "$source" ] || break
    kept=${source%.cu}.ptx
    if [ ! -e "$kept" ]; then
        echo "$source: no $kept beside it"
        faults=$((faults + 1))
    elif [ "$(release_of "$kept")" != "$here" ]; then
        echo "$kept: made by $(release_of "$kept"), and nvcc here is $here: not compared"
    else
        compile "$source" "$scratch/new.ptx"
        without_comments "$kept" > "$scratch/kept"
        without_comments "$scratch/new.ptx" > "$scratch/new"
        compared=$((compared + 1))
        if ! diff -u "$scratch/kept" "$scratch/new"; then
            echo "$kept is not what nvcc makes of $source: sh example/kernels/regenerate.sh writes it anew"
            faults=$((faults + 1))
        fi
    fi
done
[ "$faults" = 0 ] || exit 1
if [ "$compared" = 0 ]; then
    echo "skipped: nothing to compare by nvcc's $here"
    exit 77
fi
echo "$compared files compared"
