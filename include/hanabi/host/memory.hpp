// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Device memory: real host memory, every piece of it known, bounded by red zones, and remembered after it was freed.

#ifndef HANABI_HOST_MEMORY_HPP
#define HANABI_HOST_MEMORY_HPP

#include <hanabi/driver/abi.hpp>
#include <hanabi/host/config.hpp>
#include <hanabi/host/definedness.hpp>
#include <hanabi/host/log.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#if defined(HANABI_HOST_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace hanabi::host::detail {

/// Who asked for memory.
enum class memory_kind { device, pool, pinned, variable };

/// The entry that makes memory of a kind, for messages.
constexpr const char* maker_of(memory_kind kind) noexcept {
    switch (kind) {
    case memory_kind::device: return "cuMemAlloc";
    case memory_kind::pool: return "cuMemAllocAsync";
    case memory_kind::pinned: return "cuMemHostAlloc";
    case memory_kind::variable: return "cuModuleLoadDataEx";
    }
    return "";
}

/// One allocation, alive or remembered. Guarded by the state's lock, but for the bytes themselves.
struct allocation {
    std::uintptr_t base = 0;
    std::size_t size = 0;
    memory_kind kind = memory_kind::device;
    int device = 0;
    std::uintptr_t context = 0; ///< handle
    unsigned long long context_id = 0;
    std::uint64_t number = 0; ///< the how-manieth allocation of the process
    bool ready = true;        ///< false: cuMemAllocAsync was called, and the stream is not there yet
    bool leaving = false;     ///< cuMemFreeAsync was called
    bool freed = false;
    bool buried = false;
    unsigned users = 0; ///< operations submitted and not done that touch it
    std::byte* raw = nullptr;
    std::size_t raw_size = 0;
    std::unique_ptr<definedness> defined; ///< null: all of it has values

    bool usable() const noexcept { return !freed && !leaving; }
    /// "the 400-byte buffer at 0x7f… (allocation 3, cuMemAlloc)"
    std::string text() const {
        return say("the ", size, "-byte buffer at ", address_text(base), " (allocation ", number, ", ", maker_of(kind), ")");
    }
};
using allocation_ptr = std::shared_ptr<allocation>;

/// Notes that bytes have got values; memory that is not the driver's is null.
inline void note_written(const allocation* to, const void* begin, std::size_t count) {
    if (to != nullptr && to->defined != nullptr) to->defined->write(reinterpret_cast<std::uintptr_t>(begin) - to->base, count);
}
/// Notes that bytes have been copied.
inline void note_copied(const allocation* to, const void* begin, const allocation* from, const void* from_begin, std::size_t count) {
    if (to == nullptr || to->defined == nullptr) return;
    definedness* const source = from == nullptr ? nullptr : from->defined.get();
    to->defined->copy(reinterpret_cast<std::uintptr_t>(begin) - to->base, source,
                      source == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(from_begin) - from->base, count);
}

/// The verdict on a range: the allocation that holds all of it, or why there is none.
struct range_verdict {
    allocation_ptr holder;
    std::string fault;
};

/// All memory of the driver, by address. Its caller holds the state's lock.
class memory_map {
  public:
    static constexpr std::size_t zone = 256;                         ///< bytes of red zone on each side, and alignment
    static constexpr std::size_t fill_limit = std::size_t{16} << 20; ///< more is not filled with a pattern
    static constexpr unsigned char zone_pattern = 0xfd;
    static constexpr unsigned char fresh_pattern = 0xff; ///< a NaN in every floating-point type, -1 in every integer
    static constexpr unsigned char freed_pattern = 0xdd;
    static constexpr std::uintptr_t null_page = 4096;                   ///< addresses below are null pointers with an offset
    static constexpr std::uintptr_t far_away = std::uintptr_t{1} << 36; ///< farther away, a buffer tells nothing about an address

    bool tracks_values = false; ///< keeps allocation::defined of what device_memory makes from now on

    memory_map() = default;
    memory_map(const memory_map&) = delete;
    memory_map& operator=(const memory_map&) = delete;

