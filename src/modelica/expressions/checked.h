// A list whose elements are reached only if they are there. How many cells, texts, fields or
// instances there are is decided by the text that is read (an array of no elements, a text where a
// number belongs), so no access relies on it.
#pragma once

#include <string>
#include <vector>

#include <hydae/error.h>

namespace hydae::modelica {

// A value is not of the kind that was needed. The expression, statement or clause that is being
// read turns it into an error at its own place (Session::attempt, Evaluator::evaluate); one that
// nobody expects is a bug of ours.
struct WrongValue : InternalError {
  using InternalError::InternalError;
};

[[noreturn]] void fail_no_element(std::size_t index, std::size_t size);

template <class T>
class CheckedList : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  CheckedList() = default;
  CheckedList(std::vector<T> items) : std::vector<T>(std::move(items)) {}

  T& operator[](std::size_t index) {
    check(index);
    return std::vector<T>::operator[](index);
  }
  const T& operator[](std::size_t index) const {
    check(index);
    return std::vector<T>::operator[](index);
  }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[this->size() - 1]; }
  const T& back() const { return (*this)[this->size() - 1]; }

 private:
  void check(std::size_t index) const {
    if (index >= this->size()) fail_no_element(index, this->size());
  }
};

}  // namespace hydae::modelica
