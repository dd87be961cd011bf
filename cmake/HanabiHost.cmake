# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# hanabi_add_host_driver(<target> <folder>): a static library of the host driver and its PTX executor, from the two sources in
# that folder. Whoever links it includes <hanabi/host.hpp>, <hanabi/host/ptx.hpp> and <hanabi/test.hpp> as declarations only,
# and compiles in seconds what takes a minute else. Used by Hanabi's own build and by its package, which compiles the library
# in the build of its user, by that one's compiler and flags:
#
#   find_package(hanabi REQUIRED COMPONENTS host)
#   target_link_libraries(suite PRIVATE hanabi::host)
#
# HANABI_HOST_OPTIONS are further options of these two sources, behind all others: kernels run some ten times as fast on an
# executor that is optimised, so that it is (-O2) in debug builds too. Set it to nothing to debug the driver itself.

include_guard(GLOBAL)

set(HANABI_HOST_OPTIONS "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-O2>" CACHE STRING "options for the sources of hanabi::host")
mark_as_advanced(HANABI_HOST_OPTIONS)

function(hanabi_add_host_driver target folder)
    add_library(${target} STATIC EXCLUDE_FROM_ALL "${folder}/host.cpp" "${folder}/host_ptx.cpp")
    target_link_libraries(${target} PUBLIC hanabi::hanabi)
    target_compile_definitions(${target} PUBLIC HANABI_HOST_SEPARATE)
    target_compile_options(${target} PRIVATE ${HANABI_HOST_OPTIONS})
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON) # for test suites that are shared objects, too
    if(NOT TARGET hanabi::host)
        add_library(hanabi::host ALIAS ${target})
    endif()
endfunction()
