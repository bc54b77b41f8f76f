// Failures that reach the tool as exceptions, turned into a message and an exit status.
#pragma once

#include <exception>
#include <string>

#include <hydae/error.h>
#include <hydae/status.h>

#include "tool/command.h"

namespace hydae::tool {

// A computation that a command builds on did not succeed.
class ComputationError : public Error {
 public:
  ComputationError(Status status, const std::string& message) : Error(message), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

struct ReportedFailure {
  ExitStatus exit_status = kInternalError;
  Status status = Status::kInternalError;
  std::string text;  // for standard error, whole lines
};

ReportedFailure describe_failure(const std::exception_ptr& error);

}  // namespace hydae::tool
