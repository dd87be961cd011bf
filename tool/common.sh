#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# What the scripts of this repository share; sourced by them, from the repository's root.

# Names a step, in one line.
say() { printf '==> %s\n' "$*"; }

# Ends the script with a message.
fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

has() { command -v "$1" > /dev/null 2>&1; }

# Whether the C++ compiler compiles, and links with the given options, what standard input holds.
compiles() { ${CXX:-g++} -std=c++20 -x c++ - -o /dev/null "$@" > /dev/null 2>&1; }

has_boost_headers() {
    compiles -fsyntax-only <<'EOF'
#include <boost/version.hpp>
#include <boost/hana/tuple.hpp>
static_assert(BOOST_VERSION >= 108100);
EOF
}
has_boost_test() {
    compiles -DBOOST_TEST_DYN_LINK -lboost_unit_test_framework <<'EOF'
#include <boost/version.hpp>
#include <boost/test/framework.hpp>
static_assert(BOOST_VERSION >= 108100);
int main() { boost::unit_test::framework::shutdown(); }
EOF
}
has_library() { printf '#include <%s>\nint main() {}\n' "$1" | compiles "$2"; } # HEADER OPTION
has_cmake() { has cmake && [ "$(printf '%s\n' 3.25 "$(cmake --version | sed -n 's/^cmake version //p')" | sort -V | head -n 1)" = 3.25 ]; }
find_clang() { # 16 or newer
    for clang in clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16; do
        if has $clang; then
            echo $clang
            return
        fi
    done
    return 1
}
has_clang() { # with the runtimes of its sanitizers
    clang=$(find_clang) && echo 'int main() {}' | CXX=$clang compiles -fsanitize=thread
}

# Whether what comes in a Debian package is here, from wherever it came.
there() {
    case $1 in
    cmake) has_cmake ;;
    ninja-build) has ninja ;;
    libboost1.81-dev) has_boost_headers ;;
    libboost-test1.81-dev) has_boost_test ;;
    libboost1.81-tools-dev) has b2 ;;
    libzstd-dev) has_library zstd.h -lzstd ;;
    liblz4-dev) has_library lz4.h -llz4 ;;
    clang-19 | libclang-rt-19-dev) has_clang ;;
    pkgconf) has pkg-config ;;
    *) has "$1" ;;
    esac
}

# need PACKAGE...: installs those of the Debian packages whose content is missing. With nothing missing, it does nothing and
# needs no network.
need() {
    missing=
    for package; do
        there "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    by_hand="install these yourself (their names on Debian 12) and start again:$missing"
    has apt-get || fail "no apt-get here; $by_hand"
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif has sudo; then
        as_root=sudo
    else
        fail "not root, and no sudo here; $by_hand"
    fi
    say "Installing$missing"
    # The lists may be old or not there at all: refreshed, but only now that something is needed.
    $as_root apt-get -qq update || fail "apt-get can't refresh its lists of packages; $by_hand"
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install $missing > /dev/null || fail "apt-get can't install them; $by_hand"
    for package in $missing; do
        there "$package" || fail "installed, but still not usable: $package"
    done
}

# Names the CUDA compiler that the build will find, or says that there is none.
say_cuda() {
    nvcc=$(command -v nvcc || true)
    for home in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
        [ -n "$nvcc" ] || [ ! -x "$home/bin/nvcc" ] || nvcc=$home/bin/nvcc
    done
    if [ -n "$nvcc" ]; then
        say "CUDA toolkit: $("$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/\1/p') ($nvcc)"
    else
        say "No CUDA toolkit: the committed PTX is used"
    fi
    if [ -e /dev/nvidiactl ]; then say "A GPU is here"; else say "No GPU: kernels run on the host driver"; fi
}

# build_and_test PRESET [CTEST ARGUMENT...]: what can't be built fails among the tests; the rest is built and run all the same.
build_and_test() {
    preset=$1
    shift
    say "Building build/$preset"
    built=0
    cmake --build --preset "$preset" -- -k 0 || built=$?
    say "Running the tests of build/$preset"
    ctest --preset "$preset" --parallel 2 "$@" && return $built
}

# configure PRESET [OPTION...]: quiet unless it fails. In CI warnings are errors, and nobody debugs.
configure() {
    preset=$1
    shift
    [ -z "${CI:-}" ] || set -- "$@" -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
    case ${CI:+$preset} in gcc | clang) set -- "$@" -DCMAKE_CXX_FLAGS_DEBUG=-O0 ;; esac
    say "Configuring build/$preset"
    mkdir -p build
    cmake --preset "$preset" "$@" > "build/$preset.configure.log" 2>&1 || {
        cat "build/$preset.configure.log"
        fail "cmake --preset $preset"
    }
}
