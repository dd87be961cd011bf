// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// PTX text: its header, its kernels with their parameters and directives, its functions and its variables. Constexpr,
/// without allocation; instructions are skipped, never interpreted.

#ifndef HANABI_IMAGE_PTX_HPP
#define HANABI_IMAGE_PTX_HPP

#include <hanabi/image/parameter.hpp>
#include <hanabi/image/ptx_parameter.hpp>
#include <hanabi/image/ptx_token.hpp>
#include <hanabi/image/slice.hpp>

#include <cstddef>
#include <cstdint>

namespace hanabi::image {

/// What the file says of itself: PTX "Module Directives".
struct ptx_header {
    std::uint32_t major = 0, minor = 0; ///< .version: 8.10 is newer than 8.9
    slice target;                       ///< the first target: sm_90a
    slice targets;                      ///< the whole list as written: sm_80, debug
    std::uint32_t address_size = 0;     ///< 32 or 64; 0 where not said (then it is 32 by the manual, 64 in practice)
};

/// One kernel. Slices point into the text.
struct ptx_entry {
    slice name;
    linkage link = linkage::internal;
    bool defined = false;   ///< has a body; false for a declaration
    bool waits = false;     ///< its own body holds griddepcontrol.wait
    bool calls = false;     ///< its body calls something, where a wait could be too
    std::size_t offset = 0; ///< of the name, from the beginning of the text
    slice parameters;       ///< the text between the parentheses; walk it with ptx_parameters
    launch_bounds bounds;
};

/// One function that is no kernel.
struct ptx_function {
    slice name;
    linkage link = linkage::internal;
    bool defined = false;
    std::size_t offset = 0;
};

/// One variable of module scope.
struct ptx_variable {
    slice name;
    state_space space = state_space::generic;
    linkage link = linkage::internal;
    scalar type = scalar::unknown;
    std::uint64_t size = 0;  ///< bytes; 0 for an array without bound, or where the type is unknown
    std::uint32_t align = 0; ///< bytes
    bool array = false;
    bool managed = false; ///< .attribute(.managed)
    bool initialised = false;
    std::size_t offset = 0; ///< of the name, from the beginning of the text
};

/// What a scanner stopped at.
enum class ptx_item : std::uint8_t { end, entry, function, variable };

/// Walks the items of a module in the order of the text. Trailing NULs and a leading byte order mark are no part of the
/// text. Linear; reads nothing past the end it is given; one thread at a time.
class ptx_scanner {
  public:
    constexpr ptx_scanner(const char* text, std::size_t size) noexcept {
        while (size != 0 && text[size - 1] == '\0') --size;
        const bool mark = size >= 3 && text[0] == '\xef' && text[1] == '\xbb' && text[2] == '\xbf';
        in_ = {text, text + (mark ? 3 : 0), text + size};
    }
    constexpr explicit ptx_scanner(slice text) noexcept : ptx_scanner{text.first, text.length} {}

    /// Goes on to the next item; entry(), function() or variable() then says what it is. end: see error().
    constexpr ptx_item next() noexcept {
        if (pending_) return next_declarator();
        linkage link = linkage::internal;
        while (true) {
            const token t = in_.next();
            if (t.kind == token_kind::end) {
                if (header_.major == 0 && !in_.error()) in_.fail("no .version: this is no PTX", in_.position());
                return ptx_item::end;
            }
            if (t.kind != token_kind::directive) {
                if (t.is(';')) continue;
                in_.fail(header_.major == 0 ? "text before .version" : "text outside of any declaration", t.text.first);
                return ptx_item::end;
            }
            if (t.is(".version")) {
                if (!read_version()) return ptx_item::end;
                continue;
            }
            if (header_.major == 0) {
                in_.fail("a directive before .version", t.text.first);
                return ptx_item::end;
            }
            if (t.is(".visible"))
                link = linkage::visible;
            else if (t.is(".entry"))
                return read_entry(link);
            else if (t.is(".func"))
                return read_function(link);
            else if (t.is(".extern"))
                link = linkage::external;
            else if (t.is(".weak"))
                link = linkage::weak;
            else if (t.is(".common"))
                link = linkage::common;
            else if (t.is(".global"))
                return read_variable(link, state_space::global);
            else if (t.is(".const"))
                return read_variable(link, state_space::constant);
            else if (t.is(".shared"))
                return read_variable(link, state_space::shared);
            else if (t.is(".local"))
                return read_variable(link, state_space::local);
            else if (t.is(".param"))
                return read_variable(link, state_space::param);
            else if (t.is(".target"))
                read_target();
            else if (t.is(".address_size"))
                header_.address_size = static_cast<std::uint32_t>(read_count("an address size that is no number"));
            else if (t.is(".tex") || t.is(".surf") || t.is(".sampler"))
                return read_variable(link, state_space::global);
            else
                skip_unknown(t);
        }
    }

