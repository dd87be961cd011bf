// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What is taken out of the driver's log. The log texts are those of driver 580 (CUDA 13.0) on an H200.

#define BOOST_TEST_MODULE driver_log
#include <boost/test/unit_test.hpp>

#include <hanabi/driver/failure.hpp>
#include <hanabi/driver/log.hpp>

#include <cstring>
#include <string>
#include <thread>

namespace driver = hanabi::driver;
using driver::status;
using hanabi::detail::newest_explanation;

namespace {

constexpr char captured[] =
    "[19:25:11.809][140199542224704][CUDA][E] Grid Dimension Y of 65536 exceeds maximum value of 65535\n"
    "[19:25:11.809][140199542224704][CUDA][E] Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuLaunchKernel\n"
    "[19:25:11.809][140199542224704][CUDA][E] paramIndex 5 outside of kernel parameter count 1\n"
    "[19:25:11.809][140199542224704][CUDA][E] Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuFuncGetParamInfo\n"
    "[19:25:11.809][140199542224704][CUDA][E] Error handling fatbinary, to get more information when using CUDA Driver APIs use the "
    "CU_JIT_ERROR_LOG_BUFFER and CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES parameters\n"
    "[19:25:11.809][140199542224704][CUDA][E] No device code available for GPU ISA 90\n"
    "[19:25:11.809][140199542224704][CUDA][E] Returning 200 (CUDA_ERROR_INVALID_IMAGE) from cuModuleLoadDataEx\n"
    "[19:25:11.814][140190653007552][CUDA][E] One or more of block dimensions of (2048,1,1) exceeds maximum value of (1024,1024,64)\n"
    "[19:25:11.814][140190653007552][CUDA][E] Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuLaunchKernel\n";
constexpr std::uint64_t first_thread = 140199542224704;
constexpr std::uint64_t second_thread = 140190653007552;

std::string explain(const std::string& text, status wanted, std::uint64_t thread = first_thread) {
    return newest_explanation(text.data(), text.data() + text.size(), wanted, thread);
}

// A driver whose log is a string.
std::string stored;
std::size_t position = 0;
bool broken = false;
driver::status HANABI_CUDAAPI current(driver::log_iterator* iterator, unsigned flags) {
    BOOST_TEST(flags == 0u);
    *iterator = static_cast<driver::log_iterator>(stored.size());
    return status::success;
}
driver::status HANABI_CUDAAPI dump(driver::log_iterator* iterator, char* buffer, std::size_t* size, unsigned flags) {
    BOOST_TEST(flags == 0u);
    BOOST_TEST(*size == 25600u); // all that a driver keeps
    if (broken) return status::invalid_value;
    position = iterator != nullptr ? *iterator : 0;
    *size = stored.size() - position;
    std::memcpy(buffer, stored.data() + position, *size);
    buffer[*size] = '\0';
    return status::success;
}

driver::table logging() {
    driver::table table;
    table.logs_current = current;
    table.logs_dump_to_memory = dump;
    return table;
}

std::string line(const std::string& text) {
    return "[12:00:00.000][" + std::to_string(hanabi::detail::log_thread()) + "][CUDA][E] " + text + "\n";
}

} // namespace

BOOST_AUTO_TEST_CASE(the_newest_call_of_the_thread) {
    BOOST_TEST(explain(captured, status::invalid_image) == "Error handling fatbinary; No device code available for GPU ISA 90");
    BOOST_TEST(explain(captured, status::invalid_value, second_thread) ==
               "One or more of block dimensions of (2048,1,1) exceeds maximum value of (1024,1024,64)");
    BOOST_TEST(explain(captured, status::invalid_value) == ""); // there is one, but a newer call failed otherwise
    BOOST_TEST(explain(captured, status::invalid_image, second_thread) == "");
    BOOST_TEST(explain(captured, status::invalid_image, 1) == "");
    BOOST_TEST(explain("", status::invalid_value) == "");
}

BOOST_AUTO_TEST_CASE(a_call_that_says_nothing) {
    const std::string quiet =
        std::string{captured} + "[19:25:11.820][140199542224704][CUDA][E] Returning 500 (CUDA_ERROR_NOT_FOUND) from cuModuleGetFunction\n";
    BOOST_TEST(explain(quiet, status::not_found) == "");
    BOOST_TEST(explain(quiet, status::invalid_image) == "");
}

