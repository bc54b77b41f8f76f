// The result of a computation that may not succeed: a value, or why there is none. Failing is a
// value like any other: it can be kept, compared, replaced by a better explanation or dropped, and
// nothing outside notices.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include <hydae/status.h>

namespace hydae {

struct Failure {
  Status status = Status::kSuccess;
  std::string message;  // for a person
};

template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : content_(std::move(value)) {}
  Outcome(Failure failure) : content_(std::move(failure)) {}

  explicit operator bool() const { return std::holds_alternative<T>(content_); }
  T& operator*() & { return std::get<T>(content_); }
  const T& operator*() const& { return std::get<T>(content_); }
  T&& operator*() && { return std::get<T>(std::move(content_)); }
  T* operator->() { return &std::get<T>(content_); }
  const T* operator->() const { return &std::get<T>(content_); }
  const Failure& failure() const& { return std::get<Failure>(content_); }
  Failure&& failure() && { return std::get<Failure>(std::move(content_)); }
  // False on success.
  bool has_failed_with(Status status) const { return !*this && failure().status == status; }

 private:
  std::variant<T, Failure> content_;
};

// Nothing but success.
struct Done {};

// The status of a part below that knows its own by name.
inline Failure failure_named(std::string_view name, Status otherwise, std::string message) {
  return {find_status(name).value_or(otherwise), std::move(message)};
}

}  // namespace hydae
