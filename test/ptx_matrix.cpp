// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// Products of small matrices by a warp, dense and sparse, in all shapes and types, and how matrices get into registers:
// against plain loops over numbers that all types hold, so that results are exact. On a GPU, too: what it can execute.

#define BOOST_TEST_MODULE ptx_matrix
#include <boost/test/unit_test.hpp>

#include "support/ptx_module.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

/// Numbers in the same order each time.
class sequence {
  public:
    explicit sequence(std::uint32_t seed) : state_{seed * 2654435761u + 12345u} {}
    std::uint32_t below(std::uint32_t n) {
        state_ = state_ * 1664525u + 1013904223u;
        return (state_ >> 16) % n;
    }

  private:
    std::uint32_t state_;
};

unsigned bits_of(const std::string& t) {
    if (t == "b1") return 1;
    if (t == "s4" || t == "u4") return 4;
    if (t == "f16" || t == "bf16") return 16;
    if (t == "f32" || t == "tf32" || t == "s32") return 32;
    return t == "f64" ? 64 : 8; // s8, u8 and the small floats, those of 6 and 4 bits in bytes of their own
}
int lowest(const std::string& t) { return t[0] == 'u' || t == "b1" ? 0 : -2; }
int any_of(const std::string& t, sequence& random) {
    return lowest(t) + static_cast<int>(random.below(t == "b1" ? 2 : t[0] == 'u' ? 4 : 5));
}
/// The bits of a small integer.
std::uint64_t encoded(const std::string& t, int v) {
    const std::uint64_t magnitude = static_cast<std::uint64_t>(v < 0 ? -v : v), sign = v < 0 ? 1 : 0;
    const auto table = [&](std::uint64_t one, std::uint64_t two, unsigned sign_bit) {
        return (magnitude == 0 ? 0 : magnitude == 1 ? one : two) | sign << sign_bit;
    };
    if (t == "f16") return table(0x3c00, 0x4000, 15);
    if (t == "bf16") return table(0x3f80, 0x4000, 15);
    if (t == "e4m3") return table(0x38, 0x40, 7);
    if (t == "e5m2") return table(0x3c, 0x40, 7);
    if (t == "e2m3") return table(0x08, 0x10, 5);
    if (t == "e3m2") return table(0x0c, 0x10, 5);
    if (t == "e2m1") return table(2, 4, 3) << 2; // in the middle of its byte
    if (t == "f32" || t == "tf32") return std::bit_cast<std::uint32_t>(static_cast<float>(v));
    if (t == "f64") return std::bit_cast<std::uint64_t>(static_cast<double>(v));
    const unsigned bits = bits_of(t);
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(v)) & (bits == 64 ? ~0ull : (std::uint64_t{1} << bits) - 1);
}
double decoded(const std::string& t, std::uint64_t bits) {
    if (t == "f64") return std::bit_cast<double>(bits);
    if (t == "f32") return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (t == "s32") return static_cast<std::int32_t>(bits);
    const auto exponent = static_cast<int>(bits >> 10 & 31); // f16: whole numbers below 2048
    if (exponent == 0) return 0;
    double v = static_cast<double>((bits & 1023) | 1024);
    for (int e = exponent - 25; e > 0; --e) v *= 2;
    for (int e = exponent - 25; e < 0; ++e) v /= 2;
    return (bits >> 15 & 1) != 0 ? -v : v;
}

struct matrix {
    matrix(unsigned r, unsigned c) : rows{r}, columns{c}, values(static_cast<std::size_t>(r) * c) {}
    int& at(unsigned r, unsigned c) { return values[static_cast<std::size_t>(r) * columns + c]; }
    int at(unsigned r, unsigned c) const { return values[static_cast<std::size_t>(r) * columns + c]; }
    unsigned rows, columns;
    std::vector<int> values;
};
matrix random_matrix(unsigned rows, unsigned columns, const std::string& t, sequence& random) {
    matrix out{rows, columns};
    for (int& v : out.values) v = any_of(t, random);
    return out;
}
/// c + a b; of single bits, how many pairs differ (or are both set).
matrix product(const matrix& a, const matrix& b, const matrix& c, bool differ = false) {
    matrix d = c;
    for (unsigned i = 0; i < a.rows; ++i)
        for (unsigned j = 0; j < b.columns; ++j)
            for (unsigned k = 0; k < a.columns; ++k) d.at(i, j) += differ ? (a.at(i, k) != b.at(k, j) ? 1 : 0) : a.at(i, k) * b.at(k, j);
    return d;
}

/// Words of the lanes: register r of a lane is word lane * registers + r. Registers of f64 have two.
struct fragment {
    fragment(unsigned count, const std::string& t) : registers{count}, of{t}, words(32u * count * (t == "f64" ? 2 : 1)) {}
    void put(unsigned lane, unsigned element, int v) {
        const unsigned bits = bits_of(of);
        const std::uint64_t value = encoded(of, v);
        if (bits == 64)
            std::memcpy(&words[2 * (lane * registers + element)], &value, 8);
        else
            words[lane * registers + element * bits / 32] |= static_cast<std::uint32_t>(value << (element * bits % 32));
    }
    double get(unsigned lane, unsigned element) const {
        const unsigned bits = bits_of(of);
        std::uint64_t value = 0;
        if (bits == 64)
            std::memcpy(&value, &words[2 * (lane * registers + element)], 8);
        else
            value = words[lane * registers + element * bits / 32] >> (element * bits % 32) & (bits == 32 ? ~0u : (1u << bits) - 1);
        return decoded(of, value);
    }
    unsigned registers;
    std::string of;
    std::vector<std::uint32_t> words;
};

