# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# Configures CMakeLists.txt beside it for one CASE, which must fail with the text that belongs to it.

cmake_minimum_required(VERSION 3.25)

set(no_name "the name must be a C++ identifier")
set(no_source "neither SOURCES nor PREBUILT given")
set(format "FORMAT is ptx, fatbin or cubin, not spirv")
set(architecture "'sm_90' is no architecture")
set(two_cubins "a cubin is of exactly one architecture")
set(linked_ptx "linking several sources leaves no PTX")
set(no_nvcc "no nvcc found to compile")
set(unknown "unknown arguments: SOURCE")

file(MAKE_DIRECTORY ${SCRATCH})
execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${SCRATCH} -G ${GENERATOR} -DCASE=${CASE} -DMODULES=${MODULES}
    RESULT_VARIABLE status
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said)
string(REGEX REPLACE "[ \n]+" " " words "${said}") # CMake wraps its messages
string(FIND "${words}" "${${CASE}}" position)
if(status EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "not refused with `${${CASE}}`:\n${said}")
endif()
