// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Signatures made at run time, and every way to get one parameter of them wrong.

#ifndef HANABI_TEST_SUPPORT_MUTATION_HPP
#define HANABI_TEST_SUPPORT_MUTATION_HPP

#include <hanabi/descriptor.hpp>
#include <hanabi/mangling.hpp>
#include <hanabi/signature.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace mutation {

/// A parameter type as data.
struct type {
    std::string encoding; ///< in a linker name, without substitutions
    std::string spelled;  ///< as demanglers write it
    std::string ptx;      ///< as nvcc declares it: ".param .u64 NAME", NAME standing for itself
    hanabi::parameter description;
    int widened = -1, narrowed = -1; ///< the next type of the same class and another size
    int twin = -1;                   ///< of the same size and another scalar class: int for float, long for double
    int unqualified = -1;            ///< the pointer with or without const
    int other_pointee = -1;
    bool pointer = false;
};

struct half_like {
    unsigned short bits;
};
struct pair_like {
    float x;
    int n;
};
struct alignas(16) vector_like {
    float x, y, z, w;
};
enum class colour : int {};
enum class tiny : unsigned char {};

/// The types that signatures are made of.
class universe {
  public:
    universe() {
        add<bool>("bool", ".u8");
        add<char>("char", ".u8");
        add<signed char>("signed char", ".u8");
        add<unsigned char>("unsigned char", ".u8");
        add<short>("short", ".u16");
        add<unsigned short>("unsigned short", ".u16");
        add<int>("int", ".u32");
        add<unsigned>("unsigned int", ".u32");
        add<long>("long", ".u64");
        add<unsigned long>("unsigned long", ".u64");
        add<long long>("long long", ".u64");
        add<unsigned long long>("unsigned long long", ".u64");
        add<float>("float", ".f32");
        add<double>("double", ".f64");
        for (const char* pointee : {"f", "d", "i", "j", "c", "h", "y", "v", "Pf", "PKf"}) {
            const int plain = add_pointer(pointee, false), constant = add_pointer(pointee, true);
            at(plain).unqualified = constant;
            at(constant).unqualified = plain;
        }
        add<half_like>("mutation::half_like", ".align 2 .b8 NAME[2]");
        add<pair_like>("mutation::pair_like", ".align 4 .b8 NAME[8]");
        add<vector_like>("mutation::vector_like", ".align 16 .b8 NAME[16]");
        add<colour>("mutation::colour", ".u32");
        add<tiny>("mutation::tiny", ".u8");

        const auto chain = [&](std::initializer_list<const char*> from_narrow_to_wide) {
            int before = -1;
            for (const char* name : from_narrow_to_wide) {
                const int now = find(name);
                if (before >= 0) {
                    at(before).widened = now;
                    at(now).narrowed = before;
                }
                before = now;
            }
        };
        chain({"signed char", "short", "int", "long"});
        chain({"unsigned char", "unsigned short", "unsigned int", "unsigned long long"});
        chain({"float", "double"});
        at(find("bool")).widened = find("int");
        at(find("char")).widened = find("short");
        at(find("unsigned long")).narrowed = find("unsigned int");
        at(find("long long")).narrowed = find("int");
        at(find("mutation::colour")).narrowed = find("mutation::tiny");
        at(find("mutation::tiny")).widened = find("mutation::colour");
        at(find("mutation::half_like")).widened = find("mutation::pair_like");
        at(find("mutation::pair_like")).widened = find("mutation::vector_like");
        at(find("mutation::vector_like")).narrowed = find("mutation::pair_like");
        for (const char* name : {"int", "unsigned int", "mutation::colour"}) at(find(name)).twin = find("float");
        for (const char* name : {"long", "unsigned long", "long long", "unsigned long long"}) at(find(name)).twin = find("double");
        at(find("float")).twin = find("int");
        at(find("double")).twin = find("unsigned long");
        for (int i = 0, n = size(); i < n; ++i) // the pointer four further on: const stays as it is
            if (at(i).pointer) at(i).other_pointee = i + 4 < n && at(i + 4).pointer ? i + 4 : find("float*") + (i - find("float*")) % 2;
        for (int i = 0; i < size(); ++i)
            if (at(i).other_pointee == i) at(i).other_pointee = find("int*");
    }

    const type& operator[](int i) const { return types_[static_cast<std::size_t>(i)]; }
    int size() const { return static_cast<int>(types_.size()); }
    /// How many have a name: those come first.
    int named() const {
        int n = 0;
        while (n < size() && !(*this)[n].encoding.empty()) ++n;
        return n;
    }
    /// The number of a type by its name; -1 when there is none.
    int find(std::string_view spelled) const {
        for (int i = 0; i < size(); ++i)
            if ((*this)[i].spelled == spelled) return i;
        return -1;
    }
    /// Bytes by value, of any size: an object without a C++ name.
    int bytes(std::uint32_t size, std::uint32_t alignment) {
        for (int i = 0; i < this->size(); ++i)
            if (at(i).encoding.empty() && at(i).description.size == size) return i;
        type t;
        t.description = hanabi::detail::parameter_of<half_like>;
        t.description.size = size;
        t.description.alignment = alignment;
        types_.push_back(t);
        return this->size() - 1;
    }

