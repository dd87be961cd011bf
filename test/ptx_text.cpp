// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// PTX that can't be read: the log says where and why, the module is loaded, its kernels are not run, and the process lives.

#include <boost/test/unit_test.hpp>

#include "support/ptx_module.hpp"

#include <cstddef>
#include <string>

namespace {

std::string repeated(const std::string& part, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += part;
    return out;
}

/// Loads a module of these items and a kernel with this body; what the log says meanwhile.
std::string said_of(const std::string& items, const std::string& body) {
    fresh_driver driver;
    const log_watch watch;
    load((".version 9.0\n.target sm_75\n.address_size 64\n" + items + ".visible .entry k() {\n.reg .b32 %r<3>;\n" + body + "ret;\n}\n")
             .c_str());
    return watch.text();
}

constexpr std::size_t many = 200'000; // each would take some hundred bytes of the stack

} // namespace

BOOST_AUTO_TEST_SUITE(ptx_text)

BOOST_AUTO_TEST_CASE(what_is_well_written_is_read) {
    BOOST_TEST(said_of(".global .u32 x[2][2] = {{1, 2}, {(3), -(-4)}};\n", "mov.u32 %r1, ((1+2)*3);\nmov.u32 %r2, 1 ? 2 : 3;\n") == "");
    BOOST_TEST(said_of("", "mov.u32 %r1, " + repeated("(", 200) + "1" + repeated(")", 200) + ";\n") == "");
}

BOOST_AUTO_TEST_CASE(no_text_uses_up_the_stack) {
    const std::string reason = "more than 256 levels of brackets or operators";
    for (const std::string& operand : {repeated("(", many) + "1" + repeated(")", many), repeated("{", many) + "1" + repeated("}", many),
                                       repeated("-", many) + "1", repeated("1 ? 1 : ", many) + "1"}) {
        const std::string said = said_of("", "mov.u32 %r1, " + operand + ";\n");
        BOOST_TEST(said.find("line 6: " + reason) != std::string::npos, said);
    }
    const std::string said = said_of(".global .u32 x[] = " + repeated("{", many) + "1" + repeated("}", many) + ";\n", "");
    BOOST_TEST(said.find("line 4: " + reason) != std::string::npos, said);
}

BOOST_AUTO_TEST_CASE(sizes_beyond_32_bits_are_refused) {
    const std::string said = said_of("", ".local .align 8 .b8 frame[4294967296];\n");
    BOOST_TEST(said.find("line 6: a variable of 4 GiB or more") != std::string::npos, said);
    const std::string product = said_of("", ".local .align 8 .b64 frame[65536][65536];\n");
    BOOST_TEST(product.find("line 6: a variable of 4 GiB or more") != std::string::npos, product);
}

BOOST_AUTO_TEST_SUITE_END()
