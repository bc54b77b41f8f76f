# What `cmake --install` puts where, and the package that `find_package(hydae)` finds there: the tool, the
# public headers, and the modules behind one target hydae::hydae. With BUILD_SHARED_LIBS they are one
# shared library, which shows what the public headers declare and nothing else. Either kind is a
# component, `static` or `shared`, so that one build can install both, in two places.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# --- all modules as archives
add_library(hydae_api INTERFACE)
set_target_properties(hydae_api PROPERTIES EXPORT_NAME hydae)
target_link_libraries(hydae_api INTERFACE hydae_sim hydae_partition hydae_modelica hydae_problems)

# --- all modules as one shared library
list(TRANSFORM HYDAE_MODULES REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
add_library(hydae_shared SHARED ${objects})
set_target_properties(hydae_shared PROPERTIES OUTPUT_NAME hydae EXPORT_NAME hydae VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINKER_LANGUAGE CXX)
target_link_libraries(hydae_shared PRIVATE ${HYDAE_MODULES})
target_include_directories(hydae_shared INTERFACE $<INSTALL_INTERFACE:include>)
target_compile_features(hydae_shared INTERFACE cxx_std_20)

if(BUILD_SHARED_LIBS)
  set(other_kind static)
else()
  set(other_kind shared)
  if(NOT HYDAE_TESTS)
    set_target_properties(hydae_shared PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/hydae)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/hydaeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
foreach(kind static shared)
  if(kind STREQUAL other_kind)
    set(component COMPONENT ${kind} EXCLUDE_FROM_ALL)
  else()
    set(component COMPONENT ${kind})
  endif()
  if(kind STREQUAL static)
    install(TARGETS hydae_api ${HYDAE_MODULES} EXPORT hydae_static
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/hydae ${component})
  else()
    install(TARGETS hydae_shared EXPORT hydae_shared LIBRARY ${component})
  endif()
  install(TARGETS hydae RUNTIME ${component})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/hydae TYPE INCLUDE ${component})
  install(EXPORT hydae_${kind} NAMESPACE hydae:: FILE hydae_${kind}.cmake DESTINATION ${package} ${component})
  install(FILES ${CMAKE_SOURCE_DIR}/cmake/hydaeConfig.cmake ${CMAKE_BINARY_DIR}/hydaeConfigVersion.cmake
    DESTINATION ${package} ${component})
endforeach()
