# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# Builds a target that must not build, and looks at what is said.
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}" --config "${CONFIG}" --target "${TARGET}" OUTPUT_VARIABLE said ERROR_VARIABLE also RESULT_VARIABLE status)
string(APPEND said "${also}")
if(status EQUAL 0)
    message(FATAL_ERROR "${TARGET} was built, and a descriptor of it is wrong")
endif()
foreach(fact IN ITEMS descriptor_does_not_match_the_image {\"scale\"} it_has_another_number_of_parameters expected_count<2> given_count<1>
                      it_has_no_kernel_of_that_name)
    string(FIND "${said}" "${fact}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "'${fact}' is missing in:\n${said}")
    endif()
endforeach()
