# What `cmake --install` puts where, and the package that `find_package(hydae)` finds there: the tool, the
# public headers, and the modules behind one target hydae::hydae.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

add_library(hydae_api INTERFACE)
set_target_properties(hydae_api PROPERTIES EXPORT_NAME hydae)
target_link_libraries(hydae_api INTERFACE hydae_sim hydae_partition hydae_modelica hydae_problems)

install(TARGETS hydae RUNTIME)
install(TARGETS hydae_api ${HYDAE_MODULES} EXPORT hydae ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/hydae)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/hydae TYPE INCLUDE)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hydae)
install(EXPORT hydae NAMESPACE hydae:: FILE hydaeTargets.cmake DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hydaeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/hydaeConfig.cmake ${CMAKE_BINARY_DIR}/hydaeConfigVersion.cmake
  DESTINATION ${package})
