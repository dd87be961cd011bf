// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Reads a PTX module: directives, variables with their initial values, functions; and has their instructions decoded.

#ifndef HANABI_HOST_PTX_READER_HPP
#define HANABI_HOST_PTX_READER_HPP

#include <hanabi/host/ptx/async_bulk.hpp>
#include <hanabi/host/ptx/decode_arithmetic.hpp>
#include <hanabi/host/ptx/decode_control.hpp>
#include <hanabi/host/ptx/decode_memory.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/form_flow.hpp>
#include <hanabi/host/ptx/local_stack.hpp>
#include <hanabi/host/ptx/matrix.hpp>
#include <hanabi/host/ptx/matrix_move.hpp>
#include <hanabi/host/ptx/mbarrier.hpp>
#include <hanabi/host/ptx/scope.hpp>
#include <hanabi/host/ptx/statement.hpp>
#include <hanabi/host/ptx/video.hpp>
#include <hanabi/host/ptx/video_scalar.hpp>
#include <hanabi/host/ptx/wmma.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hanabi::host::ptx {

/// Reads one text. What the whole can't be read for ends up in program::error, what one function can't be executed for in
/// function::refusal.
class reader {
  public:
    reader(const char* first, const char* last, program& into) : in_{first, last}, p_{into}, d_{into, names_} {
        p_.code.reserve(static_cast<std::size_t>(last - first) / 24); // characters of an instruction, at least, on the average
    }

    void read() {
        try {
            while (!in_.at_end()) item();
        } catch (const syntax_error& e) {
            p_.error = e.what;
            p_.error_line = e.line;
        } catch (const std::out_of_range&) {
            p_.error = "too few operands";
            p_.error_line = in_.line();
        }
        settle();
    }

  private:
    struct declaration {
        type of = type::none;
        std::uint32_t align = 0;
        std::uint32_t vector = 1;
        std::string_view name;
        std::uint64_t elements = 1;
        bool array = false;
        bool unbounded = false;

        std::uint32_t stride() const noexcept { return array ? size_of(of) : 0; }
        std::uint32_t size() const noexcept { return unbounded ? 0 : static_cast<std::uint32_t>(size_of(of) * vector * elements); }
        std::uint32_t alignment() const noexcept { return std::max({align, size_of(of) * vector, 1u}); }
    };

    void item() {
        const char c = in_.peek();
        if (c == ';') {
            in_.take(';');
            return;
        }
        if (c == '@') { // @@DWARF
            in_.skip_line();
            return;
        }
        const std::string_view word = in_.word();
        if (word.empty()) in_.fail(std::string{"'"} + c + "' is not expected here");
        if (word == ".version" || word == ".address_size")
            in_.word();
        else if (word == ".target") {
            do in_.word();
            while (in_.take(','));
        } else if (word == ".file")
            read_file();
        else if (word == ".section") {
            in_.word();
            in_.need('{');
            in_.skip_block();
        } else if (word == ".pragma")
            pragma();
        else if (word == ".alias") {
            const std::string_view alias = in_.word();
            in_.need(',');
            const std::string_view of = in_.word();
            in_.skip_past(';');
            aliases_.emplace_back(alias, of);
            if (const auto found = d_.globals.find(of); found != d_.globals.end()) d_.globals[alias] = found->second;
        } else if (word == ".extern" || word == ".visible" || word == ".weak" || word == ".common")
            external_ = word == ".extern";
        else if (word == ".entry" || word == ".func") {
            read_function(word == ".entry");
            external_ = false;
        } else if (word == ".global" || word == ".const" || word == ".shared") {
            read_variable(word);
            external_ = false;
        } else if (word == ".tex")
            in_.skip_past(';');
        else
            in_.fail("'" + std::string{word} + "' is not expected here");
    }

