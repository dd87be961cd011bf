// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Statuses in words: names, descriptions, what they leave unusable, error codes, and the messages of failing calls. With no
/// driver loaded.

#define BOOST_TEST_MODULE driver_status
#include <boost/test/unit_test.hpp>

#include <hanabi/driver/error_text.hpp>
#include <hanabi/driver/failure.hpp>
#include <hanabi/driver/status.hpp>
#include <hanabi/error.hpp>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <system_error>

namespace driver = hanabi::driver;
using driver::status;

namespace {

// Usable in constant expressions.
static_assert(driver::name_of(status::success)[0] == 'C');
static_assert(driver::is_sticky(status::illegal_address));
static_assert(static_cast<unsigned>(status::unknown) == 999);

constexpr status known[] = {
#define HANABI_STATUS(enumerator, number, name, description) status::enumerator,
    HANABI_DRIVER_STATUSES(HANABI_STATUS)
#undef HANABI_STATUS
};

// A driver with words of its own, which knows two statuses.
driver::status HANABI_CUDAAPI own_name(status code, const char** text) {
    if (code != status::invalid_value && code != static_cast<status>(917)) return status::invalid_value;
    *text = code == status::invalid_value ? "CUDA_ERROR_INVALID_VALUE" : "CUDA_ERROR_OF_TOMORROW";
    return status::success;
}
driver::status HANABI_CUDAAPI own_string(status code, const char** text) {
    *text = nullptr;
    if (code != status::invalid_value) return status::invalid_value;
    *text = "invalid argument";
    return status::success;
}

driver::table driver_with_words() {
    driver::table table;
    table.get_error_name = own_name;
    table.get_error_string = own_string;
    return table;
}

} // namespace

BOOST_AUTO_TEST_CASE(texts) {
    BOOST_TEST(driver::error_text(status::success) == "CUDA_SUCCESS (0): no error");
    BOOST_TEST(driver::error_text(status::invalid_value) == "CUDA_ERROR_INVALID_VALUE (1): an argument is outside what the call accepts");
    BOOST_TEST(driver::error_text(status::assert_).starts_with("CUDA_ERROR_ASSERT (710): "));
    BOOST_TEST(driver::error_text(status::unknown).starts_with("CUDA_ERROR_UNKNOWN (999): "));
}

BOOST_AUTO_TEST_CASE(statuses_without_words) {
    BOOST_TEST(driver::error_text(static_cast<status>(917)) == "CUDA_UNKNOWN (917): (no message)");
    BOOST_TEST(driver::error_text(static_cast<status>(4294967295u)) == "CUDA_UNKNOWN (4294967295): (no message)");
    BOOST_TEST(driver::error_text(status::unknown, nullptr, nullptr) == "CUDA_UNKNOWN (999): (no message)");
    BOOST_TEST(driver::error_text(status::unknown, "", "") == "CUDA_UNKNOWN (999): (no message)");
}

BOOST_AUTO_TEST_CASE(every_status_has_words) {
    std::set<std::string> names;
    std::set<std::string> descriptions;
    for (const status s : known) {
        const std::string name = driver::name_of(s);
        BOOST_TEST((name == "CUDA_SUCCESS" || name.starts_with("CUDA_ERROR_")), name);
        BOOST_TEST(names.insert(name).second, name << " is there twice");
        const std::string description = driver::description_of(s);
        BOOST_TEST(!description.empty(), name);
        BOOST_TEST(!description.ends_with("."), name);
        BOOST_TEST(descriptions.insert(description).second, name << " has another's description");
    }
    BOOST_TEST(std::size(known) == 101u); // CUDA 13.0's
}

BOOST_AUTO_TEST_CASE(what_is_lost) {
    const std::set<unsigned> process{226, 700, 702, 714, 715, 716, 717, 718, 719, 721, 810, 911};
    for (const status s : known) {
        const auto number = static_cast<unsigned>(s);
        const driver::damage expected = process.contains(number) ? driver::damage::process
                                        : number == 710          ? driver::damage::context
                                                                 : driver::damage::none;
        BOOST_TEST((driver::damage_of(s) == expected), number);
        BOOST_TEST(driver::is_sticky(s) == (expected != driver::damage::none), number);
        BOOST_TEST(driver::is_teardown(s) == (number == 4 || number == 201 || number == 709), number);
    }
    BOOST_TEST((driver::damage_of(static_cast<status>(917)) == driver::damage::none));
}

