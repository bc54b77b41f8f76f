#include "modelica/session.h"

#include <exception>
#include <fmt/format.h>
#include <functional>
#include <pthread.h>

#include "modelica/classes/classes.h"
#include "modelica/components/components.h"
#include "modelica/connections/connections.h"
#include "modelica/expressions/constant_folding.h"
#include "modelica/expressions/evaluate.h"
#include "modelica/flat/flat.h"
#include "modelica/functions/functions.h"

namespace hydae::modelica {

KnownAttributes::KnownAttributes(Workspace& w)
    : start(w.intern("start")),
      fixed(w.intern("fixed")),
      min(w.intern("min")),
      max(w.intern("max")),
      nominal(w.intern("nominal")),
      unit(w.intern("unit")),
      display_unit(w.intern("displayUnit")),
      quantity(w.intern("quantity")),
      state_select(w.intern("stateSelect")),
      unbounded(w.intern("unbounded")) {}

KnownAnnotations::KnownAnnotations(Workspace& w)
    : evaluate(w.intern("Evaluate")),
      experiment(w.intern("experiment")),
      start_time(w.intern("StartTime")),
      stop_time(w.intern("StopTime")),
      tolerance(w.intern("Tolerance")),
      interval(w.intern("Interval")),
      generate_events(w.intern("GenerateEvents")),
      missing_inner_message(w.intern("missingInnerMessage")),
      hydae(w.intern("__hydae")),
      flat(w.intern("flat")),
      part(w.intern("part")),
      free_at_events(w.intern("freeAtEvents")),
      program(w.intern("program")),
      actual_stream(w.intern("actualStream")) {}

KnownTypes::KnownTypes(Workspace& w)
    : real(w.intern("Real")),
      integer(w.intern("Integer")),
      boolean(w.intern("Boolean")),
      string(w.intern("String")),
      clock(w.intern("Clock")),
      external_object(w.intern("ExternalObject")) {}

KnownNames::KnownNames(Workspace& w)
    : attributes(w),
      annotations(w),
      types(w),
      time(w.intern("time")),
      equality_constraint(w.intern("equalityConstraint")),
      constructor(w.intern("constructor")),
      connections(w.intern("Connections")) {}

Session::Session(Workspace& shared_workspace)
    : workspace(shared_workspace),
      names(workspace),
      modifiers(workspace),
      graph(std::make_shared<Graph>()),
      reports_(workspace.diagnostics()) {
  classes = std::make_unique<Classes>(*this);
  components = std::make_unique<Components>(*this);
  evaluator = std::make_unique<Evaluator>(*this);
  folding = std::make_unique<ConstantFolding>(*this);
  functions = std::make_unique<Functions>(*this);
  connections = std::make_unique<Connections>(*this);
  flat = std::make_unique<FlatModel>();
}

Session::~Session() = default;

Instance& Session::make_instance() {
  if (memory_.instances.size() >= limits.instances)
    fail("model-too-large",
         fmt::format("the model has more than {} instances of classes", limits.instances),
         model != nullptr && model->def != nullptr ? model->def->definition->name.range
                                                   : SourceRange());
  return memory_.instances.emplace_back();
}

std::string Session::path_text(Symbol symbol) const {
  const std::string name = text(symbol);
  if (!request.is_flat_text || name.size() < 2 || name.front() != '\'') return name;
  std::string out;
  for (std::size_t i = 1; i + 1 < name.size(); ++i) {
    if (name[i] == '\\' && i + 2 < name.size()) ++i;
    out += name[i];
  }
  return out;
}

Diagnostic& Reports::add(Diagnostic diagnostic) {
  const SourceRange range = diagnostic.range;
  const bool is_new = !range.is_valid() ||
                      places_.insert({diagnostic.code, range.source.index(), range.begin}).second;
  if (is_new) return diagnostics_.add(std::move(diagnostic));
  swallowed_ = std::move(diagnostic);
  return swallowed_;
}

Diagnostic& Session::error(std::string code, std::string message, SourceRange range) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.range = range;
  return reports_.add(std::move(diagnostic));
}

Diagnostic& Session::warning(std::string code, std::string message, SourceRange range) {
  Diagnostic diagnostic;
  diagnostic.severity = Severity::kWarning;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.range = range;
  return reports_.add(std::move(diagnostic));
}

void Session::fail(std::string code, std::string message, SourceRange range) {
  error(std::move(code), std::move(message), range);
  throw Failure();
}

void Session::fail(Diagnostic diagnostic) {
  reports_.add(std::move(diagnostic));
  throw Failure();
}

void Session::unsupported(const std::string& feature, SourceRange range) {
  fail("unsupported", feature + " not supported yet", range);
}

// ---- the stack ----

namespace {

// The largest stack that the process can have is used: with less, less nesting is allowed.
constexpr std::size_t kLargestStack = std::size_t{512} << 20;
constexpr std::size_t kSmallestStack = std::size_t{1} << 20;
constexpr std::size_t kReserveShare = 8;         // of the stack, for what is called below a check
thread_local const char* stack_limit = nullptr;  // null: not on a large stack

struct Job {
  const std::function<void()>* body;
  std::size_t stack;
  std::exception_ptr error;
};

void* run_job(void* argument) {
  auto& job = *static_cast<Job*>(argument);
  const char here = 0;
  stack_limit = &here - (job.stack - job.stack / kReserveShare);
  try {
    (*job.body)();
  } catch (...) {
    job.error = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void Session::check_stack(SourceRange range) {
  const char here = 0;
  if (stack_limit != nullptr && &here < stack_limit)
    fail("nested-too-deeply", "this is nested too deeply to be evaluated", range);
}

namespace {

bool run_on_stack(Job& job) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, job.stack);
  pthread_t thread;
  const bool is_started = pthread_create(&thread, &attributes, run_job, &job) == 0;
  pthread_attr_destroy(&attributes);
  if (is_started) pthread_join(thread, nullptr);
  return is_started;
}

// What the stack of this thread has left below here.
std::size_t rest_of_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  const char here = 0;
  return static_cast<std::size_t>(&here - static_cast<const char*>(lowest));
}

}  // namespace

void run_with_large_stack(const std::function<void()>& body) {
  if (stack_limit != nullptr) return body();
  Job job{&body, kLargestStack, nullptr};
  while (job.stack >= kSmallestStack && !run_on_stack(job)) job.stack /= 2;
  if (job.stack < kSmallestStack) {  // no thread at all: this one, checked as well
    job.stack = rest_of_stack();
    run_job(&job);
    stack_limit = nullptr;
  }
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace hydae::modelica