    void read_file() {
        argument n;
        in_.peek();
        in_.number(n);
        std::string name;
        if (in_.peek() == '"') name = std::string{in_.quoted()};
        while (in_.take(',')) in_.word();
        const auto at = static_cast<std::size_t>(n.bits);
        if (at > 100000) return;
        if (p_.files.size() <= at) p_.files.resize(at + 1);
        p_.files[at] = name;
    }

    /// Type and name after a state space; stops before bounds.
    declaration declare() {
        declaration out;
        for (;;) {
            const std::string_view word = in_.word();
            if (word.empty()) in_.fail("a declaration is expected");
            if (word[0] != '.') {
                out.name = word;
                break;
            }
            if (word == ".align") {
                argument n;
                in_.peek();
                in_.number(n);
                out.align = static_cast<std::uint32_t>(n.bits);
            } else if (word == ".v2" || word == ".v4" || word == ".v8")
                out.vector = static_cast<std::uint32_t>(word[2] - '0');
            else if (word == ".attribute")
                attributes();
            else if (word == ".ptr" || word == ".global" || word == ".const" || word == ".shared" || word == ".local" || word == ".param") {
                if (word == ".ptr") { // what follows describes what it points to
                    const std::uint32_t kept = out.align;
                    for (;;) {
                        const char* const at = in_.position();
                        const std::uint32_t line = in_.line();
                        const std::string_view next = in_.word();
                        if (next == ".align")
                            in_.word();
                        else if (next != ".global" && next != ".const" && next != ".shared" && next != ".local") {
                            in_.rewind(at, line);
                            break;
                        }
                    }
                    out.align = kept;
                }
            } else if (const type t = type_of(word.substr(1)); t != type::none)
                out.of = t;
            else if (word != ".texref" && word != ".samplerref" && word != ".surfref")
                in_.fail("'" + std::string{word} + "' is no type");
        }
        return out;
    }
    void bounds(declaration& d) {
        while (in_.take('[')) {
            d.array = true;
            if (in_.take(']')) {
                d.unbounded = true;
                continue;
            }
            argument n;
            in_.peek();
            in_.number(n);
            // Sizes have 32 bits.
            if (n.bits > ~0u || d.elements * n.bits > ~0u / std::max(1u, size_of(d.of) * d.vector)) in_.fail("a variable of 4 GiB or more");
            d.elements *= n.bits;
            in_.need(']');
        }
    }

