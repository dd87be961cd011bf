// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// What registry::require costs for each kernel, on the host driver: a module of COUNT kernels is loaded and all are required.
// check_require.sh counts the instructions of require alone, for several counts.
//
//   require_scaling COUNT [load]    with `load`, ends before the require

#include <hanabi/hanabi.hpp>
#include <hanabi/host.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    if (argc < 2) return std::puts("usage: require_scaling COUNT [load]"), 2;
    const std::size_t count = static_cast<std::size_t>(std::atol(argv[1]));

    // Descriptors are made by the compiler as a rule; here there are as many as the command line says.
    constexpr auto& layout = hanabi::detail::layout_of<float, const float*, float*, int>;
    constexpr const hanabi::contract_set& contracts = hanabi::detail::contracts_of<>;
    std::vector<std::string> names(count);
    std::vector<unsigned> slots(count, 0);
    std::vector<hanabi::descriptor> descriptors;
    std::vector<const hanabi::descriptor*> list;
    std::string ptx = ".version 8.0\n.target sm_75\n.address_size 64\n";
    descriptors.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        names[i] = "kernel_" + std::to_string(i);
        ptx += ".visible .entry " + names[i] + "(.param .f32 a, .param .u64 x, .param .u64 y, .param .u32 n) { ret; }\n";
        descriptors.push_back({"blas", {names[i].c_str(), names[i].size()}, layout.parameters, &contracts, 4, false, &slots[i]});
        list.push_back(&descriptors.back());
    }
    const auto device = hanabi::context::host();
    const auto blas = hanabi::registry::load(device, {{"blas", ptx}});
    if (argc == 2) blas.require_all(list);
    return 0;
}
