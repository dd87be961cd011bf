#!/bin/sh
# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
#
# sh check_compile_cost.sh [COMPILER...]: what Hanabi costs to compile, in instructions of the compiler, by cachegrind. Of the
# headers, against Boost.Hana's; of 1000 descriptors launched once each at -O0, against 1000 hand-written calls with the same
# signatures: from the slope between two smaller sources, or with COUNT=1000 in the environment from 1000; and of launches in one
# sequence or by >> against the same launches alone. Fails if g++, the default, is over a limit; of other compilers the ratios
# are only reported.

set -eu
cd "$(dirname "$0")/.."
command -v valgrind > /dev/null 2>&1 || { echo "skipped: no valgrind here"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $# -ne 0 ] || set -- g++
few=10
many=${COUNT:-60}

# Thousands of instructions that compiling a file takes: of the compiler proper, which is the largest process.
cost() {
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --trace-children=yes \
        "$compiler" -std=c++20 -Iinclude "$@" -o "$scratch/out.s" 2> "$scratch/log" || { cat "$scratch/log" >&2; exit 1; }
    sed -n 's/.*I *refs: *//p' "$scratch/log" | tr -d , | sort -n | tail -n 1 | sed 's/...$//'
}
include() {
    echo "#include <$1>" > "$scratch/include.cpp"
    cost -fsyntax-only "$scratch/include.cpp"
}

# A source with so many launches of so many kernels with signatures of their own, by hand or with Hanabi.
write() {
    awk -v way="$1" -v count="$2" '
    function value(t) {
        if (t ~ /\*/) return t ~ /float/ ? "pf" : t ~ /int/ ? "pi" : "pd"
        return t == "float" ? "1.0f" : t == "double" ? "2.0" : "static_cast<" t ">(3)"
    }
    BEGIN {
        n = split("float,double,int,unsigned,long,short,const float*,float*,int*,const int*,double*,unsigned char", types, ",")
        print way == "hand" ? "#include <hanabi/driver/table.hpp>\nusing namespace hanabi::driver;\n[[noreturn]] void fail(status);" \
                            : "#include <hanabi/hanabi.hpp>\nusing namespace hanabi;"
        for (i = 0; i < count; ++i) {
            split("", p)
            p[0] = types[i % n + 1]; p[1] = types[int(i / n) % n + 1]; p[2] = types[int(i / n / n) % n + 1]; p[3] = types[i % 6 + 7]
            parameters = p[0] " a, " p[1] " b, " p[2] " c, " p[3] " d"
            arguments = value(p[0]) ", " value(p[1]) ", " value(p[2]) ", " value(p[3])
            if (way == "hand") {
                print "inline void launch_" i "(const table& t, function_handle f, stream_handle q, unsigned n, " parameters ") {\n" \
                      "    void* all[] = {(void*)&a, (void*)&b, (void*)&c, (void*)&d};\n" \
                      "    if (status s = t.launch_kernel(f, (n + 255) / 256, 1, 1, 256, 1, 1, 0, q, all, nullptr); s != status::success) fail(s);\n}"
                body = body "    launch_" i "(t, f, q, n, " arguments ");\n"
            } else {
                print "inline constexpr kernel<\"module\", \"kernel_number_" i "\", void(" p[0] ", " p[1] ", " p[2] ", " p[3] ")> k" i ";"
                launch = "k" i "[over(n)](" arguments ")"
                if (way == "sequence") body = body (i == 0 ? "    run(sequence(" : ",\n        ") launch
                else if (way == "operators") body = body (i == 0 ? "    run((" : " >>\n        ") launch
                else body = body "    run(" launch ");\n"
            }
        }
        if (way == "sequence" || way == "operators") body = body "));\n"
        print way == "hand" ? "void go(const table& t, function_handle f, stream_handle q, float* pf, int* pi, double* pd, unsigned n) {" \
                            : "void go(const dispatcher<>& run, device_ptr<float> pf, device_ptr<int> pi, device_ptr<double> pd, unsigned n) {"
        print body "}"
    }'
}
source_cost() {
    write "$1" "$2" > "$scratch/source.cpp"
    cost -S -O0 "$scratch/source.cpp"
}

# Says a ratio in hundredths, and remembers when it is over the limit.
judge() { # what, cost, of, limit in hundredths
    ratio=$(($2 * 100 / $3))
    printf '%s: %s: %d.%02d times (at most %d.%02d): %d M instructions, of %d M\n' "$compiler" "$1" $((ratio / 100)) $((ratio % 100)) \
        $(($4 / 100)) $(($4 % 100)) $(($2 / 1000)) $(($3 / 1000))
    case "$compiler" in *g++*) case "$compiler" in *clang*) ;; *) [ "$ratio" -le "$4" ] || failed=1 ;; esac ;; esac
}

failed=0
for compiler in "$@"; do
    judge "<hanabi/kernel.hpp> of <boost/hana/tuple.hpp>" "$(include hanabi/kernel.hpp)" "$(include boost/hana/tuple.hpp)" 200
    judge "<hanabi/hanabi.hpp> of <boost/hana.hpp>" "$(include hanabi/hanabi.hpp)" "$(include boost/hana.hpp)" 300

    hand_few=$(source_cost hand "$few") hand_many=$(source_cost hand "$many")
    ours_few=$(source_cost hanabi "$few") ours_many=$(source_cost hanabi "$many")
    hand=$(((hand_many - hand_few) / (many - few))) ours=$(((ours_many - ours_few) / (many - few)))
    judge "one more launch of one more kernel, of a hand-written call" "$ours" "$hand" 500
    judge "1000 launches of 1000 kernels, headers and all" $((ours_many + ours * (1000 - many))) $((hand_many + hand * (1000 - many))) 500
    # Far enough apart to show what grows with the square of the number, as names of all the parts' types do.
    alone() { echo $((ours_many + ours * ($1 - many))); }
    sequence_few=$(source_cost sequence 20) sequence_many=$(source_cost sequence 100)
    judge "one more launch in a sequence of 20 to 100, of one more alone" $(((sequence_many - sequence_few) / 80)) "$ours" 130
    judge "100 launches in a sequence, headers and all, of as many alone" "$sequence_many" "$(alone 100)" 130
    judge "32 launches by operators, headers and all, of as many alone" "$(source_cost operators 32)" "$(alone 32)" 135
done
exit $failed