    /// New memory of `size` bytes, or null when the host has none left.
    allocation_ptr make(memory_kind kind, std::size_t size, int device, std::uintptr_t context, unsigned long long context_id) {
        const std::size_t payload = (size + zone - 1) / zone * zone;
        if (payload < size) return nullptr;
        const std::size_t raw_size = payload + 2 * zone;
        void* const raw = ::operator new (raw_size, std::align_val_t{zone}, std::nothrow);
        if (raw == nullptr) return nullptr;
        auto made = std::make_shared<allocation>();
        made->raw = static_cast<std::byte*>(raw);
        made->raw_size = raw_size;
        made->base = reinterpret_cast<std::uintptr_t>(raw) + zone;
        made->size = size;
        made->kind = kind;
        made->device = device;
        made->context = context;
        made->context_id = context_id;
        made->number = ++count_;
        if (tracks_values && (kind == memory_kind::device || kind == memory_kind::pool))
            made->defined = std::make_unique<definedness>(size);
        std::memset(made->raw, zone_pattern, zone);
        std::memset(made->raw + zone, fresh_pattern, std::min(size, fill_limit));
        std::memset(made->raw + zone + size, zone_pattern, raw_size - zone - size);
        fence(*made);
        by_base_.emplace(made->base, made);
        if (kind != memory_kind::pinned) used_[device] += size;
        return made;
    }

    /// The record that `address` lies in, alive or not; `end` counts as inside too where nothing else begins there.
    allocation_ptr find(std::uintptr_t address, bool with_end = false) const {
        const auto above = by_base_.upper_bound(address);
        if (above == by_base_.begin()) return nullptr;
        const allocation_ptr& candidate = std::prev(above)->second;
        const std::uintptr_t offset = address - candidate->base;
        return offset < candidate->size || (with_end && offset == candidate->size) ? candidate : nullptr;
    }

    /// The usable allocation that holds [address, address + size). `role` begins the complaint.
    range_verdict hold(std::uintptr_t address, std::size_t size, const char* role) const {
        const std::string subject = say(role, " ", address_text(address));
        if (const allocation_ptr inside = find(address)) {
            if (!inside->usable())
                return {nullptr, say(subject, " points into freed memory: ", inside->text(),
                                     inside->freed ? " was freed" : " is being freed in stream order")};
            const std::size_t left = inside->size - (address - inside->base);
            if (size > left)
                return {nullptr, say(subject, " + ", size, " bytes runs ", size - left, " bytes past the end of ", inside->text(),
                                     ", where ", left, " are left")};
            return {inside, {}};
        }
        const auto above = by_base_.upper_bound(address);
        if (above != by_base_.begin()) {
            const allocation& below = *std::prev(above)->second;
            if (const std::uintptr_t beyond = address - (below.base + below.size); beyond < zone)
                return {nullptr, say(subject, " is ", beyond, " bytes past the end of ", below.text())};
        }
        if (above != by_base_.end() && above->second->base - address <= zone)
            return {nullptr, say(subject, " is ", above->second->base - address, " bytes before the start of ", above->second->text())};
        if (address < null_page)
            return {nullptr,
                    address == 0 ? say(subject, " is a null pointer") : say(subject, " is a null pointer plus ", address, " bytes")};
        return {nullptr, say(subject, " is not device memory: a host pointer, or an address of no allocation", nearest(address))};
    }

    /// Whether [address, address + size) can serve as host memory: pinned within its bounds, or none of the driver's.
    range_verdict host_range(const void* pointer, std::size_t size, const char* role) const {
        const auto address = reinterpret_cast<std::uintptr_t>(pointer);
        const allocation_ptr inside = find(address);
        if (inside == nullptr) {
            if (pointer == nullptr) return {nullptr, say(role, " is null")};
            return {nullptr, {}};
        }
        if (inside->kind == memory_kind::pinned || !inside->usable()) return hold(address, size, role);
        return {nullptr, say(role, " ", address_text(address), " is device memory, in ", inside->text(), ": a host pointer is expected")};
    }

    /// Ends an allocation's accounting: from here on its bytes count as free.
    void leave(allocation& a) {
        if (a.leaving || a.freed) return;
        a.leaving = true;
        if (a.kind != memory_kind::pinned) used_[a.device] -= a.size;
    }

    /// Frees. The bytes stay as they are until the last operation that uses them is done.
    void free(const allocation_ptr& a, std::size_t quarantine) {
        if (a->freed) return;
        leave(*a);
        a->freed = true;
        if (a->users == 0) bury(a, quarantine);
    }

    void use(allocation& a) const noexcept { ++a.users; }
    void unuse(const allocation_ptr& a, std::size_t quarantine) {
        if (--a->users == 0 && a->freed) bury(a, quarantine);
    }

