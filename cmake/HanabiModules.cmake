# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#[=[
hanabi_add_module(<target> <name>
    [SOURCES a.cu [b.cu...]] [PREBUILT file]
    [FORMAT ptx|fatbin|cubin] [ARCHITECTURES 75 80 90a...]
    [INCLUDES dir...] [OPTIONS option...]
    [VERIFY header descriptor...])

Compiles CUDA sources by nvcc and embeds the result in <target> (a program or a library):

    #include <hanabi_modules/<name>.hpp>
    auto registry = hanabi::registry::load(context, {{"<name>", hanabi_modules::<name>}});

`hanabi_modules::<name>` is a `const std::span<const std::byte>`, initialised at compile time; a NUL that its size does not
count follows the bytes. <name> is an identifier, and also the file's: hanabi_modules/<name>.hpp, found by <target> (and,
if it is a library, by what links it). Two shared objects may embed different modules of one name.

- FORMAT fatbin (the default): machine code of every architecture, and the PTX of the lowest that has no suffix, from which the
  driver compiles for any later one. ptx: the PTX of the lowest alone. cubin: machine code of exactly one architecture.
- ARCHITECTURES: compute capabilities without the dot, `a` and `f` suffixes allowed; 75 80 90 when not said.
- Several SOURCES make one module: each is compiled relocatable, then they are linked for the device. That leaves machine
  code only, so that FORMAT ptx takes one source.
- INCLUDES, OPTIONS: further include directories and options of nvcc (-std=c++20 is given).
- VERIFY: a header, and descriptors that it has (names, or anything that names an object of static storage). They are
  checked against the image while <target> is built, by a source of its own: a wrong one is a compile-time error that names the
  kernel and the parameter. hanabi-describe reads the image, of any size; what it can't read (code that is compressed, where it
  was built without zstd and lz4) is not verified, and a warning says so. Directives are not compared, hanabi::registry does that.
  <target> has to link hanabi::hanabi.
- PREBUILT: an image kept beside the sources, embedded where there is no nvcc, or always if there are no SOURCES.

The assembler reads the image (.incbin) where the compiler is g++ or clang; elsewhere, or where HANABI_MODULES_AS_ARRAYS is
set, it is spelt as an array, which compiles slowly from a megabyte on.

nvcc is looked for in HANABI_NVCC, on PATH, under CUDA_HOME, CUDA_PATH and /usr/local/cuda; CMake's CUDA language is not needed.
HANABI_NVCC=OFF does without.
]=]

include_guard(GLOBAL)