    /// Goes on to the next kernel of that name, or of any where it is empty, and reads nothing of what is before it but
    /// the brackets: what constant evaluation has steps for. The entry's linkage stays unknown.
    constexpr bool find_entry(slice name) noexcept {
        if (header_.major == 0) {
            const token t = in_.next();
            if (!t.is(".version")) {
                in_.fail("no .version: this is no PTX", in_.position());
                return false;
            }
            if (!read_version()) return false;
        }
        while (in_.skip_to_entry())
            if (const token t = in_.peek(); name.empty() || (t.kind == token_kind::word && t.text == name))
                return read_entry(linkage::internal) == ptx_item::entry;
        return false;
    }

    constexpr const ptx_header& header() const noexcept { return header_; }
    constexpr const ptx_entry& entry() const noexcept { return entry_; }
    constexpr const ptx_function& function() const noexcept { return function_; }
    constexpr const ptx_variable& variable() const noexcept { return variable_; }
    constexpr fault error() const noexcept { return in_.error(); }

  private:
    constexpr bool read_version() noexcept {
        const token t = in_.next();
        std::size_t dot = 0;
        while (dot < t.text.length && t.text.first[dot] != '.') ++dot;
        std::uint64_t major = 0, minor = 0;
        for (std::size_t i = 0; i < dot && major < 100000; ++i) major = major * 10 + static_cast<std::uint64_t>(t.text.first[i] - '0');
        for (std::size_t i = dot + 1; i < t.text.length && minor < 100000; ++i)
            minor = minor * 10 + static_cast<std::uint64_t>(t.text.first[i] - '0');
        if (t.kind != token_kind::number || dot == 0 || dot == t.text.length || major == 0 || major >= 100000 || minor >= 100000) {
            in_.fail(".version without a number like 8.0", t.kind == token_kind::end ? in_.position() : t.text.first);
            return false;
        }
        header_.major = static_cast<std::uint32_t>(major);
        header_.minor = static_cast<std::uint32_t>(minor);
        return true;
    }

    constexpr void read_target() noexcept {
        token t = in_.next();
        if (t.kind != token_kind::word) {
            in_.fail(".target without a name", t.kind == token_kind::end ? in_.position() : t.text.first);
            return;
        }
        if (header_.target.empty()) header_.target = t.text;
        const char* const first = t.text.first;
        while (in_.peek().is(',')) {
            in_.next();
            t = in_.next();
            if (t.kind != token_kind::word) {
                in_.fail("a target is missing after the comma", t.kind == token_kind::end ? in_.position() : t.text.first);
                return;
            }
        }
        if (header_.targets.empty()) header_.targets = {first, static_cast<std::size_t>(t.text.end() - first)};
    }

    constexpr std::uint64_t read_count(const char* complaint) noexcept {
        const token t = in_.next();
        std::uint64_t value = 0;
        if (t.kind != token_kind::number || !detail::parse_number(t.text, value) || value > 0xffffffffu) {
            in_.fail(complaint, t.kind == token_kind::end ? in_.position() : t.text.first);
            return 0;
        }
        return value;
    }

    /// One to three numbers; what is not given is 1.
    constexpr extent3 read_extent() noexcept {
        extent3 e{static_cast<std::uint32_t>(read_count("a directive without its number")), 1, 1};
        if (in_.peek().is(',')) {
            in_.next();
            e.y = static_cast<std::uint32_t>(read_count("a number is missing after the comma"));
            if (in_.peek().is(',')) {
                in_.next();
                e.z = static_cast<std::uint32_t>(read_count("a number is missing after the comma"));
            }
        }
        return e;
    }

    constexpr void skip_pragma() noexcept {
        while (true) {
            const token t = in_.next();
            if (t.is(';')) return;
            if (t.kind != token_kind::string && !t.is(',')) {
                in_.fail("a pragma without its semicolon", t.kind == token_kind::end ? in_.position() : t.text.first);
                return;
            }
        }
    }

