// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Dispatchers: what runs expressions, on a stream, through policies; and launch functors, bound once.

#ifndef HANABI_DISPATCHER_HPP
#define HANABI_DISPATCHER_HPP

#include <hanabi/detail/execute.hpp>
#include <hanabi/detail/launch.hpp>
#include <hanabi/expression.hpp>
#include <hanabi/kernel.hpp>
#include <hanabi/launch_view.hpp>
#include <hanabi/registry.hpp>
#include <hanabi/stream.hpp>

#include <cstddef>
#include <system_error>
#include <type_traits>
#include <utility>

namespace hanabi {

namespace detail {

/// What follows `before`, without and with a token from it. Concepts of their own: nvcc garbles nested requirements.
template <class P>
concept ends_without_token = requires(const P& policy, const launch_view& view, std::error_code status) {
    requires std::is_void_v<decltype(policy.before(view))>;
    { policy.after(view, status) }
    noexcept;
};
template <class P>
concept ends_with_token = requires(const P& policy, const launch_view& view, std::error_code status) {
    { policy.after(view, policy.before(view), status) }
    noexcept;
};

} // namespace detail

/// Satisfied by profiling policies. `before` is called ahead of each launch and may return a token; `after` is called
/// behind it with the token (if there is one) and the driver's status: success, or what a refused launch got. Both are
/// const and noexcept. Policies are copied with the dispatcher: what they record goes to something that outlives them.
template <class P>
concept launch_policy = std::is_nothrow_copy_constructible_v<P> && requires(const P& policy, const launch_view& view) {
    { policy.before(view) }
    noexcept;
} &&(detail::ends_without_token<P> || detail::ends_with_token<P>);

namespace detail {

template <std::size_t I, class P>
struct policy_slot {
    HANABI_NO_UNIQUE_ADDRESS P policy;
};

template <class Indices, class... P>
struct policy_slots;
template <std::size_t... I, class... P>
struct policy_slots<std::index_sequence<I...>, P...> : policy_slot<I, P>... {};

template <std::size_t I, class P>
HANABI_INLINE constexpr const P& get_policy(const policy_slot<I, P>& slot) noexcept {
    return slot.policy;
}

/// The token of a policy that has none.
struct no_token {};

template <class Policy>
HANABI_INLINE auto begin_policy(const Policy& policy, const launch_view& view) noexcept {
    if constexpr (std::is_void_v<decltype(policy.before(view))>) {
        policy.before(view);
        return no_token{};
    } else
        return policy.before(view);
}
template <class Policy, class Token>
HANABI_INLINE void end_policy(const Policy& policy, const launch_view& view, [[maybe_unused]] Token& token,
                              const std::error_code& status) noexcept {
    if constexpr (std::is_same_v<Token, no_token>)
        policy.after(view, status);
    else
        policy.after(view, std::move(token), status);
}

/// Calls a policy's `after` at the end of its scope, also when that is left by an exception: std::bad_alloc, of a message.
template <class Policy, class Token>
struct after_launch {
    const Policy& policy;
    const launch_view& view;
    const std::error_code& status;
    Token& token;
    bool thrown = true;

    ~after_launch() { end_policy(policy, view, token, thrown ? std::make_error_code(std::errc::not_enough_memory) : status); }
};

/// Calls `go`, and then what of the policies follows it, the last policy's first; their tokens are those from number I on.
template <std::size_t I, class Slots, class Go>
bool end_policies(const Slots&, const launch_view&, const std::error_code&, const Go& go) {
    return go();
}
template <std::size_t I, class Slots, class Go, class Token, class... Tokens>
bool end_policies(const Slots& slots, const launch_view& view, const std::error_code& status, const Go& go, Token& token,
                  Tokens&... tokens) {
    using policy_type = std::remove_cvref_t<decltype(get_policy<I>(slots))>;
    after_launch<policy_type, Token> after{get_policy<I>(slots), view, status, token};
    const bool good = end_policies<I + 1>(slots, view, status, go, tokens...);
    after.thrown = false;
    return good;
}

/// What a dispatcher and a functor share: whose modules, on which stream, through which policies.
template <class... Policies>
struct launcher : policy_slots<std::index_sequence_for<Policies...>, Policies...> {
    static constexpr std::size_t size = sizeof...(Policies);

