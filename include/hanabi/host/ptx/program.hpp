// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// A decoded PTX module: instructions with resolved operands, functions, constants. Immutable once it is loaded, and run by
/// any number of threads at a time.

#ifndef HANABI_HOST_PTX_PROGRAM_HPP
#define HANABI_HOST_PTX_PROGRAM_HPP

#include <hanabi/host/ptx/flow.hpp>
#include <hanabi/host/ptx/observer.hpp>
#include <hanabi/host/ptx/type.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hanabi::host::ptx {

/// Threads of a warp, which are executed together.
inline constexpr unsigned lanes = 32;

struct context;
struct instruction;

/// Executes one instruction for the lanes of a mask.
using handler = void (*)(context&, const instruction&, std::uint32_t mask);

/// Where 32 values lie, one a lane: an offset into the frame's registers or, with the highest bit, into the program's
/// constants. Predicates are one word each, a bit a lane.
struct operand {
    static constexpr std::uint32_t constant = 0x80000000u;
    static constexpr std::uint32_t nothing = 0xffffffffu;
    std::uint32_t where = nothing;

    bool given() const noexcept { return where != nothing; }
    bool is_constant() const noexcept { return given() && (where & constant) != 0; }
};

/// What the loop that steps through a program does itself; everything else is `plain`: call the handler, go on.
enum class step : std::uint8_t { plain, rounded, branch, branch_table, call, ret, exit, barrier, converge, yield, refuse };

/// One instruction. `target`, `count`, `option` and `immediate` mean what the handler makes of them.
struct instruction {
    handler run = nullptr;
    operand d, a, b, c, e;
    std::uint32_t guard = operand::nothing; ///< offset of the predicate
    std::int64_t immediate = 0;
    std::uint32_t target = 0; ///< label, function or entry in a side table
    std::uint32_t line = 0;   ///< in the PTX text, from 1
    step kind = step::plain;
    bool guard_not = false;
    std::uint8_t size = 0;  ///< bytes of an element in memory
    std::uint8_t count = 1; ///< elements
    std::uint8_t width = 0; ///< bytes of a register, where it may differ from the element's
    ptx::space in = ptx::space::generic;
    ptx::rounding round = ptx::rounding::none;
    std::uint8_t option = 0;
    std::uint8_t watched = moves_values; ///< kinds, for observers
    ptx::flow flow = ptx::flow::compute;
    ptx::type kind_of = ptx::type::none;

    void watch_as(unsigned kinds) noexcept { watched = static_cast<std::uint8_t>(watched | kinds); }
};

/// A parameter or return value of a function: a place in its parameter bytes, or a register.
struct formal {
    std::string name;
    std::uint32_t size = 0;
    std::uint32_t align = 1;
    std::uint32_t offset = 0; ///< in the parameter bytes of each lane, or of the register
    bool in_register = false;
};

/// What a call hands over and takes back.
struct call_site {
    struct value {
        bool in_register = false; ///< or a constant: `where` is an operand
        std::uint32_t where = 0;  ///< else an offset in the caller's parameter bytes
        std::uint32_t size = 0;
    };
    std::vector<value> results, arguments;
    int function = -1; ///< else in a register, or one of the built-in ones below
    int builtin = 0;
    operand pointer;
};

/// Functions that are part of every device's run time.
enum builtin : int { no_builtin, builtin_vprintf, builtin_malloc, builtin_free, builtin_assert };

/// Values made at their first use, since each is one of a kind to a launch.
enum class special : std::uint8_t {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    clock,
    clock_hi,
    clock64,
    globaltimer,
    globaltimer_lo,
    globaltimer_hi,
    lanemask_eq,
    lanemask_le,
    lanemask_lt,
    lanemask_ge,
    lanemask_gt,
    dynamic_smem_size,
    total_smem_size,
    aggr_smem_size,
    clusterid_x,
    clusterid_y,
    clusterid_z,
    nclusterid_x,
    nclusterid_y,
    nclusterid_z,
    cluster_ctaid_x,
    cluster_ctaid_y,
    cluster_ctaid_z,
    cluster_nctaid_x,
    cluster_nctaid_y,
    cluster_nctaid_z,
    cluster_ctarank,
    cluster_nctarank,
    is_explicit_cluster,
    envreg1,
    envreg2,
    current_graph_exec,
    always_zero ///< fourth elements of vectors, and what this driver gives no value: %envreg3, %pm0
};

