#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh check_empty_policies.sh [COMPILER...]: the code of launches by a dispatcher without policies, against that of a dispatcher
# that knows nothing of policies (the header with its slots cut out). Identical, by clang; by g++ as many instructions,
# at most in another order.

set -eu
cd "$(dirname "$0")/.."
command -v objdump > /dev/null 2>&1 || { echo "skipped: no objdump here"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $# -ne 0 ] || set -- g++

cat > "$scratch/launch.cpp" << 'CODE'
#include <hanabi/hanabi.hpp>
inline constexpr hanabi::kernel<"blas", "axpy", void(float, const float*, float*, int)> axpy;
void by_dispatcher(const hanabi::dispatcher<>& run, float alpha, const float* x, float* y, int n) {
    run(axpy[hanabi::over(n)](alpha, hanabi::device_ptr{x}, hanabi::device_ptr{y}, n));
}
void by_code(const hanabi::dispatcher<>& run, float alpha, const float* x, float* y, int n, std::error_code& code) {
    run(axpy[hanabi::over(n)](alpha, hanabi::device_ptr{x}, hanabi::device_ptr{y}, n), code);
}
void by_functor(const hanabi::functor<std::remove_const_t<decltype(axpy)>>& launch, float alpha, const float* x, float* y, int n) {
    launch(hanabi::over(n), alpha, hanabi::device_ptr{x}, hanabi::device_ptr{y}, n);
}
CODE
# The header as it would be without the feature: no slots, and the branch for policies gone.
mkdir -p "$scratch/without/hanabi"
awk '
    /^struct launcher : policy_slots</ { print "struct launcher {"; cut++; next }
    /^ *: policy_slots<std::index_sequence_for<Policies...>, Policies...>/ { print "        :"; cut++; next }
    /^ *if constexpr \(sizeof...\(Policies\) == 0\) \{/ { print "        {"; inside = 1; cut++; next }
    inside && /^        \} else \{/ { print "        }"; inside = 2; next }
    inside == 2 { if (/^        \}$/) inside = 0; next }
    { print }
    END { if (cut != 3) { print "cut " cut " places instead of 3: the header has changed" > "/dev/stderr"; exit 1 } }
' include/hanabi/dispatcher.hpp > "$scratch/without/hanabi/dispatcher.hpp"

code() { # COMPILER INCLUDE...: the functions' instructions, without addresses
    compiler=$1
    shift
    "$compiler" -std=c++20 -O2 -DNDEBUG "$@" -c "$scratch/launch.cpp" -o "$scratch/launch.o"
    objdump -d --no-show-raw-insn --no-addresses --section=.text "$scratch/launch.o" | sed '/file format/d'
}

failed=0
for compiler in "$@"; do
    code "$compiler" -Iinclude > "$scratch/with.s"
    code "$compiler" -I"$scratch/without" -Iinclude > "$scratch/without.s"
    with=$(wc -l < "$scratch/with.s") without=$(wc -l < "$scratch/without.s")
    if [ "$with" -lt 60 ]; then
        echo "$compiler: only $with lines of code: nothing was compared"
        failed=1
    elif cmp -s "$scratch/with.s" "$scratch/without.s"; then
        echo "$compiler: identical code ($with lines) with an empty policy set and without policies"
    elif [ "$with" -eq "$without" ] && ! "$compiler" --version | grep -q clang; then
        echo "$compiler: as many instructions ($with lines) with an empty policy set and without policies"
    else
        echo "$compiler: the code of an empty policy set differs: $with lines, without policies $without"
        diff "$scratch/without.s" "$scratch/with.s" | head -20
        failed=1
    fi
done
exit $failed