/// One instruction.
struct product_case {
    unsigned m, n, k;
    std::string d, a, b, c;
    std::string before{}, after{}; ///< modifiers in front of the types, and behind them
    bool sparse = false;
    bool ordered = false;
    unsigned selector = 0;

    std::string name() const {
        return std::string{"mma"} + (sparse ? ordered ? ".sp::ordered_metadata" : ".sp" : "") + ".sync.aligned.m" + std::to_string(m) +
               "n" + std::to_string(n) + "k" + std::to_string(k) + ".row.col" + before + "." + d + "." + a + "." + b + "." + c + after;
    }
    unsigned elements_a() const { return m * k / 32 / (sparse ? 2 : 1); }
    unsigned elements_b() const { return n * k / 32; }
    unsigned elements_c() const { return m * n / 32; }
};
unsigned registers_of(unsigned elements, const std::string& t) { return bits_of(t) >= 32 ? elements : elements * bits_of(t) / 32; }

std::string kernel_of(const product_case& p, std::size_t number) {
    std::string text = ".visible .entry k" + std::to_string(number) +
                       "(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd, .param .u64 pm) {\n"
                       ".reg .b64 %p<6>; .reg .b32 %lane, %at, %meta;\nmov.u32 %lane, %laneid;\n";
    const auto list = [](const char* name, unsigned count) {
        std::string out = "{";
        for (unsigned r = 0; r < count; ++r) out += (r == 0 ? "%" : ", %") + (name + std::to_string(r));
        return out + "}";
    };
    const auto move = [&](const char* name, const std::string& t, unsigned count, int number_of_pointer, const std::string& parameter,
                          bool store) {
        const bool wide = t == "f64";
        const std::string n = std::to_string(number_of_pointer), kind = wide ? ".f64" : ".b32";
        if (!store) text += std::string{".reg "} + kind + " %" + name + "<" + std::to_string(count) + ">;\n";
        text += "ld.param.u64 %p" + n + ", [" + parameter + "]; mad.wide.u32 %p" + n + ", %lane, " +
                std::to_string(count * (wide ? 8 : 4)) + ", %p" + n + ";\n";
        for (unsigned r = 0; r < count; ++r) {
            const std::string place = "[%p" + n + "+" + std::to_string(r * (wide ? 8 : 4)) + "]",
                              reg = std::string{"%"} + name + std::to_string(r);
            text += store ? "st.global" + kind + " " + place + ", " + reg + ";\n" : "ld.global" + kind + " " + reg + ", " + place + ";\n";
        }
    };
    const unsigned a = registers_of(p.elements_a(), p.a), b = registers_of(p.elements_b(), p.b), c = registers_of(p.elements_c(), p.c),
                   d = registers_of(p.elements_c(), p.d);
    move("a", p.a, a, 0, "pa", false);
    move("b", p.b, b, 1, "pb", false);
    move("c", p.c, c, 2, "pc", false);
    text += std::string{".reg "} + (p.d == "f64" ? ".f64" : ".b32") + " %d<" + std::to_string(d) + ">;\n";
    text += "ld.param.u64 %p4, [pm]; mad.wide.u32 %p4, %lane, 4, %p4; ld.global.b32 %meta, [%p4];\n";
    text += p.name() + " " + list("d", d) + ", " + list("a", a) + ", " + list("b", b) + ", " + list("c", c);
    if (p.sparse) text += ", %meta, 0x" + std::to_string(p.selector);
    text += ";\n";
    move("d", p.d, d, 3, "pd", true);
    return text + "ret;\n}\n";
}
std::string module_of(const std::vector<product_case>& all, const std::string& target) {
    std::string text = ".version 8.7\n.target " + target + "\n.address_size 64\n";
    for (std::size_t i = 0; i < all.size(); ++i) text += kernel_of(all[i], i);
    return text;
}

/// Places of elements as the manual gives them ("Matrix Fragments for mma").
struct place {
    unsigned row, column;
};
place place_a(unsigned m, unsigned bits, unsigned lane, unsigned i) {
    const unsigned group = lane >> 2, in_group = lane % 4;
    if (bits == 64) return {m == 8 ? group : group + (i % 2) * 8, in_group + (m == 8 ? 0 : i / 2 * 4)};
    const unsigned each = 32 / bits, reg = i / each;
    return {group + (m == 16 && reg % 2 == 1 ? 8 : 0), in_group * each + i % each + (reg >= 2 ? 4 * each : 0)};
}
place place_b(unsigned bits, unsigned lane, unsigned i) {
    const unsigned group = lane >> 2, in_group = lane % 4;
    if (bits == 64) return {in_group + 4 * i, group};
    const unsigned each = 32 / bits;
    return {in_group * each + i % each + i / each * 4 * each, group};
}
place place_c(unsigned lane, unsigned i) { return {(lane >> 2) + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)}; }