set(HANABI_MODULES_DIR "${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "where the scripts of hanabi_add_module are") # seen from every folder

find_program(HANABI_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin DOC "CUDA compiler of hanabi_add_module")
mark_as_advanced(HANABI_NVCC)

# The numbers of a list of architectures, lowest first, each once.
function(_hanabi_sort_architectures result)
    list(REMOVE_DUPLICATES ARGN)
    foreach(architecture IN LISTS ARGN)
        if(NOT architecture MATCHES "^[0-9]+[af]?$")
            message(FATAL_ERROR "hanabi_add_module: '${architecture}' is no architecture: write a compute capability without its dot, such as 75, 90a, 100f")
        endif()
    endforeach()
    list(SORT ARGN COMPARE NATURAL)
    set(${result} ${ARGN} PARENT_SCOPE)
endfunction()

function(hanabi_add_module target)
    cmake_parse_arguments(PARSE_ARGV 1 module "" "NAME;FORMAT;PREBUILT" "SOURCES;ARCHITECTURES;INCLUDES;OPTIONS;VERIFY")
    if(NOT module_NAME)
        list(POP_FRONT module_UNPARSED_ARGUMENTS module_NAME)
    endif()
    set(where "hanabi_add_module(${target} ${module_NAME})")
    if(module_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${where}: unknown arguments: ${module_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT module_NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
        message(FATAL_ERROR "${where}: the name must be a C++ identifier")
    endif()
    if(NOT module_SOURCES AND NOT module_PREBUILT)
        message(FATAL_ERROR "${where}: neither SOURCES nor PREBUILT given")
    endif()
    if(NOT module_FORMAT)
        set(module_FORMAT fatbin)
    elseif(NOT module_FORMAT MATCHES "^(ptx|fatbin|cubin)$")
        message(FATAL_ERROR "${where}: FORMAT is ptx, fatbin or cubin, not ${module_FORMAT}")
    endif()

    set(directory "${CMAKE_CURRENT_BINARY_DIR}/hanabi_modules.${target}")
    list(TRANSFORM module_SOURCES PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" REGEX "^[^/]")
    if(module_SOURCES AND HANABI_NVCC)
        set(image "${directory}/${module_NAME}.${module_FORMAT}")
        _hanabi_compile_module("${where}" "${image}")
    elseif(module_PREBUILT)
        cmake_path(ABSOLUTE_PATH module_PREBUILT OUTPUT_VARIABLE image)
        if(module_SOURCES)
            message(STATUS "${where}: no nvcc; embedding ${module_PREBUILT}")
        endif()
    else()
        message(FATAL_ERROR "${where}: no nvcc found to compile ${module_SOURCES}. Install the CUDA toolkit, set HANABI_NVCC, or give a PREBUILT image.")
    endif()

    set(incbin OFF)
    if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT WIN32 AND NOT HANABI_MODULES_AS_ARRAYS)
        set(incbin ON)
    endif()
    set(source "${directory}/${module_NAME}.cpp")
    set(header "${directory}/hanabi_modules/${module_NAME}.hpp")
    add_custom_command(
        OUTPUT "${source}" "${header}"
        COMMAND "${CMAKE_COMMAND}" -DNAME=${module_NAME} "-DIMAGE=${image}" "-DSOURCE=${source}" "-DHEADER=${header}"
                -DINCBIN=${incbin} -P "${HANABI_MODULES_DIR}/embed.cmake"
        DEPENDS "${image}" "${HANABI_MODULES_DIR}/embed.cmake"
        COMMENT "Embedding module ${module_NAME}"
        VERBATIM)
    set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON OBJECT_DEPENDS "${image}")
    target_sources(${target} PRIVATE "${source}" "${header}")
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
        target_include_directories(${target} PRIVATE "${directory}")
    else()
        target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${directory}>")
    endif()
    target_compile_features(${target} PRIVATE cxx_std_20)
    set_property(TARGET ${target} APPEND PROPERTY HANABI_MODULE_IMAGES "${image}")
    if(module_VERIFY)
        _hanabi_verify_module("${where}" "${target}" "${image}" "${directory}")
    elseif("VERIFY" IN_LIST module_KEYWORDS_MISSING_VALUES)
        message(FATAL_ERROR "${where}: VERIFY takes a header and the descriptors in it")
    endif()
endfunction()

# The source that checks descriptors against the image; reads module_* of its caller.
function(_hanabi_verify_module where target image directory)
    list(POP_FRONT module_VERIFY verified)
    if(NOT module_VERIFY)
        message(FATAL_ERROR "${where}: VERIFY ${verified} names no descriptor of that header")
    endif()
    if(NOT TARGET hanabi::describe)
        message(FATAL_ERROR "${where}: VERIFY needs hanabi-describe, which is neither built nor installed here")
    endif()
    cmake_path(ABSOLUTE_PATH verified OUTPUT_VARIABLE absolute)
    if(EXISTS "${absolute}")
        set(verified "${absolute}")
    endif()
    list(JOIN module_VERIFY "|" descriptors)
    set(source "${directory}/${module_NAME}.verify.cpp")
    set(table "${directory}/hanabi_modules/${module_NAME}.signatures.hpp")
    add_custom_command(
        OUTPUT "${source}" "${table}"
        COMMAND "${CMAKE_COMMAND}" -DNAME=${module_NAME} "-DIMAGE=${image}" "-DSOURCE=${source}" "-DTABLE=${table}"
                "-DVERIFIED=${verified}" "-DDESCRIPTORS=${descriptors}" "-DDESCRIBE=$<TARGET_FILE:hanabi::describe>"
                -P "${HANABI_MODULES_DIR}/signatures.cmake"
        DEPENDS "${image}" "${HANABI_MODULES_DIR}/signatures.cmake" hanabi::describe
        COMMENT "Extracting the signatures of module ${module_NAME}"
        VERBATIM)
    set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON OBJECT_DEPENDS "${table}")
    target_sources(${target} PRIVATE "${source}" "${table}")
endfunction()

# The commands that make the image; reads module_* of its caller.
function(_hanabi_compile_module where image)
    if(NOT module_ARCHITECTURES)
        set(module_ARCHITECTURES 75 80 90)
    endif()
    _hanabi_sort_architectures(architectures ${module_ARCHITECTURES})
    list(LENGTH architectures architecture_count)
    list(LENGTH module_SOURCES source_count)
    list(GET architectures 0 lowest)

    set(codes "")
    if(module_FORMAT STREQUAL "ptx")
        if(source_count GREATER 1)
            message(FATAL_ERROR "${where}: linking several sources leaves no PTX. Use FORMAT fatbin or cubin, or one module a source.")
        endif()
        set(codes "-gencode=arch=compute_${lowest},code=compute_${lowest}")
    else()
        if(module_FORMAT STREQUAL "cubin" AND NOT architecture_count EQUAL 1)
            message(FATAL_ERROR "${where}: a cubin is of exactly one architecture: write ARCHITECTURES 90, say, or FORMAT fatbin for several")
        endif()
        foreach(architecture IN LISTS architectures)
            list(APPEND codes "-gencode=arch=compute_${architecture},code=sm_${architecture}")
        endforeach()
        # PTX with a suffix runs on that very architecture, whose machine code is there already.
        list(FILTER architectures EXCLUDE REGEX "[af]$")
        if(module_FORMAT STREQUAL "fatbin" AND source_count EQUAL 1 AND architectures)
            list(GET architectures 0 lowest)
            list(APPEND codes "-gencode=arch=compute_${lowest},code=compute_${lowest}")
        endif()
    endif()
    list(TRANSFORM module_INCLUDES PREPEND "-I")
    set(options -std=c++20 ${module_INCLUDES} ${module_OPTIONS})

    cmake_path(GET image PARENT_PATH directory)
    file(MAKE_DIRECTORY "${directory}")
    if(source_count EQUAL 1)
        _hanabi_nvcc("${image}" "${module_SOURCES}" -${module_FORMAT} ${codes} ${options})
    else()
        set(parts "")
        foreach(source IN LISTS module_SOURCES)
            cmake_path(GET source STEM stem)
            set(part "${directory}/${module_NAME}.${stem}.fatbin")
            if(part IN_LIST parts)
                message(FATAL_ERROR "${where}: two sources are called ${stem}")
            endif()
            _hanabi_nvcc("${part}" "${source}" -fatbin -rdc=true ${codes} ${options})
            list(APPEND parts "${part}")
        endforeach()
        add_custom_command(
            OUTPUT "${image}"
            COMMAND "${HANABI_NVCC}" -dlink -${module_FORMAT} ${codes} ${parts} -o "${image}"
            DEPENDS ${parts}
            COMMENT "Linking module ${module_NAME} for the device"
            VERBATIM)
    endif()
endfunction()

function(_hanabi_nvcc output source)
    cmake_path(GET source FILENAME file)
    add_custom_command(
        OUTPUT "${output}"
        COMMAND "${HANABI_NVCC}" ${ARGN} -MD -MF "${output}.d" -MT "${output}" "${source}" -o "${output}"
        DEPENDS "${source}"
        DEPFILE "${output}.d"
        COMMENT "Compiling ${file} by nvcc"
        VERBATIM)
endfunction()