    /// Frees everything of a context; how many bytes and allocations that was.
    std::pair<std::size_t, std::size_t> free_context(unsigned long long context_id, std::size_t quarantine) {
        std::vector<allocation_ptr> doomed;
        for (const auto& [base, a] : by_base_)
            if (a->context_id == context_id && !a->freed) doomed.push_back(a);
        std::size_t bytes = 0;
        for (const allocation_ptr& a : doomed) {
            bytes += a->size;
            free(a, quarantine);
        }
        return {doomed.size(), bytes};
    }

    std::size_t used(int device) const {
        const auto found = used_.find(device);
        return found == used_.end() ? 0 : found->second;
    }

    /// Calls f for every allocation that is not freed, by address.
    template <class F>
    void each_live(F f) const {
        for (const auto& [base, a] : by_base_)
            if (!a->freed) f(*a);
    }

    /// Forgets everything: nothing may be in use.
    void clear() {
        quarantine_.clear();
        quarantined_ = 0;
        for (const auto& [base, a] : by_base_) give_back(*a);
        by_base_.clear();
        used_.clear();
    }

    /// Where a red zone of a live allocation was overwritten: the distance of the first such byte from the start of the
    /// buffer (negative: before it). Reads the zones only, so no lock is needed while the allocation is in use.
    static std::optional<std::ptrdiff_t> damage(const allocation& a) noexcept {
#if defined(HANABI_HOST_ASAN)
        (void)a; // the sanitizer stops at the access itself
        return std::nullopt;
#else
        const auto* bytes = reinterpret_cast<const unsigned char*>(a.raw);
        for (std::size_t i = zone + a.size; i < a.raw_size; ++i)
            if (bytes[i] != zone_pattern) return static_cast<std::ptrdiff_t>(i - zone);
        for (std::size_t i = zone; i > 0; --i)
            if (bytes[i - 1] != zone_pattern) return static_cast<std::ptrdiff_t>(i - 1) - static_cast<std::ptrdiff_t>(zone);
        return std::nullopt;
#endif
    }

  private:
    /// Which buffer an address of none is nearest to, for messages.
    std::string nearest(std::uintptr_t address) const {
        const auto above = by_base_.upper_bound(address);
        const allocation *below = nullptr, *beyond = nullptr;
        for (auto i = above; i != by_base_.begin() && below == nullptr;)
            if ((--i)->second->usable()) below = i->second.get();
        for (auto i = above; i != by_base_.end() && beyond == nullptr; ++i)
            if (i->second->usable()) beyond = i->second.get();
        const std::uintptr_t after = below == nullptr ? far_away : address - (below->base + below->size);
        const std::uintptr_t before = beyond == nullptr ? far_away : beyond->base - address;
        if (after < far_away && after <= before) return say("; ", after, " bytes past the end of ", below->text(), ", the nearest");
        if (before < far_away) return say("; ", before, " bytes before the start of ", beyond->text(), ", the nearest");
        return {};
    }

    void bury(const allocation_ptr& a, std::size_t limit) {
        if (a->buried) return;
        a->buried = true;
        std::memset(a->raw + zone, freed_pattern, std::min(a->size, fill_limit));
#if defined(HANABI_HOST_ASAN)
        __asan_poison_memory_region(a->raw, a->raw_size);
#endif
        quarantine_.push_back(a);
        quarantined_ += a->raw_size;
        while (quarantined_ > limit && !quarantine_.empty()) {
            const allocation_ptr oldest = quarantine_.front();
            quarantine_.pop_front();
            quarantined_ -= oldest->raw_size;
            by_base_.erase(oldest->base);
            give_back(*oldest);
        }
    }

    static void fence(allocation& a) noexcept {
#if defined(HANABI_HOST_ASAN)
        __asan_poison_memory_region(a.raw, zone);
        __asan_poison_memory_region(a.raw + zone + a.size, a.raw_size - zone - a.size);
#else
        (void)a;
#endif
    }

    static void give_back(allocation& a) noexcept {
#if defined(HANABI_HOST_ASAN)
        __asan_unpoison_memory_region(a.raw, a.raw_size);
#endif
        ::operator delete (a.raw, std::align_val_t{zone});
        a.raw = nullptr;
    }

    std::map<std::uintptr_t, allocation_ptr> by_base_;
    std::map<int, std::size_t> used_;
    std::deque<allocation_ptr> quarantine_;
    std::size_t quarantined_ = 0;
    std::uint64_t count_ = 0;
};

} // namespace hanabi::host::detail

#endif
