// A file that appears as a whole. What is written goes to a temporary file beside the target, which
// takes the target's place when it is complete: whoever reads the target finds the old result or
// the new one, whatever happens in between.
#pragma once

#include <string>
#include <string_view>

#include <hydae/error.h>

#include "tool/failure.h"

namespace hydae::tool {

// Whoever read standard output has seen enough (`| head`). Nobody is left to be told.
class ReaderGone : public Error {
 public:
  using Error::Error;
};

// What could be opened does not take what is written: a disk is full.
class OutputFailed : public ComputationError {
 public:
  explicit OutputFailed(const std::string& message)
      : ComputationError(Status::kOutputFailed, message) {}
};

class ResultFile {
 public:
  // Tries whether it can be written. "-" is standard output; devices and pipes are written
  // directly. Throws UsageError with the reason.
  explicit ResultFile(std::string name);
  ~ResultFile();  // discards what was not kept
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  const std::string& name() const { return name_; }
  bool is_standard_output() const { return name_ == "-"; }

  // Throws OutputFailed when not everything could be written. What a full disk has cut is taken
  // back to the last line break.
  void write(std::string_view text);
  // The file takes its place. Throws OutputFailed.
  void keep();
  // The target stays as it was.
  void discard();

 private:
  void open_target();
  bool open_temporary();
  void open_directly();
  std::string reason() const;  // of errno
  [[noreturn]] void refuse() const;
  [[noreturn]] void fail() const;

  std::string name_, target_, temporary_;
  int descriptor_ = -1;
  bool overwrites_ = false;  // the target itself is open and not yet emptied
};

// Whether both names mean the same file, whether or not it exists. "-" means itself.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace hydae::tool
