#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh test/on_gpu.sh PROGRAM [ARGUMENT...]: runs a test against the real driver; without a GPU, skipped (status 77).

if [ ! -e /dev/nvidiactl ]; then
    echo "skipped: no NVIDIA GPU here (/dev/nvidiactl)"
    exit 77
fi
HANABI_TEST_DRIVER=cuda HANABI_DRIVER=cuda exec "$@"
