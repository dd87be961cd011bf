# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# Toolchain file of the presets that use clang: the newest of the versions that have std::source_location (16 and later).
# Distributions call it clang++-N; a bare clang++ comes last, since it may be older.
find_program(HANABI_CLANG NAMES clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16 clang++)
if(NOT HANABI_CLANG)
    message(FATAL_ERROR "No clang++ found. On Debian 12: apt-get install clang-19 libclang-rt-19-dev")
endif()
set(CMAKE_CXX_COMPILER ${HANABI_CLANG})
