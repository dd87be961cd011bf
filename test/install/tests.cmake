# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# Users of Hanabi, each a project of its own built with the compiler of this build: one that finds an installed package, one
# that adds the sources, one that asks pkg-config.

set(prefix ${CMAKE_CURRENT_BINARY_DIR}/install/prefix)
set(consumer_options -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}" -DHANABI_NVCC=${HANABI_NVCC}
                     -DEXPECT_DECOMPRESS=${hanabi_decompress_FOUND})

add_test(NAME install COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(install PROPERTIES FIXTURES_SETUP installed)

function(hanabi_consumer_test name)
    set(source ${CMAKE_CURRENT_SOURCE_DIR}/install/${name})
    set(binary ${CMAKE_CURRENT_BINARY_DIR}/install/${name})
    add_test(
        NAME install.${name}
        COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${source} ${binary} --build-generator ${CMAKE_GENERATOR} --build-noclean
                --build-options ${consumer_options} ${ARGN} --test-command ${binary}/consumer)
endfunction()
hanabi_consumer_test(find_package -DCMAKE_PREFIX_PATH=${prefix})
set_tests_properties(install.find_package PROPERTIES FIXTURES_REQUIRED installed)
hanabi_consumer_test(subdirectory -DHANABI_SOURCE_DIR=${PROJECT_SOURCE_DIR})

add_test(NAME install.pkg_config COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/install/pkg_config/consume.sh ${prefix} ${CMAKE_CXX_COMPILER}
                                         ${CMAKE_CURRENT_BINARY_DIR}/install)
set_tests_properties(install.pkg_config PROPERTIES FIXTURES_REQUIRED installed SKIP_RETURN_CODE 77)
set_tests_properties(install.find_package install.subdirectory install.pkg_config PROPERTIES COST 80) # before the short ones
