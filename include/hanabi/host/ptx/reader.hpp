// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Reads a PTX module: directives, variables with their initial values, functions; and has their instructions decoded.

#ifndef HANABI_HOST_PTX_READER_HPP
#define HANABI_HOST_PTX_READER_HPP

#include <hanabi/host/ptx/decode_arithmetic.hpp>
#include <hanabi/host/ptx/decode_control.hpp>
#include <hanabi/host/ptx/decode_memory.hpp>
#include <hanabi/host/ptx/decoder.hpp>
#include <hanabi/host/ptx/matrix.hpp>
#include <hanabi/host/ptx/mbarrier.hpp>
#include <hanabi/host/ptx/scope.hpp>
#include <hanabi/host/ptx/statement.hpp>
#include <hanabi/host/ptx/video.hpp>
#include <hanabi/host/ptx/wmma.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
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
    reader(const char* first, const char* last, program& into) : in_{first, last}, p_{into}, d_{into, names_} {}

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
            in_.skip_past(';');
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
            else if (word == ".attribute") {
                in_.need('(');
                in_.skip_past(')');
            } else if (word == ".ptr" || word == ".global" || word == ".const" || word == ".shared" || word == ".local" ||
                       word == ".param") {
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
            d.elements *= n.bits;
            in_.need(']');
        }
    }

    void read_variable(std::string_view where) {
        const declaration first = declare();
        for (declaration d = first;;) {
            bounds(d);
            if (where == ".shared") {
                d_.globals[d.name] = {symbol_kind::shared, d.of, static_cast<std::uint32_t>(p_.shared.size()), d.size()};
                p_.shared.push_back({std::string{d.name}, d.size(), d.alignment(), 0});
            } else {
                d_.globals[d.name] = {symbol_kind::variable, d.of, 0, d.size()};
                if (in_.take('=')) initialise(d);
            }
            if (!in_.take(',')) break;
            d = first;
            d.name = in_.word();
            d.elements = 1;
            d.array = d.unbounded = false;
        }
        in_.need(';');
    }
    void initialise(const declaration& d) {
        std::vector<std::byte>& bytes = p_.initial[std::string{d.name}];
        const unsigned size = size_of(d.of);
        const auto element = [&] {
            const std::size_t at = bytes.size();
            bytes.resize(at + size);
            argument a;
            bool minus = in_.take('-');
            std::uint64_t value = 0, mask = 0;
            char c = in_.peek();
            if (c >= '0' && c <= '9') {
                in_.number(a);
                if (in_.peek() != '(') {
                    value = a.kind == argument_kind::real ? decoder::real_bits(minus ? -a.value : a.value, d.of) : a.bits;
                    if (a.kind == argument_kind::integer && (d.of == type::f32 || d.of == type::f64))
                        value = decoder::real_bits(static_cast<double>(static_cast<std::int64_t>(a.bits)) * (minus ? -1 : 1), d.of);
                    else if (minus && a.kind == argument_kind::integer)
                        value = ~value + 1;
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
                minus = in_.take('-');
                if (!minus) in_.take('+');
                in_.peek();
                in_.number(a);
                add += minus ? -static_cast<std::int64_t>(a.bits) : static_cast<std::int64_t>(a.bits);
            }
            if (mask != 0) in_.need(')');
            p_.pointers.push_back(
                {std::string{d.name}, std::string{name}, at, add, size, mask == 0 ? 0u : static_cast<unsigned>(std::countr_zero(mask))});
        };
        const auto list = [&](auto&& self) -> void {
            if (!in_.take('{')) {
                element();
                return;
            }
            while (!in_.take('}')) {
                self(self);
                if (!in_.take(',') && in_.peek() != '}') in_.fail("an initialiser that is not closed");
            }
        };
        list(list);
    }

    /// The parameters of a function, in brackets that come next.
    void formals(std::vector<formal>& out, function& f, bool kernel) {
        in_.need('(');
        while (!in_.take(')')) {
            const std::string_view where = in_.word();
            declaration d;
            if (where == ".reg") {
                const std::string_view t = in_.word();
                d.of = type_of(t.substr(t.empty() ? 0 : 1));
                d.name = in_.word();
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
            if (p.in_register)
                registers_.emplace_back(d.name, d.of);
            else {
                p.offset = (f.param_bytes + p.align - 1) / p.align * p.align;
                f.param_bytes = p.offset + p.size;
                formal_names_.emplace_back(d.name, symbol{kernel ? symbol_kind::kernel_param : symbol_kind::param, d.of, p.offset, p.size});
            }
            out.push_back(std::move(p));
            if (!in_.take(',') && in_.peek() != ')') in_.fail("a list of parameters that is not closed");
        }
    }

    void read_function(bool kernel) {
        function f;
        f.kernel = kernel;
        registers_.clear();
        formal_names_.clear();
        if (in_.peek() == '.') { // .attribute
            in_.word();
            in_.need('(');
            in_.skip_past(')');
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
            else if (in_.word().empty())
                in_.fail("the body of a function is expected");
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
        d_.tables.clear();
        for (auto& [name, of] : registers_) {
            names_.declare_register(name, of);
            const symbol s = names_.find(name);
            for (std::vector<formal>* list : {&f.results, &f.parameters})
                for (formal& p : *list)
                    if (p.in_register && p.name == name) p.offset = s.where;
        }
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
                do {
                    const std::string_view target = in_.word();
                    auto& entries = p_.tables[table];
                    names_.want_label(target, table_entry | table << 12 | static_cast<std::uint32_t>(entries.size()), d_.line);
                    entries.push_back(0);
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
                    names_.declare_range(name, static_cast<std::uint32_t>(n.bits), of);
                } else if (vector > 1) {
                    for (unsigned k = 0; k < vector; ++k) {
                        kept_.push_back(std::string{name} + "." + "xyzw"[k]);
                        names_.declare_register(kept_.back(), of);
                    }
                } else
                    names_.declare_register(name, of);
            } while (in_.take(','));
            in_.need(';');
        } else if (word == ".param" || word == ".local" || word == ".shared") {
            const declaration first = declare();
            for (declaration d = first;;) {
                bounds(d);
                const auto place = [&](std::uint32_t& top) {
                    const std::uint32_t at = (top + d.alignment() - 1) / d.alignment() * d.alignment();
                    top = at + d.size();
                    return at;
                };
                if (word == ".param") {
                    names_.declare(d.name, {symbol_kind::param, d.of, place(names_.param_top), d.size()});
                    names_.param_most = std::max(names_.param_most, names_.param_top);
                } else if (word == ".local")
                    names_.declare(d.name, {symbol_kind::local, d.of, place(f.local_bytes), d.size()});
                else {
                    names_.declare(d.name, {symbol_kind::shared, d.of, static_cast<std::uint32_t>(p_.shared.size()), d.size()});
                    d_.uses_shared(static_cast<std::uint32_t>(p_.shared.size()));
                    p_.shared.push_back({std::string{d.name}, d.size(), d.alignment(), 0});
                }
                if (!in_.take(',')) break;
                d = first;
                d.name = in_.word();
                d.elements = 1;
                d.array = d.unbounded = false;
            }
            in_.need(';');
        } else if (word == ".loc") {
            argument file, line;
            in_.peek();
            in_.number(file);
            in_.peek();
            in_.number(line);
            in_.skip_line();
            p_.lines.push_back(
                {static_cast<std::uint32_t>(p_.code.size()), static_cast<std::uint32_t>(file.bits), static_cast<std::uint32_t>(line.bits)});
        } else if (word == ".pragma")
            in_.skip_past(';');
        else
            in_.fail("'" + std::string{word} + "' is not expected here");
    }

    void instruction_of(const statement& s) {
        d_.current = &s;
        if (!s.guard.empty()) {
            const symbol g = d_.look_up(s.guard);
            decoder::need(g.kind == symbol_kind::reg && g.of == type::pred, "the guard is no predicate");
            d_.guard = {g.where};
        }
        form& f = form_of(s.mnemonic);
        if (s.strange) decoder::refuse("an operand of a form that is not supported");
        if (decode_arithmetic(d_, f, s) || decode_memory(d_, f, s) || decode_control(d_, f, s) || decode_mbarrier(d_, f, s) ||
            decode_matrix(d_, f, s) || decode_wmma(d_, f, s) || decode_video(d_, f, s))
            return;
        decoder::refuse("this instruction is not supported");
    }
    form& form_of(std::string_view mnemonic) {
        if (const auto found = forms_.find(mnemonic); found != forms_.end()) return *found->second;
        all_forms_.emplace_back();
        form& f = all_forms_.back();
        read_form(mnemonic, f);
        f.lanewise = decode_detail::find_lanewise(f);
        forms_.emplace(f.text, &f);
        return f;
    }

    /// What follows from calls: refusals.
    void settle() {
        for (const auto& [alias, of] : aliases_)
            if (const auto found = p_.function_index.find(std::string{of}); found != p_.function_index.end())
                p_.function_index.emplace(std::string{alias}, found->second);
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
    std::deque<std::string> kept_;
    std::vector<std::pair<std::string_view, type>> registers_;
    std::vector<std::pair<std::string_view, symbol>> formal_names_;
    std::vector<std::pair<std::string_view, std::string_view>> aliases_;
    bool external_ = false;
};

} // namespace hanabi::host::ptx

#endif
