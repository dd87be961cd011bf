// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

/// \file
/// Boost.Hana and Hanabi: Hana Structs as kernel parameters tell their fields.

#ifndef HANABI_INTEROP_HANA_HPP
#define HANABI_INTEROP_HANA_HPP

#include <hanabi/signature.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/second.hpp>

#include <type_traits>

namespace hanabi {

/// The fields of a Boost.Hana Struct (BOOST_HANA_DEFINE_STRUCT, BOOST_HANA_ADAPT_STRUCT and their like), in the order of
/// declaration. A member that is itself a class is visited as one field of kind object.
template <class T>
struct fields_of<T, std::enable_if_t<std::is_class_v<T> && boost::hana::Struct<T>::value>> {
    static void visit(const void* object, field_visitor visitor, void* state) {
        boost::hana::for_each(boost::hana::accessors<T>(), [&](auto accessor) {
            const auto& member = boost::hana::second(accessor)(*static_cast<const T*>(object));
            using member_type = std::remove_cvref_t<decltype(member)>;
            visitor(state, name_view{boost::hana::to<const char*>(boost::hana::first(accessor))}, detail::kind_of<member_type>(),
                    sizeof(member_type), &member);
        });
    }
};

} // namespace hanabi

#endif