    shared<registry_state> registry;
    driver::stream_handle stream;
    shared<stream_state> stream_owner; ///< keeps an owned stream alive; null for the registry's own and raw ones

    launcher(shared<registry_state> r, driver::stream_handle s, shared<stream_state> owner, const Policies&... policies)
        : policy_slots<std::index_sequence_for<Policies...>, Policies...>{{policies}...},
          registry{std::move(r)},
          stream{s},
          stream_owner{std::move(owner)} {}

    /// Launches through a binding, or through none yet. Throws what goes wrong, or puts its code where `code` points.
    template <unsigned Terms, class Block, unsigned N, std::size_t Size, std::size_t Alignment, std::size_t Arity>
    HANABI_INLINE void operator()(binding* b, const launch_data<geometry<Terms, Block, N>, Size, Alignment, Arity>& e,
                                  std::error_code* code) const {
        // The arguments apart from the rest: the driver gets their addresses, so they are in memory; all else is to stay in
        // registers, which it can't once its own address is given to anybody.
        if constexpr (size == 0) {
            const argument_block<Size, Alignment> arguments = e.arguments;
            (*this)(b, *e.kernel, e.geometry, arguments.bytes, std::make_index_sequence<Arity>{}, code);
        } else { // by pieces no larger than those that were just written: larger ones are waited for, by a policy's clock too
            argument_block<Size, Alignment> arguments;
            if constexpr (Size % 4 == 0 && Size <= 128)
                copy_words(arguments.bytes, e.arguments.bytes, std::make_index_sequence<Size / 4>{});
            else
                arguments = e.arguments;
            (*this)(b, *e.kernel, e.geometry, arguments.bytes, std::make_index_sequence<Arity>{}, code);
        }
    }

    /// The same from the parts of a launch.
    template <unsigned Terms, class Block, unsigned N, class Indices>
    HANABI_INLINE void operator()(binding* b, const descriptor& kernel, const geometry<Terms, Block, N>& shape, const std::byte* arguments,
                                  Indices indices, std::error_code* code) const {
        if constexpr (sizeof...(Policies) == 0) {
            driver::status s = driver::status::success;
            bool launched = false;
            if (plainly<Terms, N>(b, kernel, shape, arguments, indices, s, launched)) [[likely]] {
                if (code != nullptr && code->value() != 0) code->clear(); // the comparison costs less than the call
            } else {
                const launch_shape copy = copy_of(shape);
                launch_or_raise(*registry, b, {kernel, copy, Terms, shape.attributes.data(), N, arguments, stream}, s, launched, code);
            }
        } else {
            // The policies look at copies: what has been looked at by address is no longer known to the compiler, and the
            // launch would divide by a block of 256 as by any other number. Where all functions of the policies are inline,
            // nothing is copied: what is known of the launch stays in registers, or in the code.
            const launch_shape seen = copy_of(shape);
            const char mark = 0;
            const launch_view view{kernel, seen, Terms, stream, registry->context->handle, arguments, nullptr, &mark};
            if (watched<0, Terms>(b, shape, view, indices, code) && code != nullptr && code->value() != 0) code->clear();
        }
    }

  private:
    template <std::size_t... I>
    HANABI_INLINE static void copy_words([[maybe_unused]] std::byte* to, [[maybe_unused]] const std::byte* from,
                                         std::index_sequence<I...>) noexcept {
        (__builtin_memcpy(to + 4 * I, from + 4 * I, 4), ...);
    }

    template <unsigned Terms, unsigned N, class Indices>
    HANABI_INLINE bool plainly(binding* b, const descriptor& kernel, const launch_shape& shape, const std::byte* arguments, Indices indices,
                               driver::status& s, bool& launched) const noexcept {
        if constexpr (N == 0 && (Terms & term::occupancy) == 0) {
            if (b == nullptr) [[unlikely]]
                return false;
            s = launch_plainly<Terms>(*b, kernel, shape, arguments, stream, indices, launched);
            return launched && s == driver::status::success;
        } else
            return false;
    }

