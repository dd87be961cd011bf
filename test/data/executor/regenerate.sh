#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh regenerate.sh [NVCC]: writes the PTX of the sources beside it, without the paths of the machine it was made on.

set -eu
cd "$(dirname "$0")"
nvcc=${1:-nvcc}
for target in 75 100; do
    "$nvcc" -std=c++17 -ptx -arch=compute_$target -lineinfo features.cu -o features_$target.ptx
done
"$nvcc" -std=c++17 -ptx -arch=compute_90 features_hopper.cu -o features_hopper.ptx
"$nvcc" -std=c++17 -ptx -arch=compute_75 algorithms.cu -o algorithms_75.ptx
"$nvcc" -std=c++17 -ptx -arch=compute_90 algorithms_hopper.cu -o algorithms_hopper.ptx
"$nvcc" -std=c++17 -ptx -arch=compute_90 -lineinfo -DPLANTED=1 faults.cu -o faults_planted.ptx
"$nvcc" -std=c++17 -ptx -arch=compute_90 -lineinfo -DPLANTED=0 faults.cu -o faults_mended.ptx
sed -i '/\.file/s#"[^"]*/include/#"#; /\.file/s#"/[^"]*/#"#' features_*.ptx faults_*.ptx
