# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# The headers themselves: each compiles alone, all of them link together from two files, and none includes what its room may not.

add_test(NAME headers.alone COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target all_verify_interface_header_sets --parallel 2)
set_tests_properties(headers.alone PROPERTIES PROCESSORS 2 TIMEOUT 600 COST 100 RESOURCE_LOCK build_folder)

set(includes "")
foreach(header IN LISTS hanabi_headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/include)
    string(APPEND includes "#include <${header}>\n")
endforeach()
file(CONFIGURE OUTPUT headers/first.cpp CONTENT "@includes@int second();\nint main() { return second(); }\n" @ONLY)
file(CONFIGURE OUTPUT headers/second.cpp CONTENT "@includes@int second();\nint second() { return 0; }\n" @ONLY)
add_executable(headers_together ${CMAKE_CURRENT_BINARY_DIR}/headers/first.cpp ${CMAKE_CURRENT_BINARY_DIR}/headers/second.cpp)
target_link_libraries(headers_together PRIVATE hanabi::hanabi Boost::unit_test_framework)
target_compile_definitions(headers_together PRIVATE $<$<NOT:$<BOOL:${HANABI_PORTABLE}>>:BOOST_TEST_DYN_LINK>)
add_test(NAME headers.together COMMAND headers_together)

add_executable(headers_no_exceptions headers/no_exceptions.cpp)
target_link_libraries(headers_no_exceptions PRIVATE hanabi::hanabi)
target_compile_options(headers_no_exceptions PRIVATE -fno-exceptions -fno-rtti)
add_test(NAME headers.no_exceptions COMMAND headers_no_exceptions)

add_test(NAME headers.rooms COMMAND ${CMAKE_COMMAND} -DINCLUDE=${PROJECT_SOURCE_DIR}/include -DCOMPILER=${CMAKE_CXX_COMPILER} -P
                                    ${CMAKE_CURRENT_SOURCE_DIR}/headers/rooms.cmake)
