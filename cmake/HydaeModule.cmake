# Headers that most sources read, compiled once: `plain` for every module, `matrices` for those that
# link Eigen, `text` for modules that are optimized less, `tests` for the test programs. g++ does not
# optimize less than the precompiled header says (-O1 after a header of -O2 gives the same object).
# A source whose own options differ from the rest sets SKIP_PRECOMPILE_HEADERS.
set(HYDAE_STANDARD_HEADERS <algorithm> <array> <cmath> <cstddef> <cstdint> <functional> <map> <memory>
  <optional> <set> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h>)

function(hydae_precompiled name)
  cmake_parse_arguments(ARG "PROGRAM" "" "HEADERS;LINK;OPTIONS" ${ARGN})
  set(source ${CMAKE_BINARY_DIR}/precompiled_${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "")
  if(ARG_PROGRAM) # programs are compiled with -fPIE, libraries with -fPIC
    add_executable(hydae_precompiled_${name} ${source})
  else()
    add_library(hydae_precompiled_${name} OBJECT ${source})
  endif()
  target_link_libraries(hydae_precompiled_${name} PRIVATE fmt::fmt ${ARG_LINK})
  target_compile_options(hydae_precompiled_${name} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(hydae_precompiled_${name} PRIVATE ${HYDAE_STANDARD_HEADERS} ${ARG_HEADERS})
endfunction()

hydae_precompiled(plain)
hydae_precompiled(text OPTIONS ${HYDAE_TEXT_FLAGS})
hydae_precompiled(matrices HEADERS <Eigen/Dense> <Eigen/SparseCore> LINK Eigen3::Eigen)
if(HYDAE_TESTS)
  hydae_precompiled(tests PROGRAM HEADERS <gmock/gmock.h> <gtest/gtest.h> LINK GTest::gmock GTest::gtest_main)
endif()

# hydae_group(target GROUPS n)
#
# Compiles the sources of a target in `n` groups, each as one unit: most of the time goes into headers
# and templates, and they are read once per group. A source goes to the group that the digest of its
# name says, so that a new file changes one group only; all that read nlohmann/json.hpp form a group of
# their own, because it brings std::quoted into reach of ours. Names in anonymous namespaces are unique
# in a module (test/repo/unique_names.py). Sources with options of their own stay alone.
# A group names its sources relative to the project, so that ccache knows it again in another checkout
# (CMake's own unity build writes absolute paths).
# -DHYDAE_UNITY=OFF compiles each file by itself: what clang-tidy and editors need.
function(hydae_group target)
  cmake_parse_arguments(ARG "" "GROUPS" "" ${ARGN})
  if(NOT HYDAE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(units "")
  set(groups "")
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    hydae_has_own_options(${source} is_alone)
    if(is_alone)
      list(APPEND units ${source})
      continue()
    endif()
    cmake_path(GET source FILENAME name)
    string(MD5 digest ${name})
    string(SUBSTRING ${digest} 0 7 digest)
    math(EXPR group "0x${digest} % ${ARG_GROUPS}")
    file(STRINGS ${source} reads_json REGEX "nlohmann/json.hpp")
    if(reads_json)
      set(group json)
    endif()
    list(APPEND groups ${group})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
    string(APPEND text_${group} "#include \"${source}\"\n")
  endforeach()
  list(REMOVE_DUPLICATES groups)
  foreach(group ${groups})
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/${target}_group_${group}.cc)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${text_${group}}" @ONLY)
    list(APPEND units ${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${units}")
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR})
endfunction()

function(hydae_has_own_options source result)
  set(${result} FALSE PARENT_SCOPE)
  foreach(property COMPILE_DEFINITIONS COMPILE_OPTIONS SKIP_PRECOMPILE_HEADERS)
    get_source_file_property(value ${source} ${property})
    if(value)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# hydae_vector_kernels(source [UNFUSED])
#
# A source of loops over vectors (linalg/simd.h), compiled for every processor and, unless the whole build
# is for this machine's, once more with AVX2 and FMA; to be called before hydae_module(), which takes both.
# The loops are written as a*b + c and mean one fused operation, unless they are UNFUSED.
function(hydae_vector_kernels source)
  cmake_parse_arguments(ARG "UNFUSED" "" "" ${ARGN})
  set(options "-O2")
  if(NOT ARG_UNFUSED)
    list(APPEND options -ffp-contract=fast)
  endif()
  set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS "${options};-DHYDAE_VARIANT=plain")
  if(NOT HYDAE_HAS_WIDE)
    return()
  endif()
  cmake_path(GET source STEM stem)
  cmake_path(SET path NORMALIZE ${CMAKE_CURRENT_SOURCE_DIR}/${source})
  cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/src)
  set(wide ${CMAKE_CURRENT_BINARY_DIR}/${stem}_wide.cc)
  file(CONFIGURE OUTPUT ${wide} CONTENT "#include \"${path}\"\n" @ONLY)
  set_source_files_properties(${wide} PROPERTIES SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS "${options};-DHYDAE_VARIANT=wide;-mavx2;-mfma;-mtune=haswell")
  set_property(DIRECTORY APPEND PROPERTY HYDAE_FURTHER_SOURCES ${wide})
