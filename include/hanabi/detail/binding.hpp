// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Bindings: a descriptor tied to the function that a registry's module has for it, with what a launch checks against;
/// and the slots that find a binding without lock, hash or allocation.

#ifndef HANABI_DETAIL_BINDING_HPP
#define HANABI_DETAIL_BINDING_HPP

#include <hanabi/config.hpp>
#include <hanabi/detail/atomic.hpp>
#include <hanabi/detail/chain.hpp>
#include <hanabi/device_limits.hpp>
#include <hanabi/driver/table.hpp>
#include <hanabi/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hanabi::detail {

struct registry_state;

/// One descriptor in one registry. Made under the registry's mutex, then constant but for the atomics; as long-lived as
/// the registry's state.
struct binding {
    // What every launch reads, in one place. Limits are of 64 bits: the counts that they are compared with are.
    atomic<const descriptor*> key = nullptr; ///< null once another descriptor was met at its address
    /// The function, for launches that need no more than the plain path gives (no hidden parameters, no clusters); null
    /// for other kernels, and once unloaded.
    atomic<driver::function_handle> plain_function = nullptr;
    const driver::table* driver = nullptr;
    driver::context_handle context = nullptr;
    std::uint64_t max_grid[3] = {};
    std::uint64_t max_block[3] = {};
    std::uint64_t max_threads = 0;         ///< in a block, of the device and of this function
    std::uint64_t max_row = 0;             ///< in a block of one row: the least of max_threads and max_block[0]
    atomic<std::uint64_t> shared_ready{0}; ///< dynamic shared memory that needs no further opt-in, in bytes

    // What the long path reads.
    atomic<driver::function_handle> function = nullptr; ///< null once unloaded
    bool special = false;                               ///< has hidden parameters, or clusters
    bool blocks_are_clusters = false;                   ///< compiled with .blocksareclusters: the grid counts clusters
    registry_state* owner = nullptr;
    std::string name;                       ///< module::symbol; the descriptor may be gone, with its shared object
    unsigned hidden = 0;                    ///< trailing parameters that this binary has and the descriptor calls hidden
    std::uint64_t static_shared = 0;        ///< bytes
    std::uint64_t shared_limit = 0;         ///< most dynamic shared memory by opt-in, in bytes
    std::uint64_t shared_default = 0;       ///< most without
    std::uint64_t required_cluster[3] = {}; ///< compiled in; x is 0 where none is
    std::uint64_t required_block[3] = {};   ///< compiled in (.reqntid), where the image says so; x is 0 where none is known
    bool cluster_must_be_set = false;       ///< compiled with .explicitcluster
    atomic<bool> non_portable_cluster{false};
    atomic<std::uint64_t> occupancy{0}; ///< the last answer: block size below, shared bytes + 1 above bit 16
    atomic<std::uint64_t> last_grid{0}; ///< x of the last launch; 0 before the first. For the suspects of a sticky error

    binding* next = nullptr;        ///< the same slot number in another shared object's count
    binding* made_before = nullptr; ///< in the registry's list of all
};

/// Bindings by slot number. Readers take no lock: a grown copy replaces the array, and old ones live as long as this.
class binding_slots {
  public:
    binding_slots() = default;
    binding_slots(const binding_slots&) = delete;
    binding_slots& operator=(const binding_slots&) = delete;

    /// The binding of a descriptor, or null. Any thread.
    HANABI_INLINE binding* find(const descriptor& d) const noexcept {
        const unsigned number = __atomic_load_n(d.slot, __ATOMIC_RELAXED);
        const array* const a = current_.acquire();
        if (a == nullptr || number >= a->size) [[unlikely]]
            return nullptr;
        binding* b = a->entries[number].acquire();
        while (b != nullptr && b->key.relaxed() != &d) [[unlikely]] b = b->next;
        return b;
    }

    /// Publishes a binding under its descriptor's number. The caller holds the registry's mutex.
    void publish(binding* b) {
        const unsigned number = __atomic_load_n(b->key.relaxed()->slot, __ATOMIC_RELAXED);
        array* a = current_.relaxed();
        if (a == nullptr || number >= a->size) a = grow(number + 1);
        b->next = a->entries[number].relaxed();
        a->entries[number].release(b);
    }

  private:
    struct array {
        array() noexcept = default;
        array(const array&) = delete;
        array& operator=(const array&) = delete;
        ~array() { delete[] entries; }
        std::size_t size = 0;
        atomic<binding*>* entries = nullptr;
    };

    array* grow(std::size_t least) {
        const array* old = current_.relaxed();
        std::size_t size = old == nullptr ? 16 : old->size * 2;
        while (size < least) size *= 2;
        array& bigger = arrays_.add();
        bigger.entries = new atomic<binding*>[size];
        bigger.size = size;
        for (std::size_t i = 0; old != nullptr && i < old->size; ++i) bigger.entries[i].relaxed(old->entries[i].relaxed());
        current_.release(&bigger);
        return &bigger;
    }

    atomic<array*> current_{nullptr};
    chain<array> arrays_;
};

/// Descriptors are numbered as they are first bound, process-wide, from 1.
HANABI_SHARED inline atomic<unsigned> descriptor_count{0};

/// Gives the descriptor its number, if it has none yet. Any thread.
inline void number_descriptor(const descriptor& d) noexcept {
    if (__atomic_load_n(d.slot, __ATOMIC_RELAXED) != 0) return;
    unsigned none = 0;
    const unsigned mine = descriptor_count.add(1);
    __atomic_compare_exchange_n(d.slot, &none, mine, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

} // namespace hanabi::detail

#endif
