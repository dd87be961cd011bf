// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Symbols: names in types; and linker names for people: demangled, searched, compared.

#define BOOST_TEST_MODULE symbol

#include <hanabi/demangle.hpp>
#include <hanabi/symbol.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace {

using namespace hanabi;

template <symbol S>
struct named {
    static constexpr name_view name = S.view();
    using linkage = decltype(S.kind());
};

using names = std::vector<std::string>;

std::string_view view(name_view name) { return {name.data(), name.size()}; }

} // namespace

BOOST_AUTO_TEST_CASE(a_literal_has_c_linkage) {
    static_assert(std::is_same_v<named<"axpy">::linkage, c_linkage>);
    static_assert(std::is_same_v<named<"axpy">, named<symbol{"axpy"}>>);
    static_assert(!std::is_same_v<named<"axpy">, named<"axpx">>);
    static_assert(symbol{"axpy"}.size() == 4);
    BOOST_TEST(view(named<"axpy">::name) == "axpy");
    BOOST_TEST(named<"axpy">::name.data()[4] == '\0');
}

BOOST_AUTO_TEST_CASE(cxx_has_cxx_linkage) {
    static_assert(std::is_same_v<named<cxx("la::scal")>::linkage, cxx_linkage<>>);
    static_assert(!std::is_same_v<named<cxx("axpy")>, named<"axpy">>);
    static_assert(std::is_same_v<named<cxx("axpy")>, named<cxx("axpy")>>);
    BOOST_TEST(view(named<cxx("la::scal")>::name) == "la::scal");
    BOOST_TEST(view(named<cxx("_a::b_1::c\u00e4")>::name) == "_a::b_1::c\u00e4"); // UTF-8 identifiers
}

BOOST_AUTO_TEST_CASE(cxx_with_template_arguments) {
    static_assert(std::is_same_v<named<cxx<"taxpy", float>()>::linkage, cxx_linkage<float>>);
    static_assert(!std::is_same_v<named<cxx<"taxpy", float>()>, named<cxx<"taxpy", double>()>>);
    BOOST_TEST(view(named<cxx<"ns::taxpy", float, int>()>::name) == "ns::taxpy");
}

BOOST_AUTO_TEST_CASE(matching_has_a_pattern) {
    static_assert(std::is_same_v<named<matching("*::hidden(*)")>::linkage, pattern_linkage>);
    BOOST_TEST(view(named<matching("(anonymous namespace)::hidden(int*)")>::name) == "(anonymous namespace)::hidden(int*)");
}

BOOST_AUTO_TEST_CASE(equality_is_of_name_and_linkage) {
    BOOST_TEST((symbol{"axpy"} == symbol{"axpy"}));
    BOOST_TEST(!(symbol{"axpy"} == symbol{"axp"}));
    BOOST_TEST(!(symbol{"axpy"} == symbol{"axpx"}));
    BOOST_TEST(!(symbol{"axpy"} == cxx("axpy")));
    BOOST_TEST((cxx("axpy") == cxx("axpy")));
    BOOST_TEST(!(cxx<"axpy", int>() == cxx<"axpy", float>()));
}

BOOST_AUTO_TEST_CASE(demangled_names) {
    BOOST_TEST(demangle("_ZN2la4scalEfPfi") == "la::scal(float, float*, int)");
    BOOST_TEST(demangle("axpy") == "axpy");
    BOOST_TEST(demangle("") == "");
    BOOST_TEST(demangle("_Z") == "_Z");
    BOOST_TEST(demangle("_Zgarbage") == "_Zgarbage");
    BOOST_TEST(demangle("_Z2stIlEvPT_") == "void st<long>(long*)");
    BOOST_TEST(demangle("_ZN41_GLOBAL__N__bd06726a_9_kernel_cu__Z4hostv6hiddenEPi") == "(anonymous namespace)::hidden(int*)");
    BOOST_TEST(demangle("_Z3runIZ4hostvEUliE_EvT_Pi") == "void run<host()::{lambda(int)#1}>(host()::{lambda(int)#1}, int*)");
}