/// A sparse matrix: what is there, packed, and the words of metadata.
struct sparse_matrix {
    matrix whole, packed;
    std::vector<std::uint32_t> metadata;
};
sparse_matrix random_sparse(const product_case& p, sequence& random) {
    sparse_matrix out{matrix{p.m, p.k}, random_matrix(p.m, p.k / 2, p.a, random), std::vector<std::uint32_t>(32)};
    const unsigned bits = bits_of(p.a), chunk = p.a == "tf32" ? 2 : bits == 4 ? 8 : 4, chunks = p.k / chunk;
    for (unsigned row = 0; row < p.m; ++row)
        for (unsigned x = 0; x < chunks; ++x) {
            std::uint32_t code = 0;
            if (chunk == 2) { // one of two
                const unsigned which = random.below(2);
                code = which == 0 ? 0x4 : 0xe;
                out.whole.at(row, 2 * x + which) = out.packed.at(row, x);
            } else { // two of four; of 4 bits, two pairs of four
                const unsigned first = random.below(3), second = first + 1 + random.below(3 - first), pair = chunk / 4;
                code = first | second << 2;
                for (unsigned k = 0; k < pair; ++k) {
                    out.whole.at(row, chunk * x + pair * first + k) = out.packed.at(row, 2 * pair * x + k);
                    out.whole.at(row, chunk * x + pair * second + k) = out.packed.at(row, 2 * pair * x + pair + k);
                }
            }
            // 16 and 32 bits: a word has 4 chunks of row g, and above them those of row g + 8. 8 and 4 bits: 8 chunks of a row.
            const bool small = bits < 16;
            const unsigned word = small ? x / 8 * 2 + row / 8 : x / 4;
            const unsigned words = small ? chunks / 8 * 2 : chunks / 4;
            const unsigned lane = row % 8 * 4 + p.selector * words + word;
            out.metadata[lane] |= code << (small ? x % 8 * 4 : x % 4 * 4 + row / 8 * 16);
        }
    return out;
}

