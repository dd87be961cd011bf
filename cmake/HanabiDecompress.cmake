# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# What <hanabi/image/decompress.hpp> needs: hanabi_link_decompression(<target>) links the zstd and lz4 libraries to an
# interface target; hanabi_decompress_FOUND says whether both are there. Used by Hanabi's own build and by its package:
#
#   find_package(hanabi REQUIRED COMPONENTS decompress)
#   target_link_libraries(program PRIVATE hanabi::decompress)

include_guard(GLOBAL)

find_path(HANABI_ZSTD_INCLUDE zstd.h)
find_path(HANABI_LZ4_INCLUDE lz4.h)
find_library(HANABI_ZSTD_LIBRARY zstd)
find_library(HANABI_LZ4_LIBRARY lz4)
mark_as_advanced(HANABI_ZSTD_INCLUDE HANABI_LZ4_INCLUDE HANABI_ZSTD_LIBRARY HANABI_LZ4_LIBRARY)

set(hanabi_decompress_FOUND FALSE)
if(HANABI_ZSTD_INCLUDE AND HANABI_LZ4_INCLUDE AND HANABI_ZSTD_LIBRARY AND HANABI_LZ4_LIBRARY)
    set(hanabi_decompress_FOUND TRUE)
endif()

function(hanabi_link_decompression target)
    target_include_directories(${target} SYSTEM INTERFACE ${HANABI_ZSTD_INCLUDE} ${HANABI_LZ4_INCLUDE})
    target_link_libraries(${target} INTERFACE hanabi::hanabi ${HANABI_ZSTD_LIBRARY} ${HANABI_LZ4_LIBRARY})
endfunction()