    /// A directive this reader has no use for: up to its semicolon, through its block, or to the next directive.
    constexpr void skip_unknown(const token& directive) noexcept {
        if (directive.is(".pragma")) return skip_pragma();
        bool section = directive.is(".section");
        while (true) {
            const token t = in_.peek();
            if (t.kind == token_kind::end) return;
            if (t.kind == token_kind::directive && !section) return;
            section = false; // its name looks like a directive
            in_.next();
            if (t.is(';')) return;
            if (t.is('}') || t.is(')') || t.is(']')) return in_.fail("a bracket that was never opened", t.text.first);
            if (t.is('{') || t.is('(') || t.is('[')) {
                if (!in_.skip_brackets(t.text.first, "a block that is not closed")) return;
                if (t.is('{')) return;
            }
        }
    }

    constexpr bool read_name(slice& name, std::size_t& offset) noexcept {
        token t = in_.next();
        while (t.is(".attribute")) {
            const token opening = in_.next();
            if (!opening.is('(') || !in_.skip_brackets(opening.text.first, "an attribute list that is not closed")) {
                in_.fail("an attribute without a list", t.text.first);
                return false;
            }
            t = in_.next();
        }
        if (t.is('(')) { // what a function returns
            if (!in_.skip_brackets(t.text.first, "a parameter list that is not closed")) return false;
            t = in_.next();
        }
        if (t.kind != token_kind::word) {
            if (!in_.error()) in_.fail("a name is missing", t.kind == token_kind::end ? in_.position() : t.text.first);
            return false;
        }
        name = t.text;
        offset = in_.offset_of(t.text.first);
        return true;
    }

    /// The parameter list, where there is one, as text.
    constexpr bool read_list(slice& list) noexcept {
        const token t = in_.peek();
        list = {in_.position(), 0};
        if (!t.is('(')) return !in_.error();
        in_.next();
        const char* const first = in_.position();
        if (!in_.skip_brackets(t.text.first, "a parameter list that is not closed")) return false;
        list = {first, static_cast<std::size_t>(in_.position() - first - 1)};
        return true;
    }

    constexpr ptx_item read_entry(linkage link) noexcept {
        entry_ = {};
        entry_.link = link;
        if (!read_name(entry_.name, entry_.offset) || !read_list(entry_.parameters)) return ptx_item::end;
        launch_bounds& b = entry_.bounds;
        while (true) {
            const token t = in_.next();
            if (t.is('{')) {
                const auto facts = in_.skip_body(t.text.first);
                entry_.defined = true;
                entry_.waits = facts.waits;
                entry_.calls = facts.calls;
                return facts.closed ? ptx_item::entry : ptx_item::end;
            }
            if (t.is(';')) return ptx_item::entry;
            if (t.kind == token_kind::end) {
                in_.fail("a kernel without a body", entry_.name.first);
                return ptx_item::end;
            }
            if (t.is(".maxntid"))
                b.max_threads = read_extent();
            else if (t.is(".reqntid"))
                b.required_threads = read_extent();
            else if (t.is(".minnctapersm"))
                b.min_blocks_per_sm = read_extent().x;
            else if (t.is(".maxnctapersm"))
                b.max_blocks_per_sm = read_extent().x;
            else if (t.is(".maxnreg"))
                b.max_registers = read_extent().x;
            else if (t.is(".reqnctapercluster"))
                b.required_cluster = read_extent();
            else if (t.is(".maxclusterrank"))
                b.max_cluster_rank = read_extent().x;
            else if (t.is(".explicitcluster"))
                b.explicit_cluster = true;
            else if (t.is(".blocksareclusters"))
                b.blocks_are_clusters = true;
            else if (t.is(".noreturn"))
                b.no_return = true;
            else if (t.is(".pragma"))
                skip_pragma();
            else if (t.kind == token_kind::directive)
                skip_operands();
            else
                in_.fail("a body or a directive must follow a kernel's parameters", t.text.first);
            if (in_.error()) return ptx_item::end;
        }
    }

    /// What follows a directive that this reader does not know, up to the next one, the body or the semicolon.
    constexpr void skip_operands() noexcept {
        while (true) {
            const token t = in_.peek();
            if (t.is('(')) {
                in_.next();
                if (!in_.skip_brackets(t.text.first, "a list that is not closed")) return;
            } else if (t.kind == token_kind::number || t.kind == token_kind::word || t.kind == token_kind::string || t.is(','))
                in_.next();
            else
                return;
        }
    }

