# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# Which header may include which: the rooms of the library, lowest first. Checked on the text of the headers, so that an
# include under #if counts as well; and on what the compiler reads, for the standard headers.
#   cmake -DINCLUDE=<repository>/include -DCOMPILER=g++ -P rooms.cmake

cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/*.hpp)

# direct_<header>, reached_<header>: what it includes, and what that includes in turn.
foreach(header IN LISTS headers)
    file(STRINGS ${INCLUDE}/${header} lines REGEX "^[ \t]*#[ \t]*include[ \t]*[<\"]")
    list(TRANSFORM lines REPLACE ".*[<\"]([^>\"]+)[>\"].*" "\\1")
    set(direct_${header} ${lines})
endforeach()
function(reach header)
    set(reached "")
    set(open ${header})
    while(open)
        list(POP_FRONT open next)
        foreach(included IN LISTS direct_${next})
            if(NOT included IN_LIST reached)
                list(APPEND reached ${included})
                list(APPEND open ${included})
            endif()
        endforeach()
    endwhile()
    set(reached_${header} ${reached} PARENT_SCOPE)
endfunction()
foreach(header IN LISTS headers)
    reach(${header})
endforeach()

# may_not_reach(FROM TO WHY [EXCEPT]): no header that matches FROM reaches one that matches TO and not EXCEPT. FROM must
# match something.
function(may_not_reach from to why)
    set(matched FALSE)
    foreach(header IN LISTS headers)
        if(header MATCHES "^hanabi/(${from})\\.hpp$")
            set(matched TRUE)
            set(found ${reached_${header}})
            list(FILTER found INCLUDE REGEX "^(${to})$")
            if(ARGN)
                list(FILTER found EXCLUDE REGEX "^(${ARGN})$")
            endif()
            if(found)
                list(JOIN found ", " found)
                message(SEND_ERROR "${header} includes, itself or through others, ${found}: ${why}")
            endif()
        endif()
    endforeach()
    if(NOT matched)
        message(SEND_ERROR "no header matches ${from}: mend rooms.cmake")
    endif()
endfunction()

set(compile_time "text|signature|symbol|contract|geometry|argument|expression|descriptor|kernel|literals")
set(running "hanabi/(context|stream|event|buffer|registry|dispatcher|plan)\\.hpp")
set(beside "hanabi/(host|host/.*|test|test/.*)\\.hpp")

may_not_reach("${compile_time}" "hanabi/driver/.*|${running}|${beside}" "the compile-time half knows no driver"
              "hanabi/driver/(abi|status)\\.hpp") # types, numbers
may_not_reach("driver/.*" "${running}|${beside}" "the driver table is below everything at run time")
may_not_reach("context" "hanabi/(stream|event|buffer|registry|dispatcher|plan)\\.hpp" "a context is below what lives in it")
may_not_reach("stream|event|buffer" "hanabi/(registry|dispatcher|plan)\\.hpp" "they are below the registry")
may_not_reach("image/.*" "${running}|${beside}" "readers of images need no driver")
may_not_reach("registry" "hanabi/(dispatcher|plan)\\.hpp" "a registry is below what launches from it")
may_not_reach("dispatcher" "hanabi/(plan|profile/.*)\\.hpp" "policies are given to a dispatcher, which knows none")
may_not_reach("profile/.*" "hanabi/(trace|trace/.*|plan|cupti|cupti/.*)\\.hpp" "policies know no sinks, and sessions by a concept alone")
may_not_reach("hanabi" "hanabi/(profile|profile/.*|trace|trace/.*|cupti)\\.hpp" "who profiles includes it, nobody else pays for it")
may_not_reach("(hanabi|${compile_time}|driver/.*|image/.*|context|stream|event|buffer|registry|dispatcher)" "${beside}"
              "the host driver and the test support stand beside the library")
may_not_reach(".*" "cuda\\.h|cupti\\.h|cuda_runtime.*\\.h|boost/hana\\.hpp" "users need neither toolkit headers nor all of Hana")

# System headers stay behind one header each.
foreach(system IN ITEMS dlfcn.h windows.h)
    set(owners "")
    foreach(header IN LISTS headers)
        if(system IN_LIST direct_${header})
            list(APPEND owners ${header})
        endif()
    endforeach()
    list(LENGTH owners count)
    if(count GREATER 1)
        message(SEND_ERROR "<${system}> is included by ${owners}: one header should own it")
    endif()
endforeach()

# The compile-time half is cheap: none of these, not even through Boost.
string(REPLACE "|" ";" names "${compile_time}")
set(source "")
foreach(name IN LISTS names)
    if(EXISTS ${INCLUDE}/hanabi/${name}.hpp)
        string(APPEND source "#include <hanabi/${name}.hpp>\n")
    endif()
endforeach()
set(scratch "$ENV{TMPDIR}")
if(NOT scratch)
    set(scratch /tmp)
endif()
string(RANDOM LENGTH 12 random)
set(scratch ${scratch}/hanabi-rooms-${random}.cpp)
file(WRITE ${scratch} "${source}")
execute_process(COMMAND ${COMPILER} -std=c++20 -I${INCLUDE} -M ${scratch} OUTPUT_VARIABLE read COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE ${scratch})
foreach(standard IN ITEMS functional string string_view system_error iostream)
    if(read MATCHES "/${standard}[ \n]")
        message(SEND_ERROR "the compile-time half includes <${standard}>, itself or through others")
    endif()
endforeach()
