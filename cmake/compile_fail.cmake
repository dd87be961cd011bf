# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# One negative compile test. A script of its own, so that CMake and b2 run the same:
#
#   cmake -DSOURCE=x.cpp -DCOMPILER=g++ -DFLAGS="-I include -I ..." -P cmake/compile_fail.cmake
#
# x.cpp says in comments, each on a line of its own, what the compiler must say:
#
#   // expect-first: TEXT    TEXT is in the first error line: the one a reader sees first
#   // expect: TEXT          TEXT is anywhere in what the compiler says (its quotations of the source don't count)
#   // lines: 12             at most so many lines in all, quotations included; 25 when not said
#
# Where the compilers differ: `expect-first gcc:`, `expect clang:`, and `lines: gcc 12 clang 20`. At least one text must be
# expected. Then the same file with HANABI_REPAIRED defined must compile without a warning, so that a typing error in the
# test can't pass for the mistake that it is about.

cmake_minimum_required(VERSION 3.25)

get_filename_component(name "${SOURCE}" NAME_WE)
set(ENV{LC_ALL} C) # plain quotation marks, whoever runs this
separate_arguments(flags UNIX_COMMAND "${FLAGS}")

execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
if(version MATCHES "clang")
    set(family clang)
    set(other gcc)
else()
    set(family gcc)
    set(other clang)
endif()

set(faults "")
macro(fault text)
    string(APPEND faults "  - ${text}\n")
endmacro()

function(compile result output)
    execute_process(
        COMMAND ${COMPILER} -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-unused -fdiagnostics-color=never -fsyntax-only ${flags} ${ARGN} "${SOURCE}"
        RESULT_VARIABLE status
        OUTPUT_VARIABLE said
        ERROR_VARIABLE said)
    set(${result} "${status}" PARENT_SCOPE)
    set(${output} "${said}" PARENT_SCOPE)
endfunction()

# The source as CMake can hold it: brackets and semicolons mean something in its lists, so neither is ever in one.
file(READ "${SOURCE}" rest)
string(PREPEND rest "\n")
if(NOT rest MATCHES "HANABI_REPAIRED")
    fault("the file never looks at HANABI_REPAIRED, so nothing shows that the mistake alone is what stops it")
endif()

compile(status said)
if(status EQUAL 0)
    fault("it compiles")
elseif(NOT status EQUAL 1)
    fault("the compiler ended with ${status}, which is no plain refusal")
endif()
string(REGEX MATCH "[^\n]*(fatal )?error: [^\n]*" first "${said}")
if(first MATCHES "fatal error")
    fault("the first error is fatal, no refusal by the library")
endif()
string(REGEX REPLACE "\n *[0-9]* \\| [^\n]*" "" words "\n${said}")

# Directives, one at a time: every `// word [family]: text`.
set(expected 0)
set(limit 25)
while(rest MATCHES "\n// (expect-first|expect|lines)( gcc| clang)?: ([^\n]+)(.*)")
    set(directive "${CMAKE_MATCH_1}")
    string(STRIP "${CMAKE_MATCH_2}" only)
    string(STRIP "${CMAKE_MATCH_3}" text)
    set(rest "${CMAKE_MATCH_4}")
    if(only STREQUAL other)
        continue()
    endif()
    if(directive STREQUAL "lines")
        if(text MATCHES "^[0-9]+$")
            set(limit ${text})
        elseif(text MATCHES "(^| )${family} ([0-9]+)")
            set(limit ${CMAKE_MATCH_2})
        elseif(NOT text MATCHES "^(gcc|clang) [0-9]+$")
            fault("can't read `lines: ${text}`")
        endif()
        continue()
    endif()
    math(EXPR expected "${expected} + 1")
    if(directive STREQUAL "expect-first")
        set(where "the first error line")
        string(FIND "${first}" "${text}" position)
    else()
        set(where "the output")
        string(FIND "${words}" "${text}" position)
    endif()
    if(position EQUAL -1)
        fault("not in ${where}: ${text}")
    endif()
endwhile()
if(expected EQUAL 0)
    fault("the file expects no text of ${family} (`// expect-first: TEXT`)")
endif()

string(REGEX REPLACE "[^\n]" "" newlines "${said}")
string(LENGTH "${newlines}" lines)
if(lines GREATER limit)
    fault("${lines} lines of output, at most ${limit} allowed")
endif()

compile(status repaired -DHANABI_REPAIRED -Werror)
if(NOT status EQUAL 0)
    fault("the repaired twin does not compile:\n${repaired}")
endif()

if(faults)
    message("${name}, ${family}:\n${faults}  The compiler said, in ${lines} lines:\n${said}")
    message(FATAL_ERROR "${name}: not refused as expected")
endif()
message("${name}: refused in ${lines} lines by ${family}; repaired, it compiles")
