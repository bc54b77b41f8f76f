// Exceptions. Misuse of the C++ interface throws UsageError with a message that names the variable
// or equation; a model that cannot be used as asked throws ModelError with its diagnostics; a bug
// of hydae itself throws InternalError. The library never aborts the process and never prints.
#pragma once

#include <stdexcept>
#include <string>

#include <hydae/diagnostic.h>
#include <hydae/export.h>

namespace HYDAE_EXPORT hydae {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class UsageError : public Error {
 public:
  using Error::Error;
};

class ModelError : public Error {
 public:
  explicit ModelError(Diagnostics diagnostics);
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

class InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace hydae
