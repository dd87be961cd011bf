# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# What the library's own programs are compiled with, and nobody else's: warnings, ccache where it is installed.

set(HANABI_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND HANABI_WARNINGS -Wno-psabi) # notes on what GCC 4.6 changed
endif()

set(CMAKE_CXX_EXTENSIONS OFF)

if(PROJECT_IS_TOP_LEVEL)
    # Directory-wide, so that the headers compiled one by one (hanabi_verify_interface_header_sets) get them too.
    add_compile_options(${HANABI_WARNINGS})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # collects its garbage later: a tenth of the time less, a tenth of the memory more
        add_compile_options(--param=ggc-min-expand=200 --param=ggc-min-heapsize=400000)
    endif()
    find_program(HANABI_CCACHE ccache)
    mark_as_advanced(HANABI_CCACHE)
    if(HANABI_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        # A precompiled header reaches ccache only with its time stamps left out of the comparison.
        set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${HANABI_CCACHE})
    endif()
endif()

# hanabi_program_folder(KIND): where the programs of this folder go. Portable ones lie together, to be carried elsewhere.
macro(hanabi_program_folder kind)
    if(HANABI_PORTABLE)
        set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin/${kind})
    endif()
endmacro()
