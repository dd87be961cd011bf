# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# What both consumers do with hanabi::decompress and hanabi::describe, run as they are built: EXPECT_DECOMPRESS says that the
# build under test has the libraries.

if(TARGET hanabi::decompress)
    add_executable(decompress ../decompress.cpp)
    target_link_libraries(decompress PRIVATE hanabi::decompress)
    foreach(mode IN ITEMS size speed) # zstd, lz4
        add_custom_command(
            TARGET decompress
            POST_BUILD
            COMMAND decompress ${CMAKE_CURRENT_SOURCE_DIR}/../../data/cases/20-fatbin-compressed/${mode}.fatbin)
    endforeach()
elseif(EXPECT_DECOMPRESS)
    message(FATAL_ERROR "no target hanabi::decompress")
endif()

if(NOT TARGET hanabi::describe)
    message(FATAL_ERROR "no target hanabi::describe")
endif()
add_custom_target(describe ALL COMMAND hanabi::describe --tsv ${CMAKE_CURRENT_SOURCE_DIR}/../../modules/prebuilt.ptx)