/// A function or kernel.
struct function {
    std::string name;
    bool kernel = false;
    bool defined = false;
    std::string refusal;     ///< why it can't be run: an instruction of its own, or of what it calls
    std::uint32_t entry = 0; ///< index of its first instruction
    std::uint32_t end = 0;
    std::uint32_t registers = 0;   ///< bytes
    std::uint32_t param_bytes = 0; ///< of each lane: formals, results and what is declared in the body
    std::uint32_t local_bytes = 0;
    std::vector<formal> results, parameters;
    /// Where registers lie, and their bytes (0: predicates).
    struct cell {
        std::uint32_t at;
        std::uint32_t width;
    };
    std::vector<cell> cells;
    std::vector<int> callees;
    std::vector<std::uint32_t> shared; ///< indices of the shared variables it names
    bool calls_unknown = false;        ///< through a pointer
    std::uint32_t static_shared = 0;   ///< with its callees: bytes from 0
};

/// A variable in shared memory.
struct shared_variable {
    std::string name;
    std::uint32_t size = 0; ///< 0: dynamic
    std::uint32_t align = 1;
    std::uint32_t offset = 0;
};

/// Where the instructions from one on come from, for messages: PTX manual, ".loc".
struct source_line {
    /// A place in a file; line 0: none.
    struct place {
        std::uint32_t file = 0;
        std::uint32_t line = 0;
        std::uint32_t column = 0;
        bool operator==(const place&) const = default;
    };
    std::uint32_t at = 0; ///< index of an instruction
    place here;
    place inlined_at; ///< where the function that it is part of was called, when it has become part of another
};

/// Constants: 32 equal values each, at 64-byte boundaries.
class constant_pool {
  public:
    std::uint32_t add(std::uint64_t low, std::uint64_t high, unsigned size) {
        const auto key = std::make_pair(std::make_pair(low, high), size);
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        const std::uint32_t at = append(low, high, size);
        known_.emplace(key, at);
        return at;
    }
    /// A value of its own, to be changed later.
    std::uint32_t append(std::uint64_t low, std::uint64_t high, unsigned size);
    std::byte* data() noexcept { return reinterpret_cast<std::byte*>(cells_.data()); }
    std::size_t size() const noexcept { return cells_.size() * sizeof(cell); }

  private:
    struct alignas(64) cell {
        std::byte bytes[64];
    };
    std::vector<cell> cells_;
    std::map<std::pair<std::pair<std::uint64_t, std::uint64_t>, unsigned>, std::uint32_t> known_;
};

inline std::uint32_t constant_pool::append(std::uint64_t low, std::uint64_t high, unsigned size) {
    const std::size_t at = cells_.size() * sizeof(cell);
    const std::size_t bytes = size == 0 ? 4 : std::size_t{size} * lanes; // a predicate: one word
    cells_.resize(cells_.size() + (bytes + sizeof(cell) - 1) / sizeof(cell));
    std::byte* const to = data() + at;
    for (unsigned i = 0; i < (size == 0 ? 1 : lanes); ++i) {
        const unsigned step = size == 0 ? 4 : size;
        for (unsigned b = 0; b < step; ++b)
            to[i * step + b] = static_cast<std::byte>((b < 8 ? low >> (8 * b) : high >> (8 * (b - 8))) & 0xff);
    }
    return static_cast<std::uint32_t>(at);
}

/// Changes a constant in a copy of the pool.
inline void set_constant(std::byte* pool, std::uint32_t at, unsigned width, std::uint64_t value) noexcept {
    for (unsigned i = 0; i < lanes; ++i)
        for (unsigned b = 0; b < width && b < 8; ++b) pool[at + i * width + b] = static_cast<std::byte>(value >> (8 * b) & 0xff);
}

/// All of a module.
struct program {
    std::vector<instruction> code;
    std::vector<function> functions;
    std::unordered_map<std::string, int> function_index;
    std::vector<shared_variable> shared;
    int reserved_shared = -1; ///< the variable among them that is the system's own
    std::vector<call_site> calls;
    std::vector<std::vector<std::uint32_t>> tables; ///< of brx.idx: indices of instructions
    std::vector<operand> extra;                     ///< operands beyond the five of an instruction
    constant_pool constants;
    std::vector<std::string> files; ///< of .loc, by number
    std::vector<source_line> lines; ///< by instruction
    /// Constants that hold the address of a variable: of the module, or (by number) in shared memory.
    struct reference {
        std::string name;
        int shared;
        std::uint32_t at;
        std::int64_t add;
        unsigned width;
    };
    std::vector<reference> references;
    /// The initial bytes of variables, and those among them that are (parts of) addresses.
    struct pointer_value {
        std::string variable, target;
        std::size_t offset;
        std::int64_t add;
        unsigned size, shift;
    };
    std::vector<pointer_value> pointers;
    std::unordered_map<std::string, std::vector<std::byte>> initial;
    /// Variables that reading the module's declarations does not tell: those that a function declares for itself, under names
    /// that no text can ask for, and those whose length is that of their initial value.
    struct own_variable {
        std::string name;
        std::size_t size;
    };
    std::vector<own_variable> own;
    std::string error; ///< the text can't be read at all
    std::uint32_t error_line = 0;
};

} // namespace hanabi::host::ptx

#endif
