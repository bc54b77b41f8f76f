# What makes a build shorter where it is installed, and is never required: ccache, and mold or lld.

find_program(HYDAE_CCACHE ccache)
if(HYDAE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers need the two kinds of sloppiness, and no looser times: what is read is compared
  # by its contents. With include_file_mtime a source that is edited while it is compiled would be
  # stored under its new contents, with the object of the old ones.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${HYDAE_CCACHE})
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