BOOST_AUTO_TEST_CASE(advice) {
    for (const unsigned number : {3u, 34u, 100u, 200u, 209u, 218u, 221u, 222u, 223u, 225u, 802u, 803u, 804u, 700u, 710u, 719u}) {
        const std::string text = driver::advice_for(static_cast<status>(number));
        BOOST_TEST(!text.empty(), number);
        BOOST_TEST(!text.ends_with("."), number);
    }
    for (const unsigned number : {0u, 1u, 2u, 600u, 917u}) BOOST_TEST(driver::advice_for(static_cast<status>(number)) == std::string{});
    BOOST_TEST(std::strstr(driver::advice_for(status::illegal_address), "process") != nullptr);
    BOOST_TEST(std::strstr(driver::advice_for(status::assert_), "context") != nullptr);
}

BOOST_AUTO_TEST_CASE(error_codes) {
    const std::error_code code = status::out_of_memory; // is_error_code_enum
    BOOST_TEST(&code.category() == &hanabi::driver_category());
    BOOST_TEST(code.value() == 2);
    BOOST_TEST(code.category().name() == std::string{"cuda driver"});
    BOOST_TEST(code.message() == driver::error_text(status::out_of_memory));
    BOOST_TEST(!std::error_code{status::success});
    BOOST_TEST(code == status::out_of_memory);
    BOOST_TEST(code != std::error_code(hanabi::errc::no_driver));
    BOOST_TEST(make_error_code(static_cast<status>(4242)).message() == "CUDA_UNKNOWN (4242): (no message)");

    const std::error_code ours = hanabi::errc::unknown_symbol;
    BOOST_TEST(&ours.category() == &hanabi::library_category());
    BOOST_TEST(ours.message() == "no such symbol");
    BOOST_TEST(std::error_code(1, hanabi::library_category()) != std::error_code(1, hanabi::driver_category()));
    BOOST_TEST(std::error_code(4242, hanabi::library_category()).message() == "unknown error");
}

BOOST_AUTO_TEST_CASE(the_exception) {
    try {
        hanabi::detail::raise(status::invalid_value, "launching blas::axpy: " + driver::error_text(status::invalid_value));
        BOOST_FAIL("no exception");
    } catch (const std::system_error& e) {
        BOOST_TEST(e.code() == status::invalid_value);
        BOOST_TEST(e.what() ==
                   std::string{"launching blas::axpy: CUDA_ERROR_INVALID_VALUE (1): an argument is outside what the call accepts"});
        BOOST_TEST(dynamic_cast<const hanabi::error*>(&e) != nullptr);
    }
}

BOOST_AUTO_TEST_CASE(the_drivers_words_come_first) {
    const driver::table table = driver_with_words();
    BOOST_TEST(driver::error_text(table, status::invalid_value) == "CUDA_ERROR_INVALID_VALUE (1): invalid argument");
    BOOST_TEST(driver::error_text(table, static_cast<status>(917)) == "CUDA_ERROR_OF_TOMORROW (917): (no message)"); // newer than the list
    BOOST_TEST(driver::error_text(table, status::key_rotation) == "CUDA_ERROR_KEY_ROTATION (916): key rotation failed"); // older than it
    BOOST_TEST(driver::error_text(table, static_cast<status>(918)) == "CUDA_UNKNOWN (918): (no message)");
    BOOST_TEST(driver::error_text(driver::table{}, status::success) == "CUDA_SUCCESS (0): no error"); // a table with nothing in it
}

BOOST_AUTO_TEST_CASE(failures) {
    const driver::table table = driver_with_words();
    const auto plain = hanabi::detail::driver_failure(table, status::invalid_value, "launching blas::axpy");
    BOOST_TEST(plain.code == status::invalid_value);
    BOOST_TEST(plain.message == "launching blas::axpy: CUDA_ERROR_INVALID_VALUE (1): invalid argument");
    BOOST_TEST(hanabi::detail::driver_failure(table, status::invalid_value, "launching blas::axpy", "grid y is too large").message ==
               "launching blas::axpy: grid y is too large: CUDA_ERROR_INVALID_VALUE (1): invalid argument");
    const auto sticky = hanabi::detail::driver_failure(table, status::illegal_address, "loading m").message;
    BOOST_TEST(sticky.starts_with("loading m; an earlier launch failed; CUDA is unusable until this process is restarted: "
                                  "CUDA_ERROR_ILLEGAL_ADDRESS (700): "),
               sticky);
}

BOOST_AUTO_TEST_CASE(versions) {
    BOOST_TEST(driver::version_text(12040) == "12.4");
    BOOST_TEST(driver::version_text(13000) == "13.0");
    BOOST_TEST(driver::version_text(2010) == "2.1");
    BOOST_TEST(driver::version_text(12090) == "12.9");
}
