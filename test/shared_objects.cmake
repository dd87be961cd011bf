# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# The shared objects that tests open, by HANABI_TEST_LIB_DIR "/NAME.so". The Jamfile has the same list for b2.

# A libcuda of each of these versions, with the entry points that version had.
foreach(version IN ITEMS 11020 11040 12000 12030 12080 13000)
    hanabi_test_shared_object(fake_libcuda_${version} fake_libcuda/fake_libcuda.cpp FAKE_CUDA_VERSION=${version})
endforeach()

# Two plug-ins, each with a kernel of its own.
foreach(kernel IN ITEMS first second)
    hanabi_test_shared_object(plugin_${kernel} plugin/plugin.cpp PLUGIN_KERNEL="${kernel}")
endforeach()
