# Read by find_package(hydae): what the modules are linked with, and the modules.
include(CMakeFindDependencyMacro)
find_dependency(Eigen3)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(SUNDIALS COMPONENTS ida cvode nvecserial)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/hydaeTargets.cmake)