BOOST_AUTO_TEST_CASE(interleaved_threads) {
    BOOST_TEST(explain("[t][1][CUDA][E] mine\n[t][2][CUDA][E] other\n[t][2][CUDA][E] Returning 1 (X) from cuX\n[t][1][CUDA][E] Returning 1 "
                       "(X) from cuX\n",
                       status::invalid_value, 1) == "mine");
}

BOOST_AUTO_TEST_CASE(other_formats) {
    // Notes of the driver's about the log itself have no brackets.
    BOOST_TEST(explain("Log buffer has rolled over since the previous dump. The oldest messages will be missing\n"
                       "[t][1][CUDA][E] why\n[t][1][CUDA][E] Returning 1 (X) from cuX\n",
                       status::invalid_value, 1) == "why");
    // A message of two lines.
    BOOST_TEST(explain("[t][1][CUDA][E] first\nsecond\n[t][1][CUDA][E] Returning 1 (X) from cuX", status::invalid_value, 1) ==
               "first second");
    // Warnings belong to calls that succeeded.
    BOOST_TEST(explain("[t][1][CUDA][W] careful\n[t][1][CUDA][E] why\n[t][1][CUDA][E] Returning 1 (X) from cuX\n", status::invalid_value,
                       1) == "why");
    // No numbers for threads: then all are ours.
    BOOST_TEST(explain("[t][main][CUDA][E] why\r\n[t][main][CUDA][E] Returning 1 (X) from cuX\r\n", status::invalid_value, 1) == "why");
    BOOST_TEST(explain("[E] why\n[E] Returning 1\n", status::invalid_value, 1) == "why");
    // Brackets in the message.
    BOOST_TEST(explain("[t][1][CUDA][E] [sic] a[3]\n[t][1][CUDA][E] Returning 1 (X)\n", status::invalid_value, 1) == "[sic] a[3]");
    // Cut short.
    BOOST_TEST(explain("[t][1][CUDA][E] why\n[t][1][CUDA", status::invalid_value, 1) == "");
    BOOST_TEST(explain("[\n[]\n[][\n\n[t][1][CUDA][E]\n[t][1][CUDA][E] Returning \n", status::invalid_value, 1) == "");
    BOOST_TEST(explain("[t][1][CUDA][E] Returning 99999999999999999999999 (X)\n", status::invalid_value, 1) == "");
}

BOOST_AUTO_TEST_CASE(through_a_table) {
    const driver::table table = logging();
    stored = line("Event handle is NULL") + line("Returning 400 (CUDA_ERROR_INVALID_HANDLE) from cuEventQuery");
    BOOST_TEST(driver::explanation(table, status::invalid_handle) == "Event handle is NULL");
    BOOST_TEST(driver::explanation(table, status::invalid_value) == "");
    std::string elsewhere = "not asked";
    std::thread{[&] { elsewhere = driver::explanation(table, status::invalid_handle); }}.join();
    BOOST_TEST(elsewhere == "");
    BOOST_TEST(hanabi::detail::driver_failure(table, status::invalid_handle, "asking an event").message ==
               "asking an event: Event handle is NULL: " + driver::error_text(status::invalid_handle));
}

BOOST_AUTO_TEST_CASE(since_a_mark) {
    const driver::table table = logging();
    stored = line("a probe") + line("Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuFuncGetParamInfo");
    const driver::log_mark mark = driver::mark_log(table);
    BOOST_TEST(mark.valid);
    BOOST_TEST(driver::explanation(table, status::invalid_value) == "a probe");
    BOOST_TEST(driver::explanation_since(table, status::invalid_value, mark) == "");
    stored += line("the reason") + line("Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuLaunchKernel");
    BOOST_TEST(driver::explanation_since(table, status::invalid_value, mark) == "the reason");
    BOOST_TEST(driver::explanation_since(table, status::invalid_value, mark) == "the reason"); // the mark stays
}

BOOST_AUTO_TEST_CASE(drivers_without_a_log) {
    const driver::table none;
    BOOST_TEST(driver::explanation(none, status::invalid_value) == "");
    const driver::log_mark mark = driver::mark_log(none);
    BOOST_TEST(!mark.valid);
    BOOST_TEST(driver::explanation_since(none, status::invalid_value, mark) == "");

    const driver::table table = logging();
    broken = true;
    BOOST_TEST(driver::explanation(table, status::invalid_value) == "");
    broken = false;
}
