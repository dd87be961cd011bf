// expect: type_needs_a_cxx_name_trait<Arr<3>::Inner>
// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <hanabi/mangling.hpp>

template <int N>
struct Arr {
    struct Inner {};
};

#if defined(HANABI_REPAIRED)
template <>
struct hanabi::enclosing_class<Arr<3>::Inner> {
    using type = Arr<3>;
};
#else
// The type of 3 is not in what the compiler tells of Arr<3>::Inner.
#endif

inline constexpr auto name = hanabi::linker_name<hanabi::cxx("f"), Arr<3>::Inner>;