    /// The launch between the policies' before and after, the last policy innermost. False when it was for watched_apart.
    template <std::size_t I, unsigned Terms, class Block, unsigned N, class Indices, class... Tokens>
    HANABI_INLINE bool watched(binding* b, const geometry<Terms, Block, N>& shape, const launch_view& view, Indices indices,
                               std::error_code* code, Tokens&... tokens) const {
        if constexpr (I == size) {
            driver::status s = driver::status::success;
            bool launched = false;
            if (plainly<Terms, N>(b, view.kernel, shape, view.arguments, indices, s, launched)) [[likely]]
                return true;
            const launch_shape copy = copy_of(shape);
            watched_apart<kept_token<Tokens>...>(b, {view.kernel, copy, Terms, shape.attributes.data(), N, view.arguments, stream},
                                                 view.mark, s, launched, code, tokens...);
            return false;
        } else {
            const auto& watcher = get_policy<I>(*this);
            auto token = begin_policy(watcher, view);
            if (!watched<I + 1, Terms>(b, shape, view, indices, code, tokens..., token)) [[unlikely]]
                return false;
            end_policy(watcher, view, token, std::error_code{});
            return true;
        }
    }
    /// How a token goes to watched_apart: as a copy, since one whose address is given away has to be in memory each time.
    template <class Token>
    using kept_token = std::conditional_t<std::is_trivially_copyable_v<Token>, Token, Token&>;

    /// The same from where the policies have been called before: any launch, and all that can go wrong.
    template <class... Tokens>
    HANABI_COLD void watched_apart(binding* b, const launch_request& r, const void* mark, driver::status s, bool launched,
                                   std::error_code* code, Tokens... tokens) const {
        failure f;
        const launch_view view{r.kernel, r.shape, r.terms, stream, registry->context->handle, r.arguments, nullptr, mark};
        end_policies<0>(
            *this, view, f.code, [&] { return registry->launch(b, r, s, launched, f); }, tokens...);
        if (code != nullptr)
            *code = f.code;
        else if (f.code)
            raise(std::move(f));
    }
};

template <class E, class First, class... Rest>
constexpr void report_open(list<First, Rest...>) {
    if constexpr (is_launch<E>::value)
        (void)sizeof(argument_is_not_bound<E::kernel_type::label(), First::name>);
    else
        (void)sizeof(argument_is_not_bound<"expression", First::name>);
}

/// Instantiates the error for an expression that still has open arguments.
template <class E>
constexpr void check_closed() {
    if constexpr (!E::closed) report_open<E>(typename E::open_arguments{});
}

/// What `run.plan(e)` does and returns: hanabi/plan.hpp.
template <class E>
struct plan_of;

} // namespace detail

/// A kernel bound to a registry, a stream and policies: the look-up is done, so that a call only checks and launches. Keeps
/// the modules alive; after registry::unload() every call is errc::module_unloaded. Copies share the binding. Any thread,
/// no lock; launches of several threads on one stream are in no particular order.
template <class Kernel, class... Policies>
class functor {
  public:
    functor(detail::launcher<Policies...> launcher, detail::binding* binding) noexcept
        : launcher_{std::move(launcher)}, binding_{binding} {}

    /// Launches: geometry first, then the arguments, in order or all by name; a std::error_code& behind them makes it the
    /// twin that does not throw. Errors as dispatcher's.
    template <unsigned Terms, class Block, unsigned N, class... A>
    HANABI_INLINE void operator()(const geometry<Terms, Block, N>& shape, A&&... arguments) const {
        if constexpr (ends_in_error_code<A...>())
            call_without_last(std::make_index_sequence<sizeof...(A) - 1>{}, shape, static_cast<A&&>(arguments)...);
        else
            call(nullptr, shape, static_cast<A&&>(arguments)...);
    }

    /// Launched at once: nothing of the geometry can be left open.
    template <class G, class First, class... Open, class... A>
    void operator()(const open_geometry<G, First, Open...>&, A&&...) const {
        (void)sizeof(argument_is_not_bound<Kernel::label(), First::name>);
    }

