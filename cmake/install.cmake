# Copyright 2026 The Hanabi authors.
# Distributed under the Boost Software License, Version 1.0.
# (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

# What `cmake --install` lays down: headers, the two sources of hanabi::host, the CMake package (with hanabi_add_module), hanabi.jam
# for b2, hanabi.pc.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(hanabi_package_dir ${CMAKE_INSTALL_DATADIR}/cmake/hanabi)

install(TARGETS hanabi EXPORT hanabi FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILE_SET optional DESTINATION
                                       ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT hanabi NAMESPACE hanabi:: FILE hanabi-targets.cmake DESTINATION ${hanabi_package_dir})

configure_package_config_file(cmake/hanabi-config.cmake.in ${PROJECT_BINARY_DIR}/package/hanabi-config.cmake INSTALL_DESTINATION ${hanabi_package_dir}
                              PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR)
# Before 1.0 a minor version may change the surface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/hanabi-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(
    FILES ${PROJECT_BINARY_DIR}/package/hanabi-config.cmake ${PROJECT_BINARY_DIR}/package/hanabi-config-version.cmake cmake/HanabiModules.cmake
          cmake/HanabiDecompress.cmake cmake/HanabiHost.cmake cmake/embed.cmake cmake/signatures.cmake
    DESTINATION ${hanabi_package_dir})

# ${pcfiledir} keeps the file true wherever the prefix is moved to.
configure_file(cmake/hanabi.pc.in ${PROJECT_BINARY_DIR}/package/hanabi.pc @ONLY)
configure_file(cmake/hanabi-decompress.pc.in ${PROJECT_BINARY_DIR}/package/hanabi-decompress.pc @ONLY)
configure_file(cmake/hanabi-host.pc.in ${PROJECT_BINARY_DIR}/package/hanabi-host.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/hanabi.pc ${PROJECT_BINARY_DIR}/package/hanabi-decompress.pc
              ${PROJECT_BINARY_DIR}/package/hanabi-host.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)

install(FILES include/hanabi/host/src.cpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hanabi/host)
install(FILES include/hanabi/host/ptx/src.cpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hanabi/host/ptx)

install(FILES cmake/hanabi.jam DESTINATION ${CMAKE_INSTALL_DATADIR}/hanabi)
install(FILES LICENSE_1_0.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
