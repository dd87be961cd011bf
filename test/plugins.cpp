// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Shared objects with descriptors of their own, built with hidden symbols and opened with local ones, against one registry.
// The program exports its symbols (-rdynamic), so that what the library has once in a process is once there.

#define BOOST_TEST_MODULE plugins
#include <boost/test/unit_test.hpp>

#include "support/launching.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

using hanabi::errc;
using hanabi::registry;
using hanabi::driver::entry;
using hanabi::driver::status;
namespace host = hanabi::host;

namespace {

constexpr char ptx[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry first(.param .u32 n) { ret; }
.visible .entry second(.param .u32 n) { ret; }
.visible .entry third(.param .u32 n) { ret; }
)";
constexpr hanabi::kernel<"plugins", "third", void(int)> third;

class plugin {
  public:
    explicit plugin(const std::string& name)
        : library_{dlopen((std::string{HANABI_TEST_LIB_DIR} + "/" + name + ".so").c_str(), RTLD_NOW | RTLD_LOCAL)} {
        const char* const why = library_ == nullptr ? dlerror() : nullptr;
        BOOST_REQUIRE_MESSAGE(library_ != nullptr, why);
    }
    ~plugin() { dlclose(library_); }
    plugin(const plugin&) = delete;

    void run(const registry& r, int n) const { find<void(const registry&, int)>("hanabi_test_plugin_run")(r, n); }
    void fail(const registry& r) const { find<void(const registry&)>("hanabi_test_plugin_fail")(r); }
    unsigned slot() const { return find<unsigned()>("hanabi_test_plugin_slot")(); }
    bool forked(const registry& r) const { return find<bool(const registry&)>("hanabi_test_plugin_forked")(r); }

  private:
    template <class F>
    F* find(const char* name) const {
        void* const symbol = dlsym(library_, name);
        BOOST_REQUIRE(symbol != nullptr);
        return reinterpret_cast<F*>(symbol);
    }
    void* library_;
};

/// The kernels that were launched, in order: `first(3) `.
std::string launched() {
    std::string s;
    for (const auto& one : host::launches()) s += one.symbol + "(" + std::to_string(one.argument<int>(0).value_or(-1)) + ") ";
    return s;
}

struct module : recording {
    registry r = load(ptx, "plugins");
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(plugins, module)

BOOST_AUTO_TEST_CASE(each_launches_its_own_kernel) {
    HANABI_SKIP_ON_CUDA("looks at the launches");
    const hanabi::dispatcher run{r};
    const plugin one{"plugin_first"}, two{"plugin_second"};
    one.run(r, 3);
    two.run(r, 5);
    run(third[hanabi::over(1)](9));
    one.run(r, 7);
    two.run(r, 1);
    BOOST_TEST(launched() == "first(3) first(4) second(5) second(6) third(9) first(7) first(8) second(1) second(2) ");
    BOOST_TEST(one.slot() != 0u);
    BOOST_TEST(two.slot() != 0u);
}

BOOST_AUTO_TEST_CASE(errors_cross_the_boundary) {
    const plugin one{"plugin_first"};
    HANABI_CHECK_ERROR(one.fail(r), errc::unknown_symbol, "plugins::missing", "plugin.cpp:");
    if (on_host()) {
        one.run(r, 1);
        host::fail(entry::launch_kernel, status::launch_out_of_resources);
        HANABI_CHECK_ERROR(one.run(r, 1), status::launch_out_of_resources, "plugins::first", "(701)");
    }
    r.unload();
    HANABI_CHECK_ERROR(one.run(r, 1), errc::module_unloaded, "plugins::first");
}

BOOST_AUTO_TEST_CASE(one_is_closed_and_another_opened_in_its_place) {
    HANABI_SKIP_ON_CUDA("looks at the launches");
    { plugin{"plugin_first"}.run(r, 3); }
    { plugin{"plugin_second"}.run(r, 4); }
    { plugin{"plugin_first"}.run(r, 5); }
    BOOST_TEST(launched() == "first(3) first(4) second(4) second(5) first(5) first(6) ");
    // The closed ones are still named.
    host::fail(entry::stream_synchronize, status::launch_failed);
    HANABI_CHECK_ERROR(hanabi::dispatcher{r}.synchronize(), status::launch_failed, "plugins::first with a grid of 1",
                       "plugins::second with a grid of 1");
}

BOOST_AUTO_TEST_CASE(forking) {
    HANABI_SKIP_ON_CUDA("the real driver's part of it is in fork");
    const plugin one{"plugin_first"};
    one.run(r, 3);
    const pid_t child = ::fork();
    if (child == 0) {
        alarm(30);
        _exit(one.forked(r) ? 0 : 1);
    }
    int ended = -1;
    BOOST_REQUIRE(waitpid(child, &ended, 0) == child);
    BOOST_TEST((WIFEXITED(ended) && WEXITSTATUS(ended) == 0));
    one.run(r, 3);
}

BOOST_AUTO_TEST_SUITE_END()