    void read_variable(std::string_view where) {
        const declaration first = declare();
        for (declaration d = first;;) {
            bounds(d);
            if (where == ".shared") {
                d_.globals[d.name] = {symbol_kind::shared, d.of, static_cast<std::uint32_t>(p_.shared.size()), d.size(), d.stride()};
                p_.shared.push_back({std::string{d.name}, d.size(), d.alignment(), 0});
            } else {
                d_.globals[d.name] = {symbol_kind::variable, d.of, 0, d.size(), d.stride()};
                if (in_.take('=')) {
                    const std::size_t bytes = initialise(d, std::string{d.name}, false);
                    if (d.unbounded) {
                        d_.globals[d.name].size = static_cast<std::uint32_t>(bytes);
                        p_.own.push_back({std::string{d.name}, bytes});
                    }
                }
            }
            if (!in_.take(',')) break;
            d = next_of(first);
        }
        in_.need(';');
    }
    /// The next name of a declaration of several.
    declaration next_of(const declaration& first) {
        declaration d = first;
        d.name = in_.word();
        d.elements = 1;
        d.array = d.unbounded = false;
        return d;
    }
    /// A variable of the module that only this function, or a block in it, has a name for.
    void own_variable(const declaration& d, const function& f) {
        const std::size_t number = p_.own.size();
        p_.own.push_back({f.name + "::" + std::string{d.name} + "#" + std::to_string(number), d.size()});
        names_.declare(d.name, {symbol_kind::variable, d.of, static_cast<std::uint32_t>(number + 1), d.size(), d.stride()});
        if (!in_.take('=')) return;
        const std::size_t bytes = initialise(d, p_.own[number].name, true);
        if (d.unbounded) p_.own[number].size = bytes;
    }
    /// The initial value of a variable: how many bytes it has. In a function, it can name what the function declares.
    std::size_t initialise(const declaration& d, const std::string& variable, bool in_function) {
        std::vector<std::byte>& bytes = p_.initial[variable];
        const unsigned size = size_of(d.of);
        const auto element = [&] {
            const std::size_t at = bytes.size();
            bytes.resize(at + size);
            argument a;
            std::uint64_t value = 0, mask = 0;
            const char c = in_.peek();
            if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '~' || c == '!' || c == '(' || c == '.') {
                a = in_.term();
                if (in_.peek() != '(') {
                    a = in_.expression(a, 0);
                    value = a.kind == argument_kind::real ? decoder::real_bits(a.value, d.of) : a.bits;
                    if (a.kind == argument_kind::integer && (d.of == type::f32 || d.of == type::f64))
                        value = decoder::real_bits(static_cast<double>(static_cast<std::int64_t>(a.bits)), d.of);
                    for (unsigned b = 0; b < size; ++b) bytes[at + b] = static_cast<std::byte>(b < 8 ? value >> (8 * b) & 0xff : 0);
                    return;
                }
                mask = a.bits;
                in_.need('(');
            }
            std::string_view name = in_.word();
            const bool generic = name == "generic";
            if (generic) {
                in_.need('(');
                name = in_.word();
                in_.need(')');
            }
            std::int64_t add = 0;
            while (in_.peek() == '+' || in_.peek() == '-') {
                const bool minus = in_.take('-');
                if (!minus) in_.take('+');
                const auto by = static_cast<std::int64_t>(in_.expression(in_.term(), 10).bits);
                add += minus ? -by : by;
            }
            if (mask != 0) in_.need(')');
            const symbol to = in_function ? names_.find(name) : symbol{};
            std::string target{to.kind == symbol_kind::variable && to.where != 0 ? p_.own[to.where - 1].name : name};
            p_.pointers.push_back(
                {variable, std::move(target), at, add, size, mask == 0 ? 0u : static_cast<unsigned>(std::countr_zero(mask))});
        };
        // Inner braces are of no account: ptxas lays the values out one after the other, rows that are not full as well. Only an
        // open array has as many rows as the outermost braces have entries.
        std::size_t rows = 0;
        const auto list = [&](auto&& self, bool outermost) -> void {
            if (!in_.take('{')) {
                element();
                return;
            }
            const lexer::nesting level{in_};
            while (!in_.take('}')) {
                self(self, false);
                if (outermost) ++rows;
                if (!in_.take(',') && in_.peek() != '}') in_.fail("an initialiser that is not closed");
            }
        };
        list(list, true);
        if (d.unbounded) {
            const std::size_t whole = rows * size * d.vector * static_cast<std::size_t>(d.elements);
            if (whole > std::size_t{1} << 30) in_.fail("an initial value of more than 1 GiB");
            bytes.resize(std::max(bytes.size(), whole));
        }
        return bytes.size();
    }

    /// The parameters of a function, in brackets that come next.
    void formals(std::vector<formal>& out, function& f, bool kernel) {
        in_.need('(');
        while (!in_.take(')')) {
            const std::string_view where = in_.word();
            declaration d;
            if (where == ".reg") {
                d = declare();
                if (d.vector > 4) in_.fail("a vector of more than four registers");
            } else if (where == ".param") {
                d = declare();
                bounds(d);
            } else
                in_.fail("a parameter is expected");
            formal p;
            p.name = std::string{d.name};
            p.size = d.size();
            p.align = d.alignment();
            p.in_register = where == ".reg";
            if (p.in_register) {
                registers_.push_back({d.name, d.of, d.vector});
                p.size = size_of(d.of);
                for (unsigned k = 1; k < d.vector; ++k) { // each part of a vector is a parameter
                    p.name = std::string{d.name} + "." + "xyzw"[k - 1];
                    out.push_back(p);
                }
                if (d.vector > 1) p.name.back() = "xyzw"[d.vector - 1];
            } else {
                p.offset = (f.param_bytes + p.align - 1) / p.align * p.align;
                f.param_bytes = p.offset + p.size;
                formal_names_.emplace_back(
                    d.name, symbol{kernel ? symbol_kind::kernel_param : symbol_kind::param, d.of, p.offset, p.size, d.stride()});
            }
            out.push_back(std::move(p));
            if (!in_.take(',') && in_.peek() != ')') in_.fail("a list of parameters that is not closed");
        }
    }

    /// What follows .attribute: names, some with numbers in brackets.
    void attributes() {
        in_.need('(');
        for (int depth = 1; depth != 0;) {
            if (in_.take('('))
                ++depth;
            else if (in_.take(')'))
                --depth;
            else if (!in_.take(',') && in_.word().empty())
                in_.fail("an attribute that is not closed");
        }
    }
    /// Advice to the assembler: strings, which may hold anything.
    void pragma() {
        do {
            in_.peek();
            in_.quoted();
        } while (in_.take(','));
        in_.need(';');
    }

    struct register_formal {
        std::string_view name;
        type of;
        std::uint32_t vector;
    };

    void read_function(bool kernel) {
        function f;
        f.kernel = kernel;
        registers_.clear();
        formal_names_.clear();
        if (in_.peek() == '.') { // .attribute
            in_.word();
            attributes();
        }
        if (!kernel && in_.peek() == '(') formals(f.results, f, false);
        const std::string_view name = in_.word();
        if (name.empty()) in_.fail("the name of a function is expected");
        f.name = std::string{name};
        if (in_.peek() == '(') formals(f.parameters, f, kernel);
        int number = -1;
        if (const auto found = p_.function_index.find(f.name); found != p_.function_index.end()) {
            number = found->second;
            const function& before = p_.functions[static_cast<std::size_t>(number)];
            if (before.defined) f.defined = true;
        } else {
            number = static_cast<int>(p_.functions.size());
            p_.function_index.emplace(f.name, number);
            p_.functions.push_back(f);
        }
        d_.globals[name] = {symbol_kind::function, type::b64, static_cast<std::uint32_t>(number), 8};
        while (in_.peek() != '{' && in_.peek() != ';') { // performance and abi directives
            if (in_.peek() == '"')
                in_.quoted();
            else if (in_.take('(') || in_.take(')') || in_.take(',') || in_.take('='))
                continue;
            else if (const std::string_view word = in_.word(); word.empty())
                in_.fail("the body of a function is expected");
            else if (word == ".pragma")
                pragma();
        }
        if (in_.take(';')) return;
        in_.need('{');
        f.defined = true;
        p_.functions[static_cast<std::size_t>(number)] = std::move(f);
        body(number);
    }

    void body(int number) {
        d_.self = &p_.functions[static_cast<std::size_t>(number)];
        function& f = *d_.self;
        names_.begin();
        has_vectors_ = false;
        d_.tables.clear();
        for (const register_formal& r : registers_) {
            if (r.vector > 1)
                declare_vector(r.name, r.vector, r.of);
            else
                names_.declare_register(r.name, r.of);
        }
        for (std::vector<formal>* list : {&f.results, &f.parameters})
            for (formal& p : *list)
                if (p.in_register) p.offset = names_.find(p.name).where;
        for (auto& [name, s] : formal_names_) names_.declare(name, s);
        names_.param_top = names_.param_most = f.kernel ? 0 : f.param_bytes;
        f.entry = static_cast<std::uint32_t>(p_.code.size());
        for (;;) {
            const char c = in_.peek();
            if (c == '\0') in_.fail("a function that is not closed");
            if (c == '{') {
                in_.take('{');
                names_.open();
            } else if (c == '}') {
                in_.take('}');
                if (!names_.close()) break;
            } else if (c == ';')
                in_.take(';');
            else
                line_of_body(f);
        }
        d_.guard = {};
        d_.how = flow::branch;
        d_.line = in_.line();
        d_.emit(d_.make(nullptr, step::ret)); // a function that ends without
        f.end = static_cast<std::uint32_t>(p_.code.size());
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        const auto lost = names_.finish(found);
        if (!lost.empty() && f.refusal.empty())
            f.refusal = "line " + std::to_string(lost[0].line) + ": no label '" + std::string{lost[0].label} + "'";
        for (const auto& [from, to] : found) {
            if ((from & table_entry) == 0)
                p_.code[from].target = to;
            else
                p_.tables[(from & ~table_entry) >> 12][from & 0xfff] = to;
        }
        f.registers = names_.bytes();
        f.cells = names_.cells;
        if (!f.kernel)
            f.param_bytes = std::max(f.param_bytes, names_.param_most);
        else
            f.param_bytes = names_.param_most;
        f.param_bytes = (f.param_bytes + 15) / 16 * 16;
    }

    void line_of_body(function& f) {
        d_.guard = {};
        d_.guard_not = false;
        statement_.guard = {};
        std::uint32_t line = in_.line();
        std::string_view word;
        if (in_.take('@')) {
            line = in_.line();
            d_.guard_not = in_.take('!');
            statement_.guard = in_.word();
            word = in_.word();
        } else {
            in_.peek();
            line = in_.line();
            word = in_.word();
        }
        if (word.empty()) in_.fail("an instruction is expected");
        d_.line = line;
        if (word[0] == '.') {
            directive(word, f);
            return;
        }
        if (in_.peek() == ':') {
            in_.take(':');
            label(word);
            return;
        }
        statement_.mnemonic = word;
        in_.instruction_of(statement_);
        if (has_vectors_) spread_vectors(statement_);
        statement_.line = line;
        if (!f.refusal.empty()) return; // it won't run
        try {
            instruction_of(statement_);
        } catch (const unsupported& e) {
            refuse(f, e.what);
        } catch (const std::out_of_range&) {
            refuse(f, "too few operands");
        }
    }
    /// A register that is a vector; its parts have two names each.
    void declare_vector(std::string_view name, std::uint32_t count, type of) {
        names_.declare(name, {symbol_kind::vector, of, static_cast<std::uint32_t>(kept_.size()), count});
        for (std::uint32_t k = 0; k < count; ++k) {
            const symbol part{symbol_kind::reg, of, names_.place(of), size_of(of)};
            for (const char letter : {"xyzw"[k], "rgba"[k]}) {
                kept_.push_back(std::string{name} + "." + letter);
                names_.declare(kept_.back(), part);
            }
        }
        has_vectors_ = true;
    }
    /// Such a register stands for the list of its parts; in a list, for them.
    void spread_vectors(statement& s) {
        const auto parts = [&](const argument& a) {
            const symbol v = a.kind == argument_kind::name ? names_.find(a.name) : symbol{};
            std::vector<argument> out;
            for (std::uint32_t k = 0; v.kind == symbol_kind::vector && k < v.size; ++k) {
                out.emplace_back().kind = argument_kind::name;
                out.back().name = kept_[v.where + 2 * k];
            }
            return out;
        };
        for (argument& a : s.arguments) {
            std::vector<argument> all = parts(a);
            if (a.kind == argument_kind::list) {
                for (std::uint32_t k = 0; k < a.count; ++k) {
                    const argument one = s.elements[a.first + k];
                    const std::vector<argument> inner = parts(one);
                    if (inner.empty()) all.push_back(one);
                    all.insert(all.end(), inner.begin(), inner.end());
                }
            } else if (all.empty())
                continue;
            else
                a.kind = argument_kind::vector;
            a.first = static_cast<std::uint32_t>(s.elements.size());
            a.count = static_cast<std::uint32_t>(all.size());
            s.elements.insert(s.elements.end(), all.begin(), all.end());
        }
    }
    /// Elements of arrays become addresses: a distance, or a register that they are worked out in.
    void place_elements(statement& s, const form& f) {
        decoder::need(f.op == "ld" || f.op == "ldu" || f.op == "st" || f.op == "mov", "an element of an array as an operand");
        for (argument& a : s.arguments) {
            if (a.kind != argument_kind::element) continue;
            const symbol array = d_.look_up(a.name);
            if (array.kind == symbol_kind::unknown) decoder::unknown(a.name);
            decoder::need(array.stride != 0, "what has an index is no array");
            a.kind = f.op == "mov" ? argument_kind::name : argument_kind::memory;
            if (a.second.empty()) {
                a.offset *= array.stride;
                continue;
            }
            const unsigned width = f.op == "mov" ? size_of(f.of()) : 8;
            elements_.push_back(std::string{a.name} + "[" + std::to_string(elements_.size()) + "]");
            names_.declare(elements_.back(), {symbol_kind::reg, type::b64, d_.element_of(a, array, width).where, width});
            a.name = elements_.back();
            a.second = {};
            a.offset = 0;
        }
    }
    void refuse(function& f, const std::string& what) {
        f.refusal = "line " + std::to_string(d_.line) + ", `" + std::string{statement_.mnemonic} + "`: " + what;
    }

    static constexpr std::uint32_t table_entry = 0x80000000u;

    void label(std::string_view name) {
        if (in_.peek() == '.') {
            const char* const at = in_.position();
            const std::uint32_t line = in_.line();
            const std::string_view word = in_.word();
            if (word == ".branchtargets") {
                std::uint32_t table = 0;
                if (const auto found = d_.tables.find(name); found != d_.tables.end())
                    table = found->second;
                else {
                    table = static_cast<std::uint32_t>(p_.tables.size());
                    p_.tables.emplace_back();
                    d_.tables.emplace(name, table);
                }
                const auto want = [&](std::string_view target) {
                    auto& entries = p_.tables[table];
                    if (entries.size() == 4096) in_.fail("more than 4096 targets of a branch");
                    names_.want_label(target, table_entry | table << 12 | static_cast<std::uint32_t>(entries.size()), d_.line);
                    entries.push_back(0);
                };
                do {
                    const std::string_view target = in_.word();
                    if (!in_.take('<')) {
                        want(target);
                        continue;
                    }
                    argument count; // of labels that are numbered
                    in_.peek();
                    in_.number(count);
                    in_.need('>');
                    for (std::uint64_t k = 0; k < count.bits; ++k) want(kept_.emplace_back(std::string{target} + std::to_string(k)));
                } while (in_.take(','));
                in_.need(';');
                return;
            }
            if (word == ".callprototype" || word == ".calltargets") {
                in_.skip_past(';');
                return;
            }
            in_.rewind(at, line);
        }
        if (!names_.label(name, static_cast<std::uint32_t>(p_.code.size())))
            in_.fail("the label '" + std::string{name} + "' is there twice");
    }

    void directive(std::string_view word, function& f) {
        if (word == ".reg") {
            std::string_view t = in_.word();
            unsigned vector = 1;
            if (t == ".v2" || t == ".v4") {
                vector = static_cast<unsigned>(t[2] - '0');
                t = in_.word();
            }
            const type of = type_of(t.substr(t.empty() ? 0 : 1));
            if (of == type::none) in_.fail("'" + std::string{t} + "' is no type");
            do {
                const std::string_view name = in_.word(false);
                if (in_.take('<')) {
                    argument n;
                    in_.peek();
                    in_.number(n);
                    in_.need('>');
                    if (n.bits > (vector == 1 ? 1u << 24 : 1u << 16)) in_.fail("a range of too many registers");
                    if (vector == 1) names_.declare_range(name, static_cast<std::uint32_t>(n.bits), of);
                    for (std::uint64_t k = 0; vector > 1 && k < n.bits; ++k) {
                        kept_.push_back(std::string{name} + std::to_string(k));
                        declare_vector(kept_.back(), vector, of);
                    }
                } else if (vector > 1)
                    declare_vector(name, vector, of);
                else
                    names_.declare_register(name, of);
            } while (in_.take(','));
            in_.need(';');
        } else if (word == ".param" || word == ".local" || word == ".shared" || word == ".global" || word == ".const") {
            const declaration first = declare();
            for (declaration d = first;;) {
                bounds(d);
                const auto place = [&](std::uint32_t& top) {
                    const std::uint32_t at = (top + d.alignment() - 1) / d.alignment() * d.alignment();
                    top = at + d.size();
                    return at;
                };
                if (word == ".global" || word == ".const")
                    own_variable(d, f);
                else if (word == ".param") {
                    names_.declare(d.name, {symbol_kind::param, d.of, place(names_.param_top), d.size(), d.stride()});
                    names_.param_most = std::max(names_.param_most, names_.param_top);
                } else if (word == ".local")
                    names_.declare(d.name, {symbol_kind::local, d.of, place(f.local_bytes), d.size(), d.stride()});
                else {
                    names_.declare(d.name, {symbol_kind::shared, d.of, static_cast<std::uint32_t>(p_.shared.size()), d.size(), d.stride()});
                    d_.uses_shared(static_cast<std::uint32_t>(p_.shared.size()));
                    p_.shared.push_back({std::string{d.name}, d.size(), d.alignment(), 0});
                }
                if (!in_.take(',')) break;
                d = next_of(first);
            }
            in_.need(';');
        } else if (word == ".loc") {
            constexpr std::string_view inlined = "inlined_at ";
            std::string_view text = in_.skip_line();
            source_line line;
            line.at = static_cast<std::uint32_t>(p_.code.size());
            line.here = source_place(text);
            if (const std::size_t at = text.find(inlined); at != std::string_view::npos)
                line.inlined_at = source_place(text.substr(at + inlined.size()));
            p_.lines.push_back(line);
        } else if (word == ".pragma")
            pragma();
        else
            in_.fail("'" + std::string{word} + "' is not expected here");
    }

    /// Three numbers, as .loc has them; 0 for those that are not there.
    static source_line::place source_place(std::string_view text) noexcept {
        std::uint32_t numbers[3] = {0, 0, 0};
        for (std::uint32_t& n : numbers) {
            text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t")));
            const auto read = std::from_chars(text.data(), text.data() + text.size(), n);
            text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
        }
        return {numbers[0], numbers[1], numbers[2]};
    }

    void instruction_of(const statement& s) {
        d_.current = &s;
        if (!s.guard.empty()) {
            const symbol g = d_.look_up(s.guard);
            decoder::need(g.kind == symbol_kind::reg && g.of == type::pred, "the guard is no predicate");
            d_.guard = {g.where};
        }
        form& f = form_of(s.mnemonic);
        d_.how = f.flow;
        if (s.indexed) place_elements(statement_, f);
        if (!f.beyond.empty()) decoder::refuse(std::string{f.beyond} + " are not supported");
        if (s.strange) decoder::refuse("an operand of a form that is not supported");
        if (decode_arithmetic(d_, f, s) || decode_memory(d_, f, s) || decode_control(d_, f, s) || decode_mbarrier(d_, f, s) ||
            decode_bulk(d_, f, s) || decode_matrix(d_, f, s) || decode_matrix_move(d_, f, s) || decode_wmma(d_, f, s) ||
            decode_video(d_, f, s) || decode_scalar_video(d_, f, s) || decode_stack(d_, f, s))
            return;
        decoder::refuse("this instruction is not supported");
    }
    /// Kinds of instructions that the executor does not have, by what they are.
    static std::string_view out_of_scope(const form& f) noexcept {
        constexpr std::string_view textures = "textures and surfaces", tensors = "TMA tensor copies and their descriptors";
        constexpr struct {
            std::string_view op, what;
        } all[] = {{"tex", textures},
                   {"tld4", textures},
                   {"txq", textures},
                   {"suld", textures},
                   {"sust", textures},
                   {"sured", textures},
                   {"suq", textures},
                   {"istypep", textures},
                   {"wgmma", "products of matrices by a group of warps"},
                   {"tcgen05", "tensor memory and its products"},
                   {"tensormap", tensors},
                   {"multimem", "multicast objects of several devices"},
                   {"clusterlaunchcontrol", "cancelled launches of clusters"}};
        for (const auto& known : all)
            if (known.op == f.op) return known.what;
        if (f.has("oob")) return "NaNs of what a tensor copy found out of bounds";
        return f.has("tensor") && f.has("bulk") ? tensors : std::string_view{};
    }
    form& form_of(std::string_view mnemonic) {
        // Those read lately are found without a hash of the whole.
        const auto some = static_cast<unsigned char>(mnemonic.back()) * 5u + static_cast<unsigned char>(mnemonic[mnemonic.size() / 2]);
        form*& recent = recent_[(mnemonic.size() + some) % std::size(recent_)];
        if (recent != nullptr && recent->text == mnemonic) return *recent;
        if (const auto found = forms_.find(mnemonic); found != forms_.end()) return *(recent = found->second);
        all_forms_.emplace_back();
        form& f = all_forms_.back();
        recent = &f;
        read_form(mnemonic, f);
        f.lanewise = decode_detail::find_lanewise(f);
        f.flow = flow_of(f);
        f.beyond = out_of_scope(f);
        forms_.emplace(f.text, &f);
        return f;
    }

    /// What follows from calls: refusals.
    void settle() {
        for (const auto& [alias, of] : aliases_)
            if (const auto found = p_.function_index.find(std::string{of}); found != p_.function_index.end()) {
                const auto [own, made] = p_.function_index.emplace(std::string{alias}, found->second);
                if (made || own->second == found->second) continue;
                function& declared = p_.functions[static_cast<std::size_t>(own->second)]; // and maybe called already
                if (declared.defined) continue;
                declared = p_.functions[static_cast<std::size_t>(found->second)];
                declared.name = std::string{alias};
            }
        for (function& f : p_.functions) {
            if (!f.defined || !f.refusal.empty()) continue;
            for (const int callee : f.callees) {
                const function& g = p_.functions[static_cast<std::size_t>(callee)];
                if (!g.defined && find_builtin(g.name) == no_builtin)
                    f.refusal = "it calls " + g.name + ", which the module does not define";
            }
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (function& f : p_.functions) {
                if (!f.defined || !f.refusal.empty()) continue;
                for (const int callee : f.callees) {
                    const function& g = p_.functions[static_cast<std::size_t>(callee)];
                    if (g.refusal.empty()) continue;
                    f.refusal = "it calls " + g.name + ": " + g.refusal;
                    changed = true;
                    break;
                }
            }
        }
    }

    lexer in_;
    program& p_;
    scopes names_;
    decoder d_;
    statement statement_;
    std::unordered_map<std::string_view, form*> forms_;
    std::deque<form> all_forms_;
    form* recent_[64]{};
    std::deque<std::string> elements_; ///< names of the addresses of elements
    std::deque<std::string> kept_;     ///< names that the text has not as such: of vectors' parts, in ranges of vectors and labels
    bool has_vectors_ = false;         ///< the function has vectors of registers
    std::vector<register_formal> registers_;
    std::vector<std::pair<std::string_view, symbol>> formal_names_;
    std::vector<std::pair<std::string_view, std::string_view>> aliases_;
    bool external_ = false;
};

} // namespace hanabi::host::ptx

#endif
