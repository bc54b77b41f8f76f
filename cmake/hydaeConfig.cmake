# Read by find_package(hydae): the shared library, which needs nothing else, or the modules and what they
# are linked with.
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/hydae_shared.cmake)
  include(${CMAKE_CURRENT_LIST_DIR}/hydae_shared.cmake)
  return()
endif()
include(CMakeFindDependencyMacro)
find_dependency(Eigen3)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(SUNDIALS COMPONENTS ida cvode nvecserial)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/hydae_static.cmake)