    constexpr ptx_item read_function(linkage link) noexcept {
        function_ = {};
        function_.link = link;
        slice list;
        if (!read_name(function_.name, function_.offset) || !read_list(list)) return ptx_item::end;
        while (true) {
            const token t = in_.next();
            if (t.is('{')) {
                function_.defined = true;
                return in_.skip_body(t.text.first).closed ? ptx_item::function : ptx_item::end;
            }
            if (t.is(';')) return ptx_item::function;
            if (t.kind == token_kind::end) {
                in_.fail("a function without a body", function_.name.first);
                return ptx_item::end;
            }
            if (t.is(".pragma"))
                skip_pragma();
            else if (t.kind == token_kind::directive)
                skip_operands();
            else
                in_.fail("a body or a directive must follow a function's parameters", t.text.first);
            if (in_.error()) return ptx_item::end;
        }
    }

    constexpr ptx_item read_variable(linkage link, state_space space) noexcept {
        shared_ = {};
        variable_ = {};
        variable_.link = link;
        variable_.space = space;
        if (!detail::read_declaration(in_, shared_)) return ptx_item::end;
        return finish_variable();
    }

    /// After a comma: another name under the modifiers of the first.
    constexpr ptx_item next_declarator() noexcept {
        pending_ = false;
        const token t = in_.next();
        if (t.kind != token_kind::word) {
            in_.fail("a name is missing after the comma", t.kind == token_kind::end ? in_.position() : t.text.first);
            return ptx_item::end;
        }
        shared_.name = t.text;
        return finish_variable();
    }

    constexpr ptx_item finish_variable() noexcept {
        detail::ptx_declarator d = shared_;
        if (!detail::read_bounds(in_, d)) return ptx_item::end;
        variable_.name = d.name;
        variable_.offset = in_.offset_of(d.name.first);
        variable_.type = d.type;
        variable_.size = d.size();
        variable_.align = d.alignment();
        variable_.array = d.array;
        variable_.managed = d.managed;
        variable_.initialised = false;
        token t = in_.next();
        if (t.is('=')) {
            variable_.initialised = true;
            if (!in_.skip_initialiser()) return ptx_item::end;
            t = in_.next();
        }
        if (!t.is(';') && !t.is(',')) {
            in_.fail("a semicolon must follow a variable", t.kind == token_kind::end ? in_.position() : t.text.first);
            return ptx_item::end;
        }
        pending_ = t.is(',');
        return ptx_item::variable;
    }

    ptx_tokens in_;
    ptx_header header_;
    ptx_entry entry_;
    ptx_function function_;
    ptx_variable variable_;
    detail::ptx_declarator shared_;
    bool pending_ = false;
};

/// The characters of an embedded file whose array is of another type (#embed into unsigned char, std::byte), for use in
/// constant expressions, where no cast gives them:
///     constexpr image::ptx_characters text{embedded};   static_assert(image::find_entry(text.data, text.size, "axpy"));
template <std::size_t N>
struct ptx_characters {
    static constexpr std::size_t size = N;
    char data[N]{};

    template <class Byte>
    constexpr ptx_characters(const Byte (&bytes)[N]) noexcept {
        for (std::size_t i = 0; i < N; ++i) data[i] = static_cast<char>(bytes[i]);
    }
};
template <class Byte, std::size_t N>
ptx_characters(const Byte (&)[N]) -> ptx_characters<N>;

/// What a look-up found. The fault is the text's, up to where the look-up had to read.
struct ptx_lookup {
    bool found = false;
    ptx_entry entry;
    ptx_header header;
    fault error;

    constexpr explicit operator bool() const noexcept { return found; }
};

/// Finds one kernel by its symbol: its definition, else its declaration. Reads the text up to the definition; allocates
/// nothing; usable in a constant expression for texts of about 100 KB within the compilers' default limits.
constexpr ptx_lookup find_entry(const char* text, std::size_t size, slice name) noexcept {
    ptx_scanner scan{text, size};
    ptx_lookup result;
    for (ptx_item item = scan.next(); item != ptx_item::end; item = scan.next()) {
        if (item != ptx_item::entry || !(scan.entry().name == name)) continue;
        result.found = true;
        result.entry = scan.entry();
        if (result.entry.defined) break;
    }
    result.header = scan.header();
    result.error = scan.error();
    return result;
}

} // namespace hanabi::image

#endif
