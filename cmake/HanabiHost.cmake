# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# hanabi_add_host_driver(<target> <includes>): a static library of the host driver and its PTX executor, from the two sources
# among the headers in that folder, also known as hanabi::host. To whoever links it, <hanabi/host.hpp>, <hanabi/host/ptx.hpp> and <hanabi/test.hpp>
# are declarations: a source that includes them compiles in seconds, not in a minute. A program gets of the library what it
# includes the headers of. Used by Hanabi's own build and by its package, which compiles the library in the build of its user, by
# that one's compiler and flags:
#
#   find_package(hanabi REQUIRED COMPONENTS host)
#   target_link_libraries(suite PRIVATE hanabi::host)

include_guard(GLOBAL)

function(hanabi_add_host_driver target includes)
    add_library(${target} STATIC EXCLUDE_FROM_ALL "${includes}/hanabi/host/src.cpp" "${includes}/hanabi/host/ptx/src.cpp")
    add_library(hanabi::host ALIAS ${target})
    target_link_libraries(${target} PUBLIC hanabi::hanabi)
    target_compile_definitions(${target} PUBLIC HANABI_HOST_SEPARATE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON) # for suites that are shared objects, too
endfunction()