void check(ptx_module& m, const product_case& p, std::size_t number) {
    BOOST_TEST_CONTEXT(p.name() << ", selector " << p.selector) {
        sequence random{static_cast<std::uint32_t>(number + 1)};
        std::vector<std::uint32_t> metadata(32);
        matrix a{p.m, p.k}, stored{p.m, p.k};
        if (p.sparse) {
            sparse_matrix s = random_sparse(p, random);
            a = s.whole;
            stored = s.packed;
            metadata = s.metadata;
        } else
            stored = a = random_matrix(p.m, p.k, p.a, random);
        const matrix b = random_matrix(p.k, p.n, p.b, random), c = random_matrix(p.m, p.n, p.c, random);
        fragment fa{registers_of(p.elements_a(), p.a), p.a}, fb{registers_of(p.elements_b(), p.b), p.b},
            fc{registers_of(p.elements_c(), p.c), p.c}, fd{registers_of(p.elements_c(), p.d), p.d};
        for (unsigned lane = 0; lane < 32; ++lane) {
            for (unsigned i = 0; i < p.elements_a(); ++i) {
                const place at = place_a(p.m, bits_of(p.a), lane, i);
                fa.put(lane, i, stored.at(at.row, at.column));
            }
            for (unsigned i = 0; i < p.elements_b(); ++i) {
                const place at = place_b(bits_of(p.b), lane, i);
                fb.put(lane, i, b.at(at.row, at.column));
            }
            for (unsigned i = 0; i < p.elements_c(); ++i) {
                const place at = place_c(lane, i);
                fc.put(lane, i, c.at(at.row, at.column));
            }
        }
        const device_array<std::uint32_t> da{fa.words}, db{fb.words}, dc{fc.words}, dd{fd.words}, dm{metadata};
        const std::string kernel = "k" + std::to_string(number);
        CHECK_OK(m.run(kernel.c_str(), {1}, {32}, 0, da.address(), db.address(), dc.address(), dd.address(), dm.address()));
        fd.words = dd.values();
        const matrix expected = product(a, b, c, p.after == ".xor.popc");
        unsigned wrong = 0;
        for (unsigned lane = 0; lane < 32; ++lane)
            for (unsigned i = 0; i < p.elements_c(); ++i) {
                const place at = place_c(lane, i);
                if (fd.get(lane, i) != expected.at(at.row, at.column)) ++wrong;
            }
        BOOST_TEST(wrong == 0u, wrong << " elements are wrong");
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(dense_products) {
    std::vector<product_case> all;
    const auto add = [&](unsigned m, unsigned n, unsigned k, const char* d, const char* a, const char* b, const char* c,
                         const char* before = "", const char* after = "") {
        all.push_back({m, n, k, d, a, b, c, before, after});
    };
    for (const unsigned k : {8u, 16u}) {
        add(16, 8, k, "f16", "f16", "f16", "f16");
        add(16, 8, k, "f32", "f16", "f16", "f32");
        add(16, 8, k, "f32", "bf16", "bf16", "f32");
        add(16, 8, k / 2, "f32", "tf32", "tf32", "f32");
        add(16, 8, k, "f64", "f64", "f64", "f64");
    }
    add(8, 8, 4, "f64", "f64", "f64", "f64");
    add(16, 8, 4, "f64", "f64", "f64", "f64");
    for (const char* a : {"s8", "u8"})
        for (const char* b : {"s8", "u8"}) {
            add(8, 8, 16, "s32", a, b, "s32");
            add(16, 8, 16, "s32", a, b, "s32", ".satfinite");
            add(16, 8, 32, "s32", a, b, "s32");
        }
    for (const char* a : {"s4", "u4"})
        for (const char* b : {"s4", "u4"}) {
            add(8, 8, 32, "s32", a, b, "s32");
            add(16, 8, 32, "s32", a, b, "s32", ".satfinite");
            add(16, 8, 64, "s32", a, b, "s32");
        }
    for (const char* how : {".xor.popc", ".and.popc"}) {
        add(8, 8, 128, "s32", "b1", "b1", "s32", "", how);
        add(16, 8, 128, "s32", "b1", "b1", "s32", "", how);
        add(16, 8, 256, "s32", "b1", "b1", "s32", "", how);
    }
    for (const char* a : {"e4m3", "e5m2"})
        for (const char* b : {"e4m3", "e5m2"})
            for (const unsigned k : {16u, 32u}) {
                add(16, 8, k, "f32", a, b, "f32");
                add(16, 8, k, "f16", a, b, "f16");
            }
    ptx_module m{module_of(all, "sm_90")};
    for (std::size_t i = 0; i < all.size(); ++i) check(m, all[i], i);
}

BOOST_AUTO_TEST_CASE(sparse_products) {
    std::vector<product_case> all;
    for (const bool ordered : {false, true}) {
        const auto add = [&](unsigned k, const char* d, const char* a, const char* b, const char* c, unsigned selectors) {
            for (unsigned s = 0; s < selectors; ++s) all.push_back({16, 8, k, d, a, b, c, "", "", true, ordered, s});
        };
        for (const char* t : {"f16", "bf16"}) {
            add(16, "f32", t, t, "f32", 4);
            add(32, "f32", t, t, "f32", 2);
        }
        add(16, "f16", "f16", "f16", "f16", 4);
        add(32, "f16", "f16", "f16", "f16", 2);
        add(8, "f32", "tf32", "tf32", "f32", 4);
        add(16, "f32", "tf32", "tf32", "f32", 2);
        add(32, "s32", "s8", "u8", "s32", 2);
        add(64, "s32", "u8", "s8", "s32", 1);
        add(64, "s32", "s4", "u4", "s32", 2);
        add(128, "s32", "u4", "s4", "s32", 1);
        add(64, "f32", "e4m3", "e5m2", "f32", 1);
    }
    ptx_module m{module_of(all, "sm_90")};
    for (std::size_t i = 0; i < all.size(); ++i) check(m, all[i], i);
}

BOOST_AUTO_TEST_CASE(metadata_that_is_none) {
    if (!on_host()) return; // there, any number comes out
    const product_case p{16, 8, 16, "f32", "f16", "f16", "f32", "", "", true};
    ptx_module m{module_of({p}, "sm_90")};
    const device_array<std::uint32_t> zeros{128, 0u};
    BOOST_TEST(m.run("k0", {1}, {32}, 0, zeros.address(), zeros.address(), zeros.address(), zeros.address(), zeros.address()) ==
               status::illegal_instruction);
    BOOST_TEST(host::last_ptx_fault().find("the metadata has column 0 of chunk 0 of row 0 twice") != std::string::npos,
               host::last_ptx_fault());
}

BOOST_AUTO_TEST_CASE(products_of_the_smallest_floats) {
    if (!on_host()) return; // they need sm_120a
    std::vector<product_case> all;
    for (const char* a : {"e2m3", "e3m2", "e2m1"})
        for (const char* b : {"e4m3", "e2m3", "e3m2", "e2m1"}) {
            all.push_back({16, 8, 32, "f32", a, b, "f32", ".kind::f8f6f4"});
            all.push_back({16, 8, 32, "f16", a, b, "f16", ".kind::f8f6f4"});
        }
    ptx_module m{module_of(all, "sm_120a"), 12};
    for (std::size_t i = 0; i < all.size(); ++i) check(m, all[i], i);
}

/// Four products at once, of 8 lanes each, in four layouts.
BOOST_AUTO_TEST_CASE(products_of_quads) {
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n";
    const char* const layouts[] = {"row", "col"};
    for (unsigned layout = 0; layout < 4; ++layout)
        for (const bool wide : {false, true}) {
            const std::string c = wide ? "{%c0,%c1,%c2,%c3,%c4,%c5,%c6,%c7}" : "{%c0,%c1,%c2,%c3}";
            text += ".visible .entry k" + std::to_string(layout) + (wide ? "w" : "n") +
                    "(.param .u64 pa, .param .u64 pb, .param .u64 pd) {\n"
                    ".reg .b64 %p<3>; .reg .b32 %lane, %a<2>, %b<2>, %c<8>;\nmov.u32 %lane, %laneid;\n"
                    "ld.param.u64 %p0, [pa]; ld.param.u64 %p1, [pb]; ld.param.u64 %p2, [pd];\n"
                    "mad.wide.u32 %p0, %lane, 8, %p0; mad.wide.u32 %p1, %lane, 8, %p1; mad.wide.u32 %p2, %lane, 32, %p2;\n"
                    "ld.global.v2.b32 {%a0,%a1}, [%p0]; ld.global.v2.b32 {%b0,%b1}, [%p1];\n"
                    "ld.global.v4.b32 {%c0,%c1,%c2,%c3}, [%p2]; ld.global.v4.b32 {%c4,%c5,%c6,%c7}, [%p2+16];\n"
                    "mma.sync.aligned.m8n8k4." +
                    std::string{layouts[layout / 2]} + "." + layouts[layout % 2] + (wide ? ".f32.f16.f16.f32 " : ".f16.f16.f16.f16 ") + c +
                    ", {%a0,%a1}, {%b0,%b1}, " + c +
                    ";\nst.global.v4.b32 [%p2], {%c0,%c1,%c2,%c3}; st.global.v4.b32 [%p2+16], {%c4,%c5,%c6,%c7};\nret;\n}\n";
        }
    ptx_module m{text, 8};
    for (unsigned layout = 0; layout < 4; ++layout)
        for (const bool wide : {false, true}) {
            sequence random{layout + 7};
            const std::string sums = wide ? "f32" : "f16";
            fragment fa{2, "f16"}, fb{2, "f16"}, fd{8, sums};
            const auto upper = [](unsigned lane) { return lane < 16 ? 0u : 4u; };
            const auto sum_at = [&](unsigned lane, unsigned i) -> place {
                if (!wide) return {lane % 4 + upper(lane), i};
                return {(lane & 1) + (i & 2) + upper(lane), (i & 4) + (lane & 2) + (i & 1)};
            };
            std::vector<matrix> expected;
            for (unsigned quad = 0; quad < 4; ++quad) {
                const matrix a = random_matrix(8, 4, "f16", random), b = random_matrix(4, 8, "f16", random),
                             c = random_matrix(8, 8, sums, random);
                expected.push_back(product(a, b, c));
                for (unsigned x = 0; x < 8; ++x) {
                    const unsigned lane = 4 * quad + x % 4 + (x < 4 ? 0 : 16);
                    for (unsigned i = 0; i < 4; ++i) {
                        fa.put(lane, i, layout / 2 == 0 ? a.at(lane % 4 + upper(lane), i) : a.at(i + upper(lane), lane % 4));
                        fb.put(lane, i, layout % 2 == 0 ? b.at(lane % 4, i + upper(lane)) : b.at(i, lane % 4 + upper(lane)));
                    }
                    for (unsigned i = 0; i < 8; ++i) fd.put(lane, i, c.at(sum_at(lane, i).row, sum_at(lane, i).column));
                }
            }
            const device_array<std::uint32_t> da{fa.words}, db{fb.words}, dd{fd.words};
            const std::string kernel = "k" + std::to_string(layout) + (wide ? "w" : "n");
            CHECK_OK(m.run(kernel.c_str(), {1}, {32}, 0, da.address(), db.address(), dd.address()));
            fd.words = dd.values();
            unsigned wrong = 0;
            for (unsigned lane = 0; lane < 32; ++lane)
                for (unsigned i = 0; i < 8; ++i)
                    if (fd.get(lane, i) != expected[lane % 16 / 4].at(sum_at(lane, i).row, sum_at(lane, i).column)) ++wrong;
            BOOST_TEST(wrong == 0u, wrong << " elements of " << kernel << " are wrong");
        }
}

/// ldmatrix, stmatrix and movmatrix: 512 bytes in shared memory, which are their own numbers.
BOOST_AUTO_TEST_CASE(moves_of_matrices) {
    struct move_case {
        const char* instruction;
        unsigned registers;
    };
    const auto text_of = [](const std::vector<move_case>& all, const std::string& target) {
        std::string text = ".version 8.7\n.target " + target + "\n.address_size 64\n.shared .align 16 .b8 room[512];\n";
        for (std::size_t i = 0; i < all.size(); ++i) {
            const bool store = std::string{all[i].instruction}.starts_with("st");
            std::string list = "{";
            for (unsigned r = 0; r < all[i].registers; ++r) list += (r == 0 ? "%r" : ", %r") + std::to_string(r);
            list += "}";
            // A lane fills 16 bytes of the room; gives the address of row `lane`; puts or gets its registers.
            text += ".visible .entry k" + std::to_string(i) +
                    "(.param .u64 pin, .param .u64 pout) {\n.reg .b64 %p<4>; .reg .b32 %lane, %at, %r<4>, %v<4>;\nmov.u32 %lane, "
                    "%laneid;\nld.param.u64 %p0, [pin]; ld.param.u64 %p1, [pout]; mad.wide.u32 %p0, %lane, 16, %p0; mad.wide.u32 %p1, "
                    "%lane, 16, %p1;\nmov.u32 %at, room; mad.lo.u32 %at, %lane, 16, %at;\nld.global.v4.b32 {%v0,%v1,%v2,%v3}, [%p0];\n";
            if (store)
                text += "mov.b32 %r0, %v0; mov.b32 %r1, %v1; mov.b32 %r2, %v2; mov.b32 %r3, %v3;\n"
                        "mov.b32 %v0, -1; st.shared.v4.b32 [%at], {%v0,%v0,%v0,%v0};\nbar.warp.sync -1;\n" +
                        std::string{all[i].instruction} + " [%at], " + list +
                        ";\nbar.warp.sync -1;\nld.shared.v4.b32 {%v0,%v1,%v2,%v3}, [%at];\nst.global.v4.b32 [%p1], {%v0,%v1,%v2,%v3};\n";
            else
                text += "st.shared.v4.b32 [%at], {%v0,%v1,%v2,%v3};\nmov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;\n"
                        "bar.warp.sync -1;\n" +
                        std::string{all[i].instruction} + " " + list + ", [%at];\nst.global.v4.b32 [%p1], {%r0,%r1,%r2,%r3};\n";
            text += "ret;\n}\n";
        }
        return text;
    };
    std::vector<std::uint8_t> bytes(512);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 + i / 256);
    const auto byte_at = [&](unsigned row, unsigned column) { return std::uint32_t{bytes[row * 16 + column]}; };
    const auto run = [&](ptx_module& m, std::size_t number) {
        std::vector<std::uint32_t> words(128);
        std::memcpy(words.data(), bytes.data(), 512);
        const device_array<std::uint32_t> in{words}, out{words.size()};
        const std::string kernel = "k" + std::to_string(number);
        CHECK_OK(m.run(kernel.c_str(), {1}, {32}, 0, in.address(), out.address()));
        return out.values();
    };
    // Of 16-bit elements: the two of a lane, in matrix x.
    std::vector<move_case> all;
    for (const char* load : {"ldmatrix", "stmatrix"})
        for (const char* how : {"x1", "x2", "x4", "x1.trans", "x2.trans", "x4.trans"}) {
            static std::vector<std::string> kept(12);
            std::string& name = kept[all.size()];
            name = std::string{load} + ".sync.aligned.m8n8." + how + ".shared.b16";
            all.push_back({name.c_str(), static_cast<unsigned>(how[1] - '0')});
        }
    ptx_module m{text_of(all, "sm_90")};
    for (std::size_t i = 0; i < all.size(); ++i) BOOST_TEST_CONTEXT(all[i].instruction) {
            const bool store = all[i].instruction[0] == 's',
                       transposed = std::string{all[i].instruction}.find("trans") != std::string::npos;
            const auto got = run(m, i);
            std::vector<std::uint32_t> expected(128, store ? ~0u : 0u);
            for (unsigned x = 0; x < all[i].registers; ++x)
                for (unsigned lane = 0; lane < 32; ++lane)
                    for (unsigned e = 0; e < 2; ++e) {
                        unsigned row = lane / 4, column = lane % 4 * 2 + e;
                        if (transposed) std::swap(row, column);
                        const unsigned memory = (8 * x + row) * 16 + 2 * column, reg = lane * 16 + 4 * x + 2 * e; // bytes
                        auto* const to = reinterpret_cast<std::uint8_t*>(expected.data());
                        std::memcpy(to + (store ? memory : reg), bytes.data() + (store ? reg : memory), 2);
                    }
            BOOST_TEST(got == expected, boost::test_tools::per_element());
        }
    // Of bytes.
    if (!on_host()) return; // they need sm_100a
    const std::vector<move_case> small{{"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", 2},
                                       {"ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8", 4},
                                       {"ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32", 1},
                                       {"ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64", 4},
                                       {"ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32", 4},
                                       {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64", 2},
                                       {"stmatrix.sync.aligned.m16n8.x1.trans.shared.b8", 1},
                                       {"stmatrix.sync.aligned.m16n8.x4.trans.shared.b8", 4}};
    ptx_module b{text_of(small, "sm_100a"), 10};
    for (std::size_t i = 0; i < small.size(); ++i) BOOST_TEST_CONTEXT(small[i].instruction) {
            const std::string name = small[i].instruction;
            const bool store = name[0] == 's', square = name.find("m16n16") != std::string::npos;
            const unsigned bits = name.find("b6x16") != std::string::npos ? 6 : name.find("b4x16") != std::string::npos ? 4 : 8;
            const auto element = [&](unsigned row, unsigned column) { // of so many bits, one after the other
                std::uint32_t out = 0;
                for (unsigned k = 0; k < bits; ++k) {
                    const unsigned at = column * bits + k;
                    out |= (byte_at(row, at / 8) >> (at % 8) & 1) << k;
                }
                return out;
            };
            const auto got = run(b, i);
            std::vector<std::uint32_t> expected(128, store ? ~0u : 0u);
            for (unsigned x = 0; x < small[i].registers; ++x)
                for (unsigned lane = 0; lane < 32; ++lane)
                    for (unsigned e = 0; e < 4; ++e) {
                        if (store) { // a column of 16 in each row of memory
                            const unsigned row = lane / 4 + (e < 2 ? 0 : 8), column = lane % 4 * 2 + e % 2;
                            reinterpret_cast<std::uint8_t*>(expected.data())[(8 * x + column) * 16 + row] = bytes[lane * 16 + 4 * x + e];
                        } else if (square) // row `lane / 4`, 8 below in the second register, of the transposed matrix
                            expected[lane * 4 + x] |= element(16 * (x / 2) + lane % 4 * 4 + e, lane / 4 + 8 * (x % 2)) << (8 * e);
                        else
                            expected[lane * 4 + x] |= element(8 * x + lane / 4, lane % 4 * 4 + e) << (8 * e);
                    }
            BOOST_TEST(got == expected, boost::test_tools::per_element());
        }
}

BOOST_AUTO_TEST_CASE(a_matrix_within_registers) {
    ptx_module m{
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n.reg .b64 %p; .reg .b32 %lane, %r<2>;\n"
        "ld.param.u64 %p, [p]; mov.u32 %lane, %laneid; mad.wide.u32 %p, %lane, 4, %p; ld.global.b32 %r0, [%p];\n"
        "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\nst.global.b32 [%p], %r1;\nret;\n}\n",
        8};
    std::vector<std::uint16_t> halves(64), expected(64);
    for (std::size_t i = 0; i < 64; ++i) {
        halves[i] = static_cast<std::uint16_t>(i * 1000 + 1);
        expected[i % 8 * 8 + i / 8] = halves[i];
    }
    const device_array<std::uint16_t> p{halves};
    CHECK_OK(m.run("k", {1}, {32}, 0, p.address()));
    BOOST_TEST(p.values() == expected, boost::test_tools::per_element());
}

/// wmma: from memory to memory, in all layouts.
BOOST_AUTO_TEST_CASE(products_through_memory) {
    struct wmma_case {
        unsigned m, n, k;
        const char *d, *a, *c;
        unsigned na, nb, nc, nd; ///< registers
        bool fixed = false;      ///< a by rows, b by columns only
        const char* how = "";
        const char* after = "";
    };
    std::vector<wmma_case> all;
    for (const unsigned m : {16u, 32u, 8u}) {
        const unsigned n = 256 / m;
        all.push_back({m, n, 16, "f32", "f16", "f32", 8, 8, 8, 8});
        all.push_back({m, n, 16, "f16", "f16", "f16", 8, 8, 4, 4});
        all.push_back({m, n, 16, "f32", "f16", "f16", 8, 8, 4, 8});
        const unsigned wide = m == 32 ? 4 : m == 16 ? 2 : 1, other = m == 32 ? 1 : m == 16 ? 2 : 4;
        for (const char* t : {"s8", "u8"}) all.push_back({m, n, 16, "s32", t, "s32", wide, other, 8, 8, false, "", ".satfinite"});
        all.push_back({m, n, 16, "f32", "bf16", "f32", 2 * wide, 2 * other, 8, 8});
    }
    all.push_back({16, 16, 8, "f32", "tf32", "f32", 4, 4, 8, 8});
    all.push_back({8, 8, 4, "f64", "f64", "f64", 1, 1, 2, 2});
    for (const char* t : {"s4", "u4"}) all.push_back({8, 8, 32, "s32", t, "s32", 1, 1, 2, 2, true, "", ".satfinite"});
    all.push_back({8, 8, 128, "s32", "b1", "s32", 1, 1, 2, 2, true, ".xor.popc"});
    all.push_back({8, 8, 128, "s32", "b1", "s32", 1, 1, 2, 2, true, ".and.popc"});
    const char* const layouts[] = {"row", "col"};
    std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n";
    for (std::size_t i = 0; i < all.size(); ++i)
        for (unsigned layout = 0; layout < (all[i].fixed ? 1 : 4); ++layout) {
            const wmma_case& w = all[i];
            const std::string la = layouts[layout / 2], lb = w.fixed ? "col" : layouts[layout % 2], lc = layouts[layout % 2];
            const std::string shape = "m" + std::to_string(w.m) + "n" + std::to_string(w.n) + "k" + std::to_string(w.k);
            const auto list = [](const char* name, unsigned count) {
                std::string out = "{";
                for (unsigned r = 0; r < count; ++r) out += (r == 0 ? "%" : ", %") + (name + std::to_string(r));
                return out + "}";
            };
            const auto reg = [](const char* t) {
                return std::string{t} == "f64" ? ".f64" : std::string{t} == "f32" ? ".f32" : std::string{t} == "s32" ? ".s32" : ".b32";
            };
            const bool plain = std::string{w.a} == "f16";
            const std::string types =
                plain ? std::string{"."} + w.d + "." + w.c : std::string{"."} + w.d + "." + w.a + "." + w.a + "." + w.c;
            const std::string round = std::string{w.a} == "f64" ? ".rn" : "";
            text += ".visible .entry k" + std::to_string(i) + "_" + std::to_string(layout) +
                    "(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd, .param .u32 sa, .param .u32 sb, .param .u32 sc) {\n"
                    ".reg .b64 %p<4>; .reg .b32 %s<3>; .reg " +
                    (std::string{w.a} == "f64" ? ".f64" : ".b32") + " %a<8>, %b<8>; .reg " + reg(w.c) + " %c<8>; .reg " + reg(w.d) +
                    " %d<8>;\nld.param.u64 %p0, [pa]; ld.param.u64 %p1, [pb]; ld.param.u64 %p2, [pc]; ld.param.u64 %p3, [pd]; "
                    "ld.param.u32 %s0, [sa]; ld.param.u32 %s1, [sb]; ld.param.u32 %s2, [sc];\n"
                    "wmma.load.a.sync.aligned." +
                    la + "." + shape + ".global." + w.a + " " + list("a", w.na) + ", [%p0], %s0;\nwmma.load.b.sync.aligned." + lb + "." +
                    shape + ".global." + w.a + " " + list("b", w.nb) + ", [%p1], %s1;\nwmma.load.c.sync.aligned." + lc + "." + shape +
                    ".global." + w.c + " " + list("c", w.nc) + ", [%p2], %s2;\nwmma.mma" + w.how + ".sync.aligned." + la + "." + lb + "." +
                    shape + round + types + w.after + " " + list("d", w.nd) + ", " + list("a", w.na) + ", " + list("b", w.nb) + ", " +
                    list("c", w.nc) + ";\nwmma.store.d.sync.aligned." + lc + "." + shape + ".global." + w.d + " [%p3], " + list("d", w.nd) +
                    ", %s2;\nret;\n}\n";
        }
    ptx_module m{text};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (unsigned layout = 0; layout < (all[i].fixed ? 1 : 4); ++layout) {
            const wmma_case& w = all[i];
            const std::string kernel = "k" + std::to_string(i) + "_" + std::to_string(layout);
            BOOST_TEST_CONTEXT(kernel << ": m" << w.m << "n" << w.n << "k" << w.k << " of " << w.a) {
                sequence random{static_cast<std::uint32_t>(4 * i + layout)};
                const matrix a = random_matrix(w.m, w.k, w.a, random), b = random_matrix(w.k, w.n, w.a, random),
                             c = random_matrix(w.m, w.n, w.c, random);
                // A matrix in memory, by rows or columns, some elements more from one to the next than it has: 16 bytes.
                const auto stored = [](const matrix& x, const std::string& t, bool by_rows, unsigned& step) {
                    const unsigned bits = bits_of(t), lines = by_rows ? x.rows : x.columns, length = by_rows ? x.columns : x.rows;
                    step = length + 128 / bits;
                    std::vector<std::uint8_t> out((static_cast<std::size_t>(lines) * step * bits + 7) / 8);
                    for (unsigned line = 0; line < lines; ++line)
                        for (unsigned k = 0; k < length; ++k) {
                            const std::uint64_t v = encoded(t, by_rows ? x.at(line, k) : x.at(k, line));
                            const std::size_t at = (static_cast<std::size_t>(line) * step + k) * bits;
                            for (unsigned bit = 0; bit < bits; ++bit)
                                out[(at + bit) / 8] = static_cast<std::uint8_t>(out[(at + bit) / 8] | (v >> bit & 1) << ((at + bit) % 8));
                        }
                    return out;
                };
                unsigned sa = 0, sb = 0, sc = 0;
                const bool c_by_rows = layout % 2 == 0;
                const device_array<std::uint8_t> da{stored(a, w.a, layout / 2 == 0, sa)},
                    db{stored(b, w.a, !w.fixed && layout % 2 == 0, sb)}, dc{stored(c, w.c, c_by_rows, sc)};
                const unsigned bits = bits_of(w.d), step = (c_by_rows ? w.n : w.m) + 128 / bits_of(w.c);
                const device_array<std::uint8_t> dd{std::size_t{32} * step * bits / 8};
                CHECK_OK(m.run(kernel.c_str(), {1}, {32}, 0, da.address(), db.address(), dc.address(), dd.address(), sa, sb, sc));
                const auto got = dd.values();
                const matrix expected = product(a, b, c, std::string{w.how} == ".xor.popc");
                unsigned wrong = 0;
                for (unsigned row = 0; row < w.m; ++row)
                    for (unsigned column = 0; column < w.n; ++column) {
                        std::uint64_t v = 0;
                        const std::size_t at = c_by_rows ? row * step + column : column * step + row;
                        std::memcpy(&v, got.data() + at * bits / 8, bits / 8);
                        if (decoded(w.d, v) != expected.at(row, column)) ++wrong;
                    }
                BOOST_TEST(wrong == 0u, wrong << " elements are wrong");
            }
        }
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
    if (!on_host()) return; // the real driver has its own words
    const struct {
        const char *instruction, *why;
    } all[] = {{"wgmma.fence.sync.aligned;", "products of matrices by a group of warps are not supported"},
               {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 {%f0,%f1,%f2,%f3}, "
                "{%r0,%r1,%r2,%r3}, {%r0,%r1}, {%f0,%f1,%f2,%f3}, %r0, {0, 0}, %r1, {0, 0};",
                "block scaling is not supported"},
               {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0,%r1}, [%r0];", "another number of registers"},
               {"mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r0,%r1}, {%f0,%f1,%f2,%f3};",
                "mma of this shape"}};
    for (const auto& one : all) {
        const log_watch watch;
        ptx_module m{std::string{".version 8.7\n.target sm_120a\n.address_size 64\n.visible .entry bad() {\n.reg .b32 %r<4>; .reg .f32 "
                                 "%f<4>;\n"} +
                         one.instruction + "\nret;\n}\n.visible .entry good() { ret; }\n",
                     12};
        BOOST_TEST(watch.has("can't run bad: line 6, `"), watch.text());
        BOOST_TEST(watch.has(one.why), watch.text());
        CHECK_OK(m.run("good", {1}, {1}, 0));
    }
}