BOOST_AUTO_TEST_CASE(the_names_in_demangled_functions) {
    const auto qualified = [](const char* mangled) { return std::string{detail::qualified_name(demangle(mangled))}; };
    BOOST_TEST(qualified("_ZN2la4scalEfPfi") == "la::scal");
    BOOST_TEST(qualified("_Z2stIlEvPT_") == "st");
    BOOST_TEST(qualified("_ZN41_GLOBAL__N__bd06726a_9_kernel_cu__Z4hostv6hiddenEPi") == "(anonymous namespace)::hidden");
    BOOST_TEST(qualified("_Z3runIZ4hostvEUliE_EvT_Pi") == "run");
    BOOST_TEST(qualified("_Z2tkIN41_GLOBAL__N__bd06726a_9_kernel_cu__Z4hostv4PrivEEvT_Pi") == "tk");
    BOOST_TEST(qualified("plain") == "plain");
    BOOST_TEST(qualified("") == "");
    BOOST_TEST(detail::last_name("a::b<c::d>::e") == "e");
    BOOST_TEST(detail::last_name("(anonymous namespace)::hidden") == "hidden");
    BOOST_TEST(detail::last_name("plain") == "plain");
    for (const char* broken : {"<", ">", "(", "a<", "a<b", "a(b", "::", "a::", " ", "{", "->"}) { // nothing is read beyond the end
        detail::qualified_name(broken);
        detail::last_name(broken);
    }
}

// A kernel without extern "C" is looked up by its plain name, and the other way round.
BOOST_AUTO_TEST_CASE(the_same_name_under_the_other_linkage) {
    const names module{"_Z6blur_hPKfPfii", "_Z3sumPKfPf", "_Z3sumPKdPd", "plain", "_ZN3img6blur_vEPKfPfi"};
    BOOST_TEST(nearest("blur_h", module, 1) == names{"_Z6blur_hPKfPfii"});
    BOOST_TEST(nearest("blur_h", module, 5).front() == "_Z6blur_hPKfPfii");
    BOOST_TEST((nearest("sum", module, 5) == names{"_Z3sumPKfPf", "_Z3sumPKdPd"})); // overloads: both
    BOOST_TEST(nearest("_Z5plainPi", module, 5) == names{"plain"});
    BOOST_TEST(nearest("img::blur_v", module, 1) == names{"_ZN3img6blur_vEPKfPfi"});
    BOOST_TEST(nearest("_Z6blur_vPKfPfi", module, 1) == names{"_ZN3img6blur_vEPKfPfi"}); // another namespace
    BOOST_TEST(nearest("blur_v", module, 1) == names{"_ZN3img6blur_vEPKfPfi"});
}

// A suffix that nobody expected; and kernels that have nothing to do with the one that was asked for.
BOOST_AUTO_TEST_CASE(stems_and_unrelated_names) {
    const names module{"matmul_0d1d2d3de4c", "cast_f16", "cast_bf16"};
    BOOST_TEST(nearest("matmul", module, 5) == names{"matmul_0d1d2d3de4c"});
    BOOST_TEST(nearest("f8_cast", module, 5).empty());
    BOOST_TEST((nearest("cast_f15", module, 5) == names{"cast_f16", "cast_bf16"}));
    BOOST_TEST(nearest("unrelated", module, 5).empty());
    BOOST_TEST(nearest("", module, 5).empty());
    BOOST_TEST(nearest("matmul", {}, 5).empty());
    BOOST_TEST(nearest("matmul", module, 0).empty());
    BOOST_TEST(nearest("axpy", {"axyp", "apxy", "saxpy", "x"}, 9).size() == 3u);
    BOOST_TEST(nearest("axpy", {"axpy"}, 9).empty()); // the name itself is there
}

BOOST_AUTO_TEST_CASE(edit_distances) {
    BOOST_TEST(detail::edit_distance("axpy", "axpy", 3) == 0u);
    BOOST_TEST(detail::edit_distance("axpy", "axpyx", 3) == 1u);
    BOOST_TEST(detail::edit_distance("axpy", "axyp", 3) == 1u);
    BOOST_TEST(detail::edit_distance("axpy", "bxpz", 3) == 2u);
    BOOST_TEST(detail::edit_distance("", "abc", 3) == 3u);
    BOOST_TEST(detail::edit_distance("kitten", "sitting", 3) == 3u);
    BOOST_TEST(detail::edit_distance("kitten", "sitting", 2) == 3u); // more than the limit
}

