// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Assertions on launches, for BOOST_TEST, BOOST_CHECK and BOOST_REQUIRE: when they fail, they tell what was launched
/// instead.

#ifndef HANABI_TEST_WAS_LAUNCHED_HPP
#define HANABI_TEST_WAS_LAUNCHED_HPP

#include <hanabi/host/launches.hpp>
#include <hanabi/test/known_kernel.hpp>
#include <hanabi/test/launch_pattern.hpp>
#include <hanabi/test/launched.hpp>
#include <hanabi/test/print_host.hpp>

#include <boost/test/test_tools.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hanabi::test {

namespace detail {

/// The most launches that a message lists.
inline constexpr std::size_t listed_launches = 16;

inline boost::test_tools::assertion_result failed(const std::string& message) {
    boost::test_tools::assertion_result result{false};
    result.message() << message;
    return result;
}

/// How many launches there were, for the beginning of a list.
inline std::string number_of_launches(const std::vector<host::launch_record>& all) {
    if (all.empty()) return "nothing was launched";
    std::string s = all.size() == 1 ? "there was 1 launch" : "there were " + std::to_string(all.size()) + " launches";
    if (const std::uint64_t count = host::launch_count(); count > all.size())
        s = "there were " + std::to_string(count) + " launches, and the newest " + std::to_string(all.size()) +
            " are kept (host::options::kept_launches)";
    return s;
}

/// A launch in a list, and what about it is not as expected.
inline std::string comparison(const host::launch_record& r, const launch_pattern& pattern) {
    if (!pattern.is_of_kernel(r)) return record_text(r, known_kernel(r));
    const std::vector<std::string> wrong = pattern.mismatches(r);
    std::string s = record_text(r, has_parameters_of(r, pattern.kernel()) ? &pattern.kernel() : nullptr);
    for (std::size_t i = 0; i < wrong.size(); ++i) s += (i == 0 ? ": " : "; ") + wrong[i];
    return s;
}

/// The launches there were, the nearest to the pattern first: those of its kernel, by how much is wrong with them, then the
/// others; equally near ones as they came.
inline std::string nearest_launches(const std::vector<host::launch_record>& all, const launch_pattern& pattern) {
    std::vector<std::pair<std::size_t, std::size_t>> order; // how far, and where in the list
    for (std::size_t i = 0; i < all.size(); ++i)
        order.emplace_back(pattern.is_of_kernel(all[i]) ? pattern.mismatches(all[i]).size() : ~std::size_t{0}, i);
    std::sort(order.begin(), order.end());
    std::string s;
    for (std::size_t i = 0; i < order.size() && i < listed_launches; ++i) s += "\n  " + comparison(all[order[i].second], pattern);
    if (order.size() > listed_launches) s += "\n  and " + std::to_string(order.size() - listed_launches) + " more";
    return s;
}

inline std::size_t count_matches(const std::vector<host::launch_record>& all, const launch_pattern& pattern) {
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [&](const host::launch_record& r) { return pattern.matches(r); }));
}

inline boost::test_tools::assertion_result judge_launched(const launch_pattern& pattern) {
    const std::vector<host::launch_record> all = host::launches();
    if (count_matches(all, pattern) != 0) return true;
    return failed("no launch of " + pattern.text() + "; " + number_of_launches(all) + (all.empty() ? "" : ", the nearest first:") +
                  nearest_launches(all, pattern));
}

inline boost::test_tools::assertion_result judge_times(const launch_pattern& pattern, std::uint64_t times) {
    const std::vector<host::launch_record> all = host::launches();
    const std::size_t found = count_matches(all, pattern);
    if (found == times) return true;
    const std::string what = found == 0 ? "no launch" : found == 1 ? "1 launch" : std::to_string(found) + " launches";
    return failed(what + " of " + pattern.text() + ", not " + std::to_string(times) + "; " + number_of_launches(all) +
                  (all.empty() ? "" : ", the nearest first:") + nearest_launches(all, pattern));
}

inline boost::test_tools::assertion_result judge_order(const std::vector<launch_pattern>& patterns) {
    const std::vector<host::launch_record> all = host::launches();
    std::vector<const launch_pattern*> found(all.size());
    std::size_t at = 0;
    std::size_t next = 0;
    for (; next < patterns.size(); ++next, ++at) {
        while (at < all.size() && !patterns[next].matches(all[at])) ++at;
        if (at == all.size()) break;
        found[at] = &patterns[next];
    }
    if (next == patterns.size()) return true;
    std::string s = "no launch of " + patterns[next].text();
    if (next != 0) s += " after that of " + patterns[next - 1].text();
    s += "; " + number_of_launches(all) + (all.empty() ? "" : ", in this order:");
    // From where it gets interesting: the first that was found, or the first after it that might have been the missing one.
    std::size_t from = 0;
    if (all.size() > listed_launches)
        for (std::size_t i = all.size(); i-- > 0;)
            if (found[i] != nullptr) {
                from = std::min(i, all.size() - listed_launches);
                break;
            }
    if (from != 0) s += "\n  " + std::to_string(from) + " others";
    for (std::size_t i = from; i < all.size() && i < from + listed_launches; ++i) {
        s += "\n  " + comparison(all[i], found[i] != nullptr ? *found[i] : patterns[next]);
        if (found[i] != nullptr) s += ": as expected";
    }
    if (all.size() > from + listed_launches) s += "\n  and " + std::to_string(all.size() - from - listed_launches) + " more";
    return failed(s);
}

} // namespace detail

/// Whether there was such a launch since the fixture began: `BOOST_TEST(was_launched(axpy, 2.0f, any, any, 1024))`. Takes
/// what a_launch_of takes: a kernel, or a kernel with its geometry, and arguments; or a launch expression. False lists the
/// launches there were, the nearest first, each with what about it differs.
template <class Launch, class... A>
boost::test_tools::assertion_result was_launched(const Launch& what, A&&... arguments) {
    return detail::judge_launched(a_launch_of(what, static_cast<A&&>(arguments)...));
}

/// Whether there was none.
template <class Launch, class... A>
boost::test_tools::assertion_result never_launched(const Launch& what, A&&... arguments) {
    return detail::judge_times(a_launch_of(what, static_cast<A&&>(arguments)...), 0);
}

/// Whether there were exactly so many: `launched_times(axpy, 3)`, `launched_times(a_launch_of(axpy, 2.0f, any, any, n), 2)`.
template <class Launch, std::integral Count>
boost::test_tools::assertion_result launched_times(const Launch& what, Count times) {
    if (times < Count{}) return detail::failed("a launch can't have happened " + std::to_string(times) + " times");
    return detail::judge_times(a_launch_of(what), static_cast<std::uint64_t>(times));
}

/// Whether there were such launches one after another, others between them or not: each is a kernel, a kernel with its
/// geometry, a launch expression or an a_launch_of(...). Launches are in the order in which the driver accepted them,
/// whatever their streams.
template <class... Launch>
boost::test_tools::assertion_result was_launched_in_order(const Launch&... what) {
    return detail::judge_order({a_launch_of(what)...});
}

} // namespace hanabi::test

#endif