  private:
    template <class... A>
    static constexpr bool ends_in_error_code() noexcept {
        if constexpr (sizeof...(A) == 0)
            return false;
        else
            return std::is_same_v<typename detail::pick<sizeof...(A) - 1, A...>::type, std::error_code&>;
    }
    template <std::size_t... I, class G, class... A>
    HANABI_INLINE void call_without_last(std::index_sequence<I...>, const G& shape, A&&... arguments) const {
        std::error_code& code = detail::select<sizeof...(A) - 1>(static_cast<A&&>(arguments)...);
        call(&code, shape, detail::select<I>(static_cast<A&&>(arguments)...)...);
    }
    template <class G, class... A>
    HANABI_INLINE void call(std::error_code* code, const G& shape, A&&... arguments) const {
        using configured_type = decltype(Kernel{}[shape]);
        if constexpr (configured_type::template packs<A...>()) {
            detail::argument_block<Kernel::layout.size, Kernel::layout.alignment> block;
            configured_type::pack(block, static_cast<A&&>(arguments)...);
            launcher_(binding_, Kernel::info, Kernel{}[shape].shape, block.bytes, std::make_index_sequence<Kernel::arity>{}, code);
        } else {
            const auto e = Kernel{}[shape](static_cast<A&&>(arguments)...);
            detail::check_closed<std::remove_const_t<decltype(e)>>();
            launcher_(binding_, e, code);
        }
    }

    detail::launcher<Policies...> launcher_;
    detail::binding* binding_;
};

/// Runs expressions: registry, stream and policies. Launches go to the registry's own stream (its context's) unless on()
/// says another. A kernel is looked up and verified at its first launch, or before by registry::require. Copies share
/// everything but the policies, which are copied. Any thread, no lock.
///
/// Errors of a launch: errc::unknown_module, unknown_symbol, signature_mismatch and contract_violated at the first;
/// errc::invalid_geometry naming axis, value and limit; shared_memory_exceeded; module_unloaded; forked_process; the
/// driver's with operation, module::symbol, geometry and stream. What a kernel does wrong shows at a later call.
template <class... Policies>
class dispatcher {
    static_assert((launch_policy<Policies> && ...),
                  "hanabi::dispatcher: a policy needs before(launch_view) and after(launch_view[, token], status), const and noexcept");

  public:
    explicit dispatcher(const hanabi::registry& modules, Policies... policies)
        : launcher_{modules.state(), modules.state()->context->stream, nullptr, policies...} {}

    /// Runs one launch.
    template <class G, std::size_t Size, std::size_t Alignment, std::size_t Arity>
    HANABI_INLINE void operator()(const launch_data<G, Size, Alignment, Arity>& e) const {
        launcher_(launcher_.registry->slots.find(*e.kernel), e, nullptr);
    }
    /// The twin that does not throw for a launch that fails.
    template <class G, std::size_t Size, std::size_t Alignment, std::size_t Arity>
    HANABI_INLINE void operator()(const launch_data<G, Size, Alignment, Arity>& e, std::error_code& code) const {
        launcher_(launcher_.registry->slots.find(*e.kernel), e, &code);
    }

    /// Runs any other expression. Sequences run part by part, and a failing part ends them. Parts beside each other run on
    /// streams of the context's pool (at most 16 with this one), which are joined whatever fails: what is launched later
    /// waits for what was begun. Errors: errc::race, before anything runs; those of the parts.
    template <expression E>
    requires(E::node != node_kind::launch) void operator()(const E& e) const {
        if constexpr (!E::closed)
            detail::check_closed<E>();
        else if constexpr (detail::only_launches<E>())
            e.parts.each_part(detail::launch_each<detail::launcher<Policies...>>{launcher_, nullptr});
        else
            detail::executor<detail::launcher<Policies...>>{launcher_, nullptr}.run_all(e);
    }
    template <expression E>
    requires(E::node != node_kind::launch) void operator()(const E& e, std::error_code& code) const {
        if constexpr (!E::closed)
            detail::check_closed<E>();
        else if constexpr (detail::only_launches<E>()) {
            code.clear();
            e.parts.each_part(detail::launch_each<detail::launcher<Policies...>>{launcher_, &code});
        } else
            detail::executor<detail::launcher<Policies...>>{launcher_, &code}.run_all(e);
    }

    /// An expression with open arguments can't be run: bind them.
    template <class K, class G, class First, class... Open>
    void operator()(const launch<K, G, First, Open...>&) const {
        detail::check_closed<launch<K, G, First, Open...>>();
    }
    template <class K, class G, class First, class... Open>
    void operator()(const launch<K, G, First, Open...>&, std::error_code&) const {
        detail::check_closed<launch<K, G, First, Open...>>();
    }