endfunction()

# hydae_module(name [NUMERIC|TEXT] GROUPS n TEST_GROUPS n DEPENDS modules... LINK libraries...)
#
# One static library `hydae_<name>` from src/<name>/*.cc and, from its *_test.cc, one test program
# `<name>_test`. Each X_fuzz.cc is a libFuzzer program `<name>_X_fuzz` (option HYDAE_FUZZ).
# New files are picked up without editing any CMakeLists.txt. NUMERIC: its loops are the run time, so it
# gets HYDAE_NUMERIC_FLAGS. TEXT: it works on trees and names, so it gets HYDAE_TEXT_FLAGS.
function(hydae_module name)
  cmake_parse_arguments(ARG "NUMERIC;TEXT" "GROUPS;TEST_GROUPS" "DEPENDS;LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")
  get_property(further DIRECTORY PROPERTY HYDAE_FURTHER_SOURCES)
  list(APPEND sources ${further})
  list(TRANSFORM ARG_DEPENDS PREPEND hydae_)

  if(sources)
    add_library(hydae_${name} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(hydae_${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(hydae_${name} ${scope} $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_compile_features(hydae_${name} ${scope} cxx_std_20)
  set_target_properties(hydae_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY HYDAE_MODULES hydae_${name})
  target_link_libraries(hydae_${name} ${scope} ${ARG_DEPENDS} ${ARG_LINK})
  if(sources)
    if(ARG_NUMERIC)
      target_compile_options(hydae_${name} PRIVATE ${HYDAE_NUMERIC_FLAGS})
    endif()
    if(ARG_GROUPS)
      hydae_group(hydae_${name} GROUPS ${ARG_GROUPS})
    endif()
    if(ARG_TEXT)
      target_compile_options(hydae_${name} PRIVATE ${HYDAE_TEXT_FLAGS})
      target_precompile_headers(hydae_${name} REUSE_FROM hydae_precompiled_text)
    elseif(Eigen3::Eigen IN_LIST ARG_LINK)
      target_precompile_headers(hydae_${name} REUSE_FROM hydae_precompiled_matrices)
    else()
      target_precompile_headers(hydae_${name} REUSE_FROM hydae_precompiled_plain)
    endif()
  endif()

  if(HYDAE_TESTS AND tests)
    hydae_test(${name}_test SOURCES ${tests} LINK hydae_${name} GROUPS ${ARG_TEST_GROUPS})
  endif()
  if(HYDAE_FUZZ)
    foreach(fuzzer ${fuzzers})
      cmake_path(GET fuzzer STEM target)
      add_executable(${name}_${target} ${fuzzer})
      target_link_libraries(${name}_${target} PRIVATE hydae_${name})
      target_link_options(${name}_${target} PRIVATE -fsanitize=fuzzer)
    endforeach()
  endif()
endfunction()

# test/source_dir.h: where the project lies, compiled once, so that no other object depends on it.
if(HYDAE_TESTS)
  set(source_dir ${CMAKE_BINARY_DIR}/source_dir.cc)
  file(CONFIGURE OUTPUT ${source_dir} @ONLY CONTENT
    "#include \"test/source_dir.h\"\nnamespace hydae {\nconst char* source_dir() { return \"@CMAKE_SOURCE_DIR@\"; }\n}\n")
  add_library(hydae_source_dir STATIC ${source_dir})
  target_include_directories(hydae_source_dir PUBLIC ${CMAKE_SOURCE_DIR})
endif()

# hydae_test(name SOURCES files... LINK libraries... LABELS labels... GROUPS n)
function(hydae_test name)
  cmake_parse_arguments(ARG "" "GROUPS" "SOURCES;LINK;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} hydae_source_dir GTest::gmock GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM hydae_precompiled_tests)
  if(ARG_GROUPS)
    hydae_group(${name} GROUPS ${ARG_GROUPS})
  endif()
  set(properties TIMEOUT 120)
  if(ARG_LABELS)
    list(APPEND properties LABELS "${ARG_LABELS}")
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES ${properties})
endfunction()