  private:
    type& at(int i) { return types_[static_cast<std::size_t>(i)]; }
    template <class T>
    int add(const char* spelled, const char* ptx) {
        type t;
        t.encoding = hanabi::detail::encoded<T>.characters;
        t.spelled = spelled;
        t.ptx = std::string{".param "} + ptx;
        if (t.ptx.find("NAME") == std::string::npos) t.ptx += " NAME";
        t.description = hanabi::detail::parameter_of<T>;
        types_.push_back(t);
        return size() - 1;
    }
    int add_pointer(const std::string& pointee, bool constant) {
        static const std::array<std::pair<const char*, const char*>, 10> names{{{"f", "float"},
                                                                                {"d", "double"},
                                                                                {"i", "int"},
                                                                                {"j", "unsigned int"},
                                                                                {"c", "char"},
                                                                                {"h", "unsigned char"},
                                                                                {"y", "unsigned long long"},
                                                                                {"v", "void"},
                                                                                {"Pf", "float*"},
                                                                                {"PKf", "float const*"}}};
        const int number = add<void*>("", ".u64 NAME");
        type& t = at(number);
        t.encoding = (constant ? "PK" : "P") + pointee;
        for (const auto& [code, name] : names)
            if (pointee == code) t.spelled = std::string{name} + (constant ? " const*" : "*");
        t.pointer = true;
        return number;
    }

    std::vector<type> types_;
};

/// A kernel's name and the numbers of its parameter types.
struct signature {
    std::string name;
    std::vector<int> parameters;
    bool cxx = false; ///< has a C++ name

    /// What the linker calls it, by the library's own mangling.
    std::string symbol(const universe& types) const {
        if (!cxx) return name;
        std::vector<const char*> encodings;
        for (int p : parameters) encodings.push_back(types[p].encoding.c_str());
        const auto made = hanabi::detail::mangle<512>(hanabi::name_view{name.c_str()}, true, 0, encodings.data(),
                                                      static_cast<unsigned>(encodings.size()));
        return {made.characters, made.length};
    }
    std::string ptx(const universe& types, bool with_ptr) const {
        std::string s = ".visible .entry " + symbol(types) + "(";
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            std::string p = types[parameters[i]].ptx;
            if (with_ptr && types[parameters[i]].pointer) p = ".param .u64 .ptr .align 1 NAME";
            p.replace(p.find("NAME"), 4, name + "_param_" + std::to_string(i));
            s += (i == 0 ? "\n\t" : ",\n\t") + p;
        }
        return s + "\n)\n{\n\tret;\n}\n";
    }
};

enum class kind { drop, add, swap, widen, narrow, scalar_class, pointer_class, constness, pointee };
inline constexpr std::size_t kinds = 9;
inline constexpr const char* kind_names[kinds] = {
    "drop", "add", "swap", "widen", "narrow", "int <-> float, same size", "pointer <-> integer", "const of a pointee", "type of a pointee"};

struct mutant {
    kind what;
    std::size_t original; ///< in the corpus
    std::size_t at;       ///< which parameter
    signature claim;
};

/// Every mutation of one parameter.
inline void mutate(const universe& types, const signature& s, std::size_t original, std::vector<mutant>& out) {
    const auto put = [&](kind what, std::size_t at, std::vector<int> parameters) {
        out.push_back({what, original, at, {s.name, std::move(parameters), s.cxx}});
    };
    const auto replace = [&](kind what, std::size_t at, int by) {
        if (by < 0) return;
        std::vector<int> p = s.parameters;
        p[at] = by;
        put(what, at, std::move(p));
    };
    const int integer = types.find("int"), pointer = types.find("float*"), address = types.find("unsigned long");
    for (std::size_t i = 0; i <= s.parameters.size(); ++i)
        for (int added : {integer, pointer}) {
            std::vector<int> p = s.parameters;
            p.insert(p.begin() + static_cast<std::ptrdiff_t>(i), added);
            put(kind::add, i, std::move(p));
        }
    for (std::size_t i = 0; i < s.parameters.size(); ++i) {
        std::vector<int> p = s.parameters;
        p.erase(p.begin() + static_cast<std::ptrdiff_t>(i));
        put(kind::drop, i, std::move(p));
        if (i + 1 < s.parameters.size() && s.parameters[i] != s.parameters[i + 1]) {
            p = s.parameters;
            std::swap(p[i], p[i + 1]);
            put(kind::swap, i, std::move(p));
        }
        const type& t = types[s.parameters[i]];
        replace(kind::widen, i, t.widened);
        replace(kind::narrow, i, t.narrowed);
        replace(kind::scalar_class, i, t.twin);
        if (t.pointer) {
            replace(kind::pointer_class, i, address);
            replace(kind::constness, i, t.unqualified);
            replace(kind::pointee, i, t.other_pointee);
        } else if (t.description.size == sizeof(void*) && t.twin >= 0 && t.description.kind != hanabi::parameter_kind::floating_point)
            replace(kind::pointer_class, i, pointer);
    }
}

/// Descriptors made at run time; they stay where they are.
class descriptors {
  public:
    const hanabi::descriptor& make(const universe& types, const std::string& module, const signature& s) {
        static constexpr hanabi::contract_set none{};
        entry& e = entries_.emplace_back();
        e.module = module;
        e.symbol = s.symbol(types);
        e.parameters.resize(s.parameters.size() + 1);
        for (std::size_t i = 0; i < s.parameters.size(); ++i) e.parameters[i] = types[s.parameters[i]].description;
        e.made = {{e.module.c_str(), e.module.size()},
                  {e.symbol.c_str(), e.symbol.size()},
                  e.parameters.data(),
                  &none,
                  static_cast<unsigned>(s.parameters.size()),
                  false,
                  &e.slot,
                  s.cxx};
        return e.made;
    }

  private:
    struct entry {
        std::string module, symbol;
        std::vector<hanabi::parameter> parameters;
        hanabi::descriptor made{};
        unsigned slot = 0;
    };
    std::deque<entry> entries_;
};

} // namespace mutation

#endif
