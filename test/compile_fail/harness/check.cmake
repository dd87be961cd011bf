# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
# Every file here but sound.cpp must be reported, for the reason that it says in `// reports: TEXT`; sound.cpp must pass.

cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C)
file(GLOB sources ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    execute_process(
        COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DCOMPILER=${COMPILER} -P ${SCRIPT}
        RESULT_VARIABLE status
        OUTPUT_VARIABLE said
        ERROR_VARIABLE said)
    if(name STREQUAL sound)
        if(NOT status EQUAL 0)
            message(SEND_ERROR "sound.cpp does not pass:\n${said}")
        endif()
        continue()
    endif()
    file(STRINGS ${source} expected REGEX "^// reports: ")
    string(REPLACE "// reports: " "" expected "${expected}")
    string(FIND "${said}" "${expected}" position)
    if(status EQUAL 0)
        message(SEND_ERROR "${name}: passed, though ${expected}")
    elseif(position EQUAL -1)
        message(SEND_ERROR "${name}: reported, but not for the reason `${expected}`:\n${said}")
    endif()
endforeach()