// int64_t is long on one side and long long on the other.
BOOST_AUTO_TEST_CASE(long_against_long_long) {
    const names module{"_Z4stepPxx", "_Z5steplPll", "_Z7stepi64Plm", "_Z5stepsmlPi", "_Z3texyPf", "_Z2stIlEvPT_", "_Z2stIxEvPT_"};
    BOOST_TEST(differs_in_long_only("_Z4stepPll", "_Z4stepPxx"));
    BOOST_TEST(differs_in_long_only("_Z3texmPf", "_Z3texyPf"));
    BOOST_TEST(differs_in_long_only("_Z2stIlEvPT_", "_Z2stIxEvPT_"));
    BOOST_TEST(!differs_in_long_only("_Z4stepPxx", "_Z4stepPxx"));
    BOOST_TEST(!differs_in_long_only("_Z4stepPll", "_Z4stepPyy")); // signedness as well
    BOOST_TEST(!differs_in_long_only("_Z4stlpPl", "_Z4stxpPl"));   // letters of the name itself
    BOOST_TEST(!differs_in_long_only("_Z4stepPii", "_Z4stepPxx"));
    const std::string hint = long_hint("_Z4stepPll", module);
    BOOST_TEST(hint.find("_Z4stepPxx") != std::string::npos);
    BOOST_TEST(hint.find("step(long long*, long long)") != std::string::npos);
    BOOST_TEST(hint.find("step(long*, long)") != std::string::npos);
    BOOST_TEST(long_hint("_Z3texmPf", module).find("_Z3texyPf") != std::string::npos);
    BOOST_TEST(long_hint("_Z4stepPii", module).empty());
    BOOST_TEST(nearest("_Z4stepPll", module, 1) == names{"_Z4stepPxx"});
}

// Kernels of anonymous namespaces and of lambdas are found by their demangled name.
BOOST_AUTO_TEST_CASE(look_up_by_pattern) {
    const names module{"_Z5filekPi",
                       "_Z3runIZ4hostvEUliE_EvT_Pi",
                       "_Z3runIZ4hostvEUliE0_EvT_Pi",
                       "_Z2tkIN41_GLOBAL__N__bd06726a_9_kernel_cu__Z4hostv4PrivEEvT_Pi",
                       "_ZN41_GLOBAL__N__bd06726a_9_kernel_cu__Z4hostv6hiddenEPi",
                       "plain"};
    BOOST_TEST(matching_names("(anonymous namespace)::hidden(int*)", module) == names{module[4]});
    BOOST_TEST(matching_names("*::hidden(*", module) == names{module[4]});
    BOOST_TEST(matching_names("run<host()::{lambda(int)#2}>*", module) == names{module[2]});
    BOOST_TEST(matching_names("void run<host()::{lambda(int)#2}>*", module) == names{module[2]});
    BOOST_TEST((matching_names("run<*", module) == names{module[1], module[2]})); // ambiguous: who binds has to say so
    BOOST_TEST(matching_names("tk<*Priv>*", module) == names{module[3]});
    BOOST_TEST(matching_names("filek(int?)", module) == names{module[0]});
    BOOST_TEST(matching_names("plain", module) == names{"plain"});
    BOOST_TEST(matching_names("hidden", module).empty());
    BOOST_TEST((matching_names("f(int*)", {"_Z1fPi", "_Z1fii", "_Z1fPf"}) == names{"_Z1fPi"})); // to the letter before as a pattern
    BOOST_TEST(matching_names("alpha::(anonymous namespace)::an_nsk(float*)",
                              {"_ZN5alpha41_GLOBAL__N__5abdd173_9_corpus_cu_de82edf36an_nskEPf", "_ZN5alpha6an_nskEPf"}) ==
               names{"_ZN5alpha41_GLOBAL__N__5abdd173_9_corpus_cu_de82edf36an_nskEPf"}); // the one of the handout that can't be made
    BOOST_TEST(matches_pattern("", ""));
    BOOST_TEST(matches_pattern("*", ""));
    BOOST_TEST(!matches_pattern("?", ""));
    BOOST_TEST(matches_pattern("a*b*c", "axxbyyc"));
    BOOST_TEST(!matches_pattern("a*b*c", "axxbyyd"));
    BOOST_TEST(matches_pattern("a**", "a"));
}
