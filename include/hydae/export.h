// What the shared library shows to programs outside: the namespace of each public header, and
// nothing else of it.
// Module: base
#pragma once

#if defined(__GNUC__)
#define HYDAE_EXPORT [[gnu::visibility("default")]]
#else
#define HYDAE_EXPORT
#endif
