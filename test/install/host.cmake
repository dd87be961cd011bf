# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# What a consumer does with hanabi::host, run as it is built.

add_executable(host ../host.cpp ../host_other.cpp)
target_link_libraries(host PRIVATE hanabi::host)
add_custom_command(TARGET host POST_BUILD COMMAND host)
