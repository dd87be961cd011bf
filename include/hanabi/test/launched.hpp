// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Launches that the host driver accepted, as a test looks at them.

#ifndef HANABI_TEST_LAUNCHED_HPP
#define HANABI_TEST_LAUNCHED_HPP

#include <hanabi/device_ptr.hpp>
#include <hanabi/error.hpp>
#include <hanabi/host/body.hpp>
#include <hanabi/host/launches.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/literals.hpp>
#include <hanabi/test/known_kernel.hpp>
#include <hanabi/test/print_host.hpp>
#include <hanabi/test/print_kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hanabi::test {

namespace detail {

/// What tests see of a parameter: device_ptr<T> of a T*, so that nobody dereferences it; else the parameter's own type.
template <class P>
struct seen {
    using type = P;
    static const P& from(const P& value) noexcept { return value; }
};
template <class T>
requires(!std::is_function_v<T>) struct seen<T*> {
    using type = device_ptr<T>;
    static device_ptr<T> from(T* value) noexcept { return device_ptr<T>{value}; }
};

/// A parameter's value out of its bytes, wherever they lie.
template <class P>
typename seen<P>::type read(const std::byte* bytes) {
    host::detail::argument_cell<P> cell;
    cell.load(bytes);
    return seen<P>::from(cell.get());
}

} // namespace detail

template <class Kernel>
class launched_as;

/// One launch, of whatever kernel. A value: it outlives the driver's objects.
class launched {
  public:
    explicit launched(host::launch_record record) : record_{std::move(record)} {}

    /// 1 for the first launch since the fixture began.
    std::uint64_t number() const noexcept { return record_.number; }
    const std::string& module() const noexcept { return record_.module; }
    const std::string& symbol() const noexcept { return record_.symbol; }
    host::extent grid() const noexcept { return record_.grid; }             ///< blocks
    host::extent block() const noexcept { return record_.block; }           ///< threads
    host::extent cluster() const noexcept { return record_.cluster; }       ///< blocks; zeros without clusters
    unsigned shared_bytes() const noexcept { return record_.shared_bytes; } ///< dynamic shared memory of a block
    driver::stream_handle stream() const noexcept { return record_.stream; }
    /// All that the driver has recorded.
    const host::launch_record& record() const noexcept { return record_; }

    /// Whether it is a launch of this kernel: module, symbol, and sizes of the parameters.
    template <kernel_descriptor K>
    bool is(const K&) const {
        return detail::is_named(record_, K::info) && detail::has_parameters_of(record_, K::info);
    }

    /// The launch with the kernel's parameters. Error: errc::invalid_argument if it is one of another kernel.
    template <kernel_descriptor K>
    launched_as<K> as(const K& kernel) const {
        if (!is(kernel))
            hanabi::detail::raise(errc::invalid_argument, "hanabi::test::launched::as: the launch is " +
                                                              detail::record_text(record_, detail::known_kernel(record_)) +
                                                              ", not one of " + detail::descriptor_text(K::info));
        return launched_as<K>{record_};
    }

    /// As the launch record prints.
    friend std::ostream& operator<<(std::ostream& out, const launched& l) { return out << l.record_; }

  private:
    host::launch_record record_;
};

/// A launch of a kernel, its arguments by position or name, in the types of the parameters; pointers as device_ptr.
template <class Kernel>
class launched_as : public launched {
    template <std::size_t I, class... P>
    static hanabi::detail::pick<I, P...> pick_of(hanabi::detail::list<P...>);

  public:
    explicit launched_as(host::launch_record record) : launched{std::move(record)} { detail::remember(Kernel::info); }

    /// The I-th argument, from 0.
    template <std::size_t I>
    auto get() const {
        static_assert(I < Kernel::arity, "hanabi::test::launched_as: the kernel has no parameter of that number; the first is 0");
        return detail::read<typename decltype(pick_of<I>(typename Kernel::parameters{}))::type>(record().arguments[I].data());
    }

    /// The argument of a name: `launch["alpha"_arg]`.
    template <text Name>
    auto operator[](argument_name<Name>) const {
        constexpr std::size_t i = position(Name.view());
        if constexpr (i == Kernel::arity) {
            (void)sizeof(no_parameter_of_that_name<Kernel::label(), Name>);
            return 0;
        } else
            return get<i>();
    }

  private:
    static constexpr std::size_t position(name_view name) noexcept {
        std::size_t i = 0;
        while (i < Kernel::arity && !(Kernel::info.parameter_name(i) == name)) ++i;
        return i;
    }
};

/// The launches since the fixture began, oldest first (the newest host::options::kept_launches of them).
inline std::vector<launched> launches() {
    std::vector<launched> all;
    for (host::launch_record& r : host::launches()) all.emplace_back(std::move(r));
    return all;
}

/// Those of one kernel.
template <kernel_descriptor K>
std::vector<launched_as<K>> launches(const K&) {
    std::vector<launched_as<K>> all;
    for (host::launch_record& r : host::launches())
        if (detail::is_named(r, K::info) && detail::has_parameters_of(r, K::info)) all.emplace_back(std::move(r));
    return all;
}

} // namespace hanabi::test

#endif
