#include "modelica/external/c_function.h"

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>
#include <ffi.h>
#include <fmt/format.h>
#include <stdexcept>

#include <hydae/error.h>
#include <hydae/export.h>

// What external code may call (12.9.6). The exception passes through the frames of the library.
extern "C" {
HYDAE_EXPORT [[noreturn]] void ModelicaError(const char* text);
HYDAE_EXPORT [[noreturn]] void ModelicaFormatError(const char* format, ...);
void ModelicaError(const char* text) { throw std::runtime_error(text); }
void ModelicaFormatError(const char* format, ...) {
  std::array<char, 1024> text{};
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  throw std::runtime_error(text.data());
}
}

namespace hydae::modelica {
namespace {

using Kind = CArgument::Kind;

bool is_scalar(Kind kind) { return kind == Kind::kReal || kind == Kind::kInteger; }

ffi_type* type_of(Kind kind, bool is_by_reference) {
  if (is_by_reference) return &ffi_type_pointer;
  switch (kind) {
    case Kind::kReal: return &ffi_type_double;
    case Kind::kInteger: return &ffi_type_sint;
    case Kind::kSize: return sizeof(std::size_t) == 8 ? &ffi_type_uint64 : &ffi_type_uint32;
    default: return &ffi_type_pointer;
  }
}

int to_int(double value) { return static_cast<int>(std::lround(value)); }

class CCall {
 public:
  CCall(SharedLibrary library, void* address, CSignature signature)
      : library_(std::move(library)), address_(address), signature_(std::move(signature)) {
    for (const CArgument& argument : signature_.arguments)
      types_.push_back(type_of(argument.kind, signature_.is_by_reference));
    ffi_type* result = signature_.result == CSignature::Result::kReal      ? &ffi_type_double
                       : signature_.result == CSignature::Result::kInteger ? &ffi_type_sint
                                                                           : &ffi_type_void;
    if (ffi_prep_cif(&interface_, FFI_DEFAULT_ABI, static_cast<unsigned>(types_.size()), result,
                     types_.data()) != FFI_OK)
      throw InternalError("libffi does not take the signature of an external function");
  }

  // Values live in `cells` until the call is over.
  void operator()(std::span<const double> in, std::span<double> out) {
    std::vector<Cell> cells(signature_.arguments.size());
    std::vector<void*> places;
    for (std::size_t i = 0; i < cells.size(); ++i)
      places.push_back(place(signature_.arguments[i], in, cells[i]));
    union {
      double real;
      ffi_arg integer;
    } result{};
    ffi_call(&interface_, FFI_FN(address_), &result, places.data());
    for (std::size_t i = 0; i < cells.size(); ++i) take(signature_.arguments[i], cells[i], out);
    if (signature_.result == CSignature::Result::kReal) out[signature_.result_place] = result.real;
    if (signature_.result == CSignature::Result::kInteger)
      out[signature_.result_place] = static_cast<int>(result.integer);
  }

 private:
  struct Cell {
    double real = 0;
    int integer = 0;
    std::size_t size = 0;
    std::vector<double> reals;
    std::vector<int> integers;
    const void* pointer = nullptr;
  };

  void* place(const CArgument& argument, std::span<const double> in, Cell& cell) const {
    void* const value = fill(argument, in, cell);
    const bool is_pointer = value == static_cast<void*>(&cell.pointer);
    if (!signature_.is_by_reference || is_pointer) return value;
    cell.pointer = value;
    if (argument.kind == Kind::kSize) {
      cell.integer = static_cast<int>(argument.size);
      cell.pointer = &cell.integer;
    }
    return &cell.pointer;
  }

  static void* fill(const CArgument& argument, std::span<const double> in, Cell& cell) {
    const bool is_input = is_scalar(argument.kind) || argument.kind == Kind::kRealArray ||
                          argument.kind == Kind::kIntegerArray;
    const std::span<const double> values =
        is_input ? in.subspan(argument.first, argument.count) : std::span<const double>();
    switch (argument.kind) {
      case Kind::kReal: cell.real = values[0]; return &cell.real;
      case Kind::kInteger: cell.integer = to_int(values[0]); return &cell.integer;
      case Kind::kSize: cell.size = argument.size; return &cell.size;
      case Kind::kText: cell.pointer = argument.text.c_str(); break;
      case Kind::kRealArray:
        cell.reals.assign(values.begin(), values.end());
        cell.pointer = cell.reals.data();
        break;
      case Kind::kIntegerArray:
        for (double value : values) cell.integers.push_back(to_int(value));
        cell.pointer = cell.integers.data();
        break;
      case Kind::kRealResult:
        cell.reals.resize(argument.count);
        cell.pointer = cell.reals.data();
        break;
      case Kind::kIntegerResult:
        cell.integers.resize(argument.count);
        cell.pointer = cell.integers.data();
        break;
    }
    return &cell.pointer;
  }

  static void take(const CArgument& argument, const Cell& cell, std::span<double> out) {
    for (std::size_t k = 0; k < argument.count; ++k) {
      if (argument.kind == Kind::kRealResult) out[argument.first + k] = cell.reals[k];
      if (argument.kind == Kind::kIntegerResult) out[argument.first + k] = cell.integers[k];
    }
  }

  SharedLibrary library_;
  void* address_;
  CSignature signature_;
  std::vector<ffi_type*> types_;
  ffi_cif interface_{};
};

}  // namespace

SharedLibrary::SharedLibrary(const std::vector<std::filesystem::path>& files) {
  std::string reasons;
  for (const std::filesystem::path& file : files) {
    if (void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr) {
      handle_ = std::shared_ptr<void>(handle, [](void* library) { dlclose(library); });
      return;
    }
    reasons += fmt::format("\n   {}", dlerror());
  }
  throw UsageError(fmt::format("no library can be loaded:{}", reasons));
}

void* SharedLibrary::find(const std::string& symbol) const {
  return dlsym(handle_.get(), symbol.c_str());
}

std::function<void(std::span<const double>, std::span<double>)> make_c_call(SharedLibrary library,
                                                                            void* address,
                                                                            CSignature signature) {
  // Shared: the libffi interface refers to its own member arrays.
  auto call = std::make_shared<CCall>(std::move(library), address, std::move(signature));
  return [call](std::span<const double> in, std::span<double> out) { (*call)(in, out); };
}

}  // namespace hydae::modelica