    /// A launch functor: the kernel looked up and verified now.
    template <kernel_descriptor K>
    functor<K, Policies...> operator[](const K&) const {
        detail::failure f;
        detail::binding* const b = launcher_.registry->bind(K::info, "hanabi::dispatcher[]", f);
        if (b == nullptr) detail::raise(std::move(f));
        return {launcher_, b};
    }

    /// The expression as a CUDA graph, its kernels looked up and verified, its launches checked: a hanabi::plan of its open
    /// placeholders, which replays on this dispatcher's stream and shows each launch to its policies. Include hanabi/plan.hpp.
    /// Errors: those of running the expression; errc::race, and errc::entry_missing with a driver before CUDA 12.0.
    template <expression E>
    typename detail::plan_of<E>::type plan(const E& e) const {
        return detail::plan_of<E>::make(launcher_, e);
    }

    /// The same dispatcher on another stream, which must be of the registry's context.
    /// Error: errc::wrong_context, where the driver can tell.
    dispatcher on(const hanabi::stream& other) const {
        dispatcher copy = on(other.handle());
        copy.launcher_.stream_owner = other.state();
        return copy;
    }
    /// On a raw stream, which must outlive the launches; null is the context's legacy default stream.
    dispatcher on(driver::stream_handle other) const {
        std::string words;
        detail::raise_if(detail::check_stream(*launcher_.registry->context, other, &words, "hanabi::dispatcher::on"), words);
        dispatcher copy = *this;
        copy.launcher_.stream = other;
        copy.launcher_.stream_owner = nullptr;
        return copy;
    }

    /// Blocks until the stream has done all that is queued. Errors: the driver's, those of earlier launches among them.
    void synchronize() const {
        if (const driver::status s = wait(); s != driver::status::success) detail::raise(synchronize_failure(s));
    }
    void synchronize(std::error_code& code) const noexcept {
        const driver::status s = wait();
        code = s == driver::status::success ? std::error_code{} : detail::driver_error_code(launcher_.registry->context.get(), s);
    }

    /// The I-th policy.
    template <std::size_t I>
    const auto& policy() const noexcept {
        return detail::get_policy<I>(launcher_);
    }
    /// The stream that it launches on.
    driver::stream_handle stream() const noexcept { return launcher_.stream; }
    hanabi::context context() const noexcept { return hanabi::context{launcher_.registry->context}; }

  private:
    driver::status wait() const noexcept {
        const detail::context_state& in = *launcher_.registry->context;
        const detail::current_scope scope{in};
        return scope.status() == driver::status::success ? in.driver->stream_synchronize(launcher_.stream) : scope.status();
    }
    HANABI_COLD detail::failure synchronize_failure(driver::status s) const {
        return detail::driver_failure(*launcher_.registry->context, s, "hanabi::dispatcher::synchronize", launcher_.registry->suspects());
    }

    detail::launcher<Policies...> launcher_;
};

template <class... Policies>
dispatcher(const registry&, Policies...) -> dispatcher<Policies...>;

/// A raw launch for those who hold raw handles: exactly this function, on exactly this stream (null is the legacy default
/// stream), with parameters as cuLaunchKernel takes them. Makes the context current; checks nothing else.
inline void launch_on_stream(const context& in, driver::function_handle function, const std::uint32_t (&grid)[3],
                             const std::uint32_t (&block)[3], std::uint32_t shared_bytes, driver::stream_handle stream, void** parameters) {
    const detail::current_scope scope{*in.state()};
    driver::status s = scope.status();
    if (s == driver::status::success)
        s = in.table().launch_kernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, stream, parameters,
                                     nullptr);
    if (s == driver::status::success) return;
    char words[200];
    std::snprintf(
        words, sizeof words,
        "hanabi::launch_on_stream: function %p, grid (%u, %u, %u), block (%u, %u, %u), %u bytes of dynamic shared memory, stream %p",
        static_cast<void*>(function), grid[0], grid[1], grid[2], block[0], block[1], block[2], shared_bytes, static_cast<void*>(stream));
    detail::raise(detail::driver_failure(*in.state(), s, words));
}

} // namespace hanabi

#endif
