// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// A plug-in with a descriptor of its own, PLUGIN_KERNEL of the module "plugins", that launches on a registry it is given.

#include <hanabi/dispatcher.hpp>
#include <hanabi/format.hpp>

namespace {
constexpr hanabi::kernel<"plugins", PLUGIN_KERNEL, void(int), hanabi::names<"n">> own;
constexpr hanabi::kernel<"plugins", "missing", void()> missing;
} // namespace

/// Launches, by a functor the second time.
extern "C" __attribute__((visibility("default"))) void hanabi_test_plugin_run(const hanabi::registry& modules, int n) {
    const hanabi::dispatcher run{modules};
    run(own[hanabi::over(n)](n));
    const auto launch = run[own];
    launch(hanabi::over(n), n + 1);
}
/// Ends in errc::unknown_symbol.
extern "C" __attribute__((visibility("default"))) void hanabi_test_plugin_fail(const hanabi::registry& modules) {
    hanabi::dispatcher{modules}(missing[hanabi::over(1)]());
}
/// The number of its descriptor.
extern "C" __attribute__((visibility("default"))) unsigned hanabi_test_plugin_slot() { return *decltype(own)::info.slot; }
/// In a forked child: whether a launch is refused as that.
extern "C" __attribute__((visibility("default"))) bool hanabi_test_plugin_forked(const hanabi::registry& modules) {
    std::error_code ec;
    hanabi::dispatcher{modules}(own[hanabi::over(1)](1), ec);
    return ec == hanabi::errc::forked_process;
}
