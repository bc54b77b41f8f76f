// Recursion without a limit from the stack of the processor: a coroutine that waits for another.
// The frames are on the heap, and `run` resumes the innermost one until the outermost is done, so
// that a recursive descent parser follows text of any depth and still reads like its grammar:
//
//   Task<int> depth(const Tree& t) { co_return t.child ? 1 + co_await depth(*t.child) : 0; }
//   int d = run(depth(tree));
//
// A task is awaited at once where it is made, and only once. An exception ends all tasks and comes
// out of `run`; no task can catch it.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace hydae::syntax {

// The frames that wait for each other, innermost last.
class TaskStack {
 public:
  TaskStack() = default;
  TaskStack(const TaskStack&) = delete;
  TaskStack& operator=(const TaskStack&) = delete;
  ~TaskStack() {  // after an exception: one frame at a time, so this does not recurse either
    while (!frames_.empty()) pop();
  }

  void push(std::coroutine_handle<> frame) { frames_.push_back(frame); }
  void run() {
    while (!frames_.empty()) {
      const std::coroutine_handle<> frame = frames_.back();
      frame.resume();
      if (frame.done()) pop();
    }
  }

 private:
  void pop() {
    frames_.back().destroy();
    frames_.pop_back();
  }

  std::vector<std::coroutine_handle<>> frames_;
};

template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type {
    TaskStack* stack = nullptr;
    std::optional<T>* result = nullptr;  // in the frame that waits

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(T value) { *result = std::move(value); }
    [[noreturn]] void unhandled_exception() { throw; }
  };

  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> waiting) {
    start(*waiting.promise().stack);
  }
  T await_resume() { return std::move(*result_); }

 private:
  template <class U>
  friend U run(Task<U> task);

  explicit Task(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  void start(TaskStack& stack) {
    frame_.promise().stack = &stack;
    frame_.promise().result = &result_;
    stack.push(frame_);
  }

  std::coroutine_handle<promise_type> frame_;  // the stack owns it
  std::optional<T> result_;
};

// The value of `task`, which is run to its end.
template <class T>
T run(Task<T> task) {
  TaskStack stack;
  task.start(stack);
  stack.run();
  return task.await_resume();
}

}  // namespace hydae::syntax
