// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// What a kernel's author promises beyond the parameter types: the contracts that follow the signature in a descriptor.

#ifndef HANABI_CONTRACT_HPP
#define HANABI_CONTRACT_HPP

#include <hanabi/text.hpp>

#include <cstddef>

namespace hanabi {

/// What is wrong with a kernel's contracts, taken together.
enum class contract_fault : unsigned char {
    none,
    names_are_given_twice,
    hidden_is_given_twice,
    max_threads_is_given_twice,
    required_threads_is_given_twice,
    cluster_size_is_given_twice,
    required_threads_are_more_than_max_threads,
    bytes_is_given_twice,
    operations_is_given_twice,
    bytes_or_operations_name_no_parameter,
    two_parameters_have_one_name ///< found when the kernel is called by name: looking at each declaration would cost compilers more than all else there
};

/// The error of contracts that can't be kept together, or that are none.
template <text Kernel, contract_fault Because>
struct contracts_are_wrong;

/// An amount of work that a kernel declares: a factor times the values of integer parameters.
struct work_amount {
    unsigned long long factor = 0; ///< 0 where nothing was said
    const name_view* names = nullptr;
    unsigned name_count = 0;
};

/// The contracts of one kernel as numbers; 0 where nothing was said.
struct contract_set {
    const name_view* names = nullptr; ///< one for each parameter, or null
    unsigned name_count = 0;
    unsigned hidden = 0;                         ///< trailing pointer parameters that only some binaries of the kernel have
    unsigned max_threads = 0;                    ///< most threads in a block
    unsigned required[3] = {};                   ///< the one block size that works
    unsigned cluster[3] = {};                    ///< the cluster size it is launched with, in blocks
    work_amount bytes;                           ///< read and written by one launch
    work_amount operations;                      ///< of floating point, in one launch
    bool allows_pdl = false;                     ///< safe under programmatic dependent launch
    contract_fault fault = contract_fault::none; ///< a kernel with another does not compile

    /// True when a block size was required.
    constexpr bool has_required_threads() const noexcept { return required[0] != 0; }

    // No templates, because most kernels have names of their own, and what is done for each of them counts.
    constexpr void set_names(const name_view* list, unsigned count) noexcept {
        if (names != nullptr) fault = contract_fault::names_are_given_twice;
        names = list;
        name_count = count;
    }
    constexpr void check() noexcept {
        if (max_threads != 0 && required[0] * required[1] * required[2] > max_threads)
            fault = contract_fault::required_threads_are_more_than_max_threads;
        if (bytes.name_count + operations.name_count != 0 && !(knows(bytes) && knows(operations)))
            fault = contract_fault::bytes_or_operations_name_no_parameter;
    }

  private:
    constexpr bool knows(const work_amount& amount) const noexcept {
        for (unsigned i = 0; i < amount.name_count; ++i) {
            unsigned n = 0;
            while (n < name_count && !(names[n] == amount.names[i])) ++n;
            if (n == name_count) return false;
        }
        return true;
    }
};

/// The parameters' names, in order, one for each parameter: for messages, traces and calls by name.
template <text... Names>
struct names {
    static constexpr name_view list[sizeof...(Names) + 1] = {Names.view()...};
    static constexpr void apply(contract_set& contracts) noexcept { contracts.set_names(list, sizeof...(Names)); }
};

/// Up to N pointer parameters behind the declared ones, which a compiler adds to some binaries (Triton's scratch
/// pointers): passed as null when the loaded kernel has them.
template <unsigned N>
struct hidden {
    static constexpr void apply(contract_set& contracts) noexcept {
        if (contracts.hidden != 0) contracts.fault = contract_fault::hidden_is_given_twice;
        contracts.hidden = N;
    }
};

/// At most N threads in a block: what __launch_bounds__(N) promised the compiler (PTX .maxntid).
template <unsigned N>
struct max_threads {
    static_assert(N >= 1 && N <= 1024, "max_threads<N>: a block has 1 to 1024 threads");
    static constexpr void apply(contract_set& contracts) noexcept {
        if (contracts.max_threads != 0) contracts.fault = contract_fault::max_threads_is_given_twice;
        contracts.max_threads = N;
    }
};

/// Blocks of exactly X by Y by Z threads (PTX .reqntid). A launch of such a kernel may leave the block out.
template <unsigned X, unsigned Y = 1, unsigned Z = 1>
struct required_threads {
    static_assert(X >= 1 && Y >= 1 && Z >= 1 && Z <= 64 && X <= 1024 && Y <= 1024 && X * Y * Z <= 1024,
                  "required_threads<X, Y, Z>: each at least 1, z at most 64, the product at most 1024");
    static constexpr void apply(contract_set& contracts) noexcept {
        if (contracts.required[0] != 0) contracts.fault = contract_fault::required_threads_is_given_twice;
        contracts.required[0] = X;
        contracts.required[1] = Y;
        contracts.required[2] = Z;
    }
};

/// Clusters of X by Y by Z blocks (__cluster_dims__, PTX .reqnctapercluster): every launch has this cluster size.
template <unsigned X, unsigned Y = 1, unsigned Z = 1>
struct cluster_size {
    static_assert(X >= 1 && Y >= 1 && Z >= 1 && X * Y * Z <= 16, "cluster_size<X, Y, Z>: each at least 1, the product at most 16");
    static constexpr void apply(contract_set& contracts) noexcept {
        if (contracts.cluster[0] != 0) contracts.fault = contract_fault::cluster_size_is_given_twice;
        contracts.cluster[0] = X;
        contracts.cluster[1] = Y;
        contracts.cluster[2] = Z;
    }
};

/// What one launch reads and writes, in bytes: Factor times the values of the named integer parameters. Profiles derive GB/s
/// from it. `bytes<12, "n">` for y = a x + y over floats; `bytes<8, "width", "height">` for an image.
template <unsigned long long Factor, text... Names>
struct bytes {
    static constexpr name_view list[sizeof...(Names) + 1] = {Names.view()...};
    static constexpr void apply(contract_set& contracts) noexcept {
        if (contracts.bytes.factor != 0) contracts.fault = contract_fault::bytes_is_given_twice;
        contracts.bytes = {Factor, list, sizeof...(Names)};
    }
};

/// The floating-point operations of one launch, in the same way. Profiles derive FLOP/s from it. `operations<2, "n">`.
template <unsigned long long Factor, text... Names>
struct operations {
    static constexpr name_view list[sizeof...(Names) + 1] = {Names.view()...};
    static constexpr void apply(contract_set& contracts) noexcept {
        if (contracts.operations.factor != 0) contracts.fault = contract_fault::operations_is_given_twice;
        contracts.operations = {Factor, list, sizeof...(Names)};
    }
};

/// The kernel waits (griddepcontrol.wait) before it touches what an earlier kernel wrote, so that it may be launched
/// with `pdl`. Only the author can know: the wait in the text is necessary, not sufficient.
struct allows_pdl {
    static constexpr void apply(contract_set& contracts) noexcept { contracts.allows_pdl = true; }
};

namespace detail {

/// True for a contract: a type with apply(contract_set&).
template <class C>
concept contract = requires(contract_set& contracts) {
    C::apply(contracts);
};

template <class... C>
constexpr contract_set combine_contracts() noexcept {
    contract_set all;
    if constexpr ((contract<C> && ...)) {
        (C::apply(all), ...);
        all.check();
    }
    return all;
}

/// One set for each combination, shared by the kernels that have it.
template <class... C>
inline constexpr contract_set contracts_of = combine_contracts<C...>();

} // namespace detail

} // namespace hanabi

#endif
