# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# libFuzzer targets, one a file of test/fuzz: built under the preset `fuzz` (HANABI_BUILD_FUZZERS), by clang, under address
# and undefined-behaviour sanitizers. Each test runs its target for HANABI_FUZZ_SECONDS on what it has found before
# (build/fuzz/corpus), and on the test data and what once broke a target (fuzz/regressions) as seeds; sh test/fuzz/run.sh SECONDS does all of it.

set(HANABI_FUZZ_SECONDS 10 CACHE STRING "How long each fuzz target runs as a test")

add_custom_target(fuzzers)
file(GLOB sources CONFIGURE_DEPENDS fuzz/*.cpp)
foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL ${source})
    target_link_libraries(fuzz_${name} PRIVATE hanabi::decompress)
    # Under sanitizers clang vectorises less than the executor asks for.
    target_compile_options(fuzz_${name} PRIVATE -O1 -g1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Wno-pass-failed)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address,undefined)
    add_dependencies(fuzzers fuzz_${name})
    set(corpus ${PROJECT_BINARY_DIR}/corpus/${name})
    file(MAKE_DIRECTORY ${corpus})
    add_test(
        NAME fuzz.${name}
        COMMAND
            fuzz_${name} -max_total_time=${HANABI_FUZZ_SECONDS} -timeout=10 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1
            -dict=${CMAKE_CURRENT_SOURCE_DIR}/fuzz/ptx.dict -artifact_prefix=${corpus}- ${corpus} ${CMAKE_CURRENT_SOURCE_DIR}/data/ptx
            ${CMAKE_CURRENT_SOURCE_DIR}/data/cases
            ${CMAKE_CURRENT_SOURCE_DIR}/data/executor
            ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/regressions)
    set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz)
endforeach()
