# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# hanabi_add_module: what it embeds is the file, byte for byte, whatever the way; what it can't do it refuses with a reason.

add_executable(test_modules modules/modules.cpp)
target_link_libraries(test_modules PRIVATE Threads::Threads)
hanabi_add_module(test_modules NAME fallback SOURCES modules/scale.cu PREBUILT modules/fallback.ptx FORMAT ptx)
if(HANABI_NVCC)
    hanabi_add_module(test_modules fat SOURCES modules/scale.cu INCLUDES ${CMAKE_CURRENT_SOURCE_DIR}/modules OPTIONS -DFACTOR=3)
    hanabi_add_module(test_modules cubin SOURCES modules/scale.cu FORMAT cubin ARCHITECTURES 90a)
    hanabi_add_module(test_modules linked SOURCES modules/calls.cu modules/called.cu ARCHITECTURES 75 90)
    target_compile_definitions(test_modules PRIVATE HANABI_TEST_NVCC)
endif()
hanabi_add_module(test_modules prebuilt PREBUILT modules/prebuilt.ptx)
set(HANABI_MODULES_AS_ARRAYS ON)
hanabi_add_module(test_modules spelt_out PREBUILT modules/prebuilt.ptx)
set(HANABI_MODULES_AS_ARRAYS OFF)

# Two shared objects with different modules of one name.
foreach(which IN ITEMS first second)
    add_library(modules_${which} SHARED modules/same_name.cpp)
    target_compile_definitions(modules_${which} PRIVATE FUNCTION=${which})
endforeach()
hanabi_add_module(modules_first same PREBUILT modules/prebuilt.ptx)
hanabi_add_module(modules_second same PREBUILT modules/fallback.ptx)
target_link_libraries(test_modules PRIVATE modules_first modules_second)

# VERIFY: right descriptors build, wrong ones don't.
add_library(modules_verified OBJECT EXCLUDE_FROM_ALL modules/verified.cpp)
target_link_libraries(modules_verified PRIVATE hanabi::hanabi)
hanabi_add_module(modules_verified verified SOURCES modules/scale.cu INCLUDES ${CMAKE_CURRENT_SOURCE_DIR}/modules PREBUILT modules/scale.ptx VERIFY modules/verified_kernels.hpp scale)
hanabi_add_module(modules_verified verified_prebuilt PREBUILT modules/prebuilt.ptx VERIFY modules/verified_kernels.hpp own::nothing)
add_library(modules_contradicted OBJECT EXCLUDE_FROM_ALL modules/verified.cpp)
target_link_libraries(modules_contradicted PRIVATE hanabi::hanabi)
hanabi_add_module(modules_contradicted contradicted PREBUILT modules/scale.ptx VERIFY modules/verified_kernels.hpp wrong::scale wrong::mangled)
add_test(NAME modules.verified COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --config $<CONFIG> --target modules_verified)
add_test(NAME modules.contradicted COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -DCONFIG=$<CONFIG> -DTARGET=modules_contradicted
                                           -P ${CMAKE_CURRENT_SOURCE_DIR}/modules/contradicted.cmake)
set_tests_properties(modules.verified modules.contradicted PROPERTIES COST 50 RESOURCE_LOCK build_folder) # one at a time

add_test(NAME modules COMMAND test_modules $<TARGET_PROPERTY:test_modules,HANABI_MODULE_IMAGES> COMMAND_EXPAND_LISTS)

foreach(case IN ITEMS no_name no_source format architecture two_cubins linked_ptx no_nvcc unknown)
    add_test(NAME modules.refused.${case} COMMAND ${CMAKE_COMMAND} -DCASE=${case} -DGENERATOR=${CMAKE_GENERATOR} -DMODULES=${PROJECT_SOURCE_DIR}/cmake/HanabiModules.cmake
                                                  -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/modules_refused/${case} -P ${CMAKE_CURRENT_SOURCE_DIR}/modules/refused/check.cmake)
endforeach()
