// Functions of shared libraries, called by libffi with the argument types that Modelica maps its
// own to (12.9.1). The code runs in this process: what it does wrong, this process does.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <hydae/expr.h>

namespace hydae::modelica {

struct CArgument {
  enum class Kind {
    kReal,           // double
    kInteger,        // int
    kRealArray,      // const double*
    kIntegerArray,   // const int*
    kSize,           // size_t, a number
    kText,           // const char*
    kRealResult,     // double*, one or many
    kIntegerResult,  // int*
  };
  Kind kind = Kind::kReal;
  std::size_t first = 0, count = 1;  // places among the inputs or outputs
  std::size_t size = 0;              // kSize
  std::string text;                  // kText
};

struct CSignature {
  enum class Result { kNone, kReal, kInteger };
  std::vector<CArgument> arguments;
  Result result = Result::kNone;
  std::size_t result_place = 0;  // among the outputs
  bool is_by_reference = false;  // FORTRAN 77: scalars and sizes, too; sizes are int
};

// A loaded library stays as long as a function of it.
class SharedLibrary {
 public:
  // The first of `files` that can be loaded. Throws UsageError, with what the system says of each.
  explicit SharedLibrary(const std::vector<std::filesystem::path>& files);

  void* find(const std::string& symbol) const;  // null if there is none

 private:
  std::shared_ptr<void> handle_;
};

// `evaluate` of a Function.
std::function<void(std::span<const double>, std::span<double>)> make_c_call(SharedLibrary library,
                                                                            void* address,
                                                                            CSignature signature);

}  // namespace hydae::modelica
