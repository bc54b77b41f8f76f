# What makes a build shorter where it is installed, and is never required: ccache, and mold or lld.

find_program(HYDAE_CCACHE ccache)
if(HYDAE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header has another time in each build folder, and so has what it was made from.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${HYDAE_CCACHE})
endif()

# g++ knows mold by name since version 12.1.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.1)
  set(linkers ld.lld)
else()
  set(linkers mold ld.lld)
endif()
find_program(HYDAE_LINKER NAMES ${linkers})
if(HYDAE_LINKER)
  cmake_path(GET HYDAE_LINKER FILENAME linker)
  string(REPLACE ld. "" linker ${linker})
  add_link_options(-fuse-ld=${linker})
endif()
