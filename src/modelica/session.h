// What the parts of the front end share while one model is built: memory of instances, the
// expression graph, the collected diagnostics, and each other.
#pragma once

#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include <hydae/diagnostic.h>
#include <hydae/expr.h>

#include "modelica/classes/class_tree.h"
#include "modelica/classes/instance.h"
#include "modelica/classes/modification.h"

namespace hydae::modelica {

class Classes;
class Components;
class Evaluator;
class ConstantFolding;
class Connections;
class Functions;
class FlatModel;
struct FlatAction;

// Thrown after a diagnostic has been recorded: what was being made cannot be made.
struct Failure : std::exception {
  const char* what() const noexcept override { return "an error was reported and not handled"; }
};

// Names with a meaning of their own, interned once.
struct KnownAttributes {
  explicit KnownAttributes(Workspace& workspace);
  Symbol start, fixed, min, max, nominal, unit, display_unit, quantity, state_select, unbounded;
};

struct KnownAnnotations {
  explicit KnownAnnotations(Workspace& workspace);
  Symbol evaluate, experiment, start_time, stop_time, tolerance, interval, generate_events,
      missing_inner_message, hydae, flat, part, free_at_events, program, actual_stream;
};

struct KnownTypes {
  explicit KnownTypes(Workspace& workspace);
  Symbol real, integer, boolean, string, clock, external_object;
};

struct KnownNames {
  explicit KnownNames(Workspace& workspace);
  KnownAttributes attributes;
  KnownAnnotations annotations;
  KnownTypes types;
  Symbol time, equality_constraint, constructor, connections;
};

// What is asked for, and what of it has been used.
struct ModelRequest {
  bool is_flat_text = false;                     // the model was written by flatten_to_text
  bool allows_external = false;                  // shared libraries may be loaded
  bool is_as_written = false;                    // no equation goes, none is added
  std::map<std::string, std::string> overrides;  // parameter path -> value given by the user
  std::set<std::string> used_overrides;
  std::vector<std::filesystem::path> file_roots;  // folders whose files a model may read
};

// What stands in for something else: judged when the model is there (checks/subtypes.h).
struct StandIns {
  std::vector<const Element*> redeclared;
  std::vector<Component*> outers;
};

// Where what is made on demand lives, as long as the session.
struct InstanceMemory {
  std::deque<Instance> instances;
  std::deque<Element> elements;
  std::deque<Component> components;
  std::deque<IndexChain> indices;
};

// One message per name and place, however often the place is instantiated.
class Reports {
 public:
  explicit Reports(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  Diagnostic& add(Diagnostic diagnostic);

 private:
  Diagnostics& diagnostics_;
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> places_;
  Diagnostic swallowed_;
};

struct Limits {
  std::int64_t array_elements = 2'000'000;
  std::int64_t products = 10'000'000;  // multiplications of formulas in one product of arrays
  std::int64_t known_products = 1'000'000'000;  // of numbers
  int bus_depth = 16;                           // expandable connectors inside each other
  int instance_depth = 200;
  int extends_depth = 100;
  int call_depth = 256;
  std::int64_t calls = 500'000;  // that one call in the model makes, all levels together
  std::size_t string_length = 10'000'000;
  std::size_t instances = 250'000;
  std::int64_t statements = 1'000'000;  // of one call
};

class Session {
 public:
  explicit Session(Workspace& workspace);
  ~Session();

  Workspace& workspace;
  KnownNames names;
  Limits limits;
  Modifiers modifiers;
  std::shared_ptr<Graph> graph;
  std::unique_ptr<Classes> classes;
  std::unique_ptr<Components> components;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<ConstantFolding> folding;
  std::unique_ptr<Functions> functions;
  std::unique_ptr<Connections> connections;
  std::unique_ptr<FlatModel> flat;
  Instance* model = nullptr;  // the model that is built
  ModelRequest request;
  NodeId guard;  // the condition under which what is evaluated now counts; invalid: always
  // Inside of a when-clause: where to put what must hold at its event; null elsewhere.
  std::vector<FlatAction>* event_checks = nullptr;
  StandIns stand_ins;

  Instance& make_instance();
  Element& make_element() { return memory_.elements.emplace_back(); }
  Component& make_component() { return memory_.components.emplace_back(); }
  const IndexChain* make_index(IndexChain chain) { return &memory_.indices.emplace_back(chain); }

  std::string text(Symbol symbol) const { return workspace.text(symbol); }
  // The name as part of a path: in a flat text a quoted identifier is itself a path.
  std::string path_text(Symbol symbol) const;

  Diagnostic& error(std::string code, std::string message, SourceRange range);
  Diagnostic& warning(std::string code, std::string message, SourceRange range);
  Diagnostic& report(Diagnostic diagnostic) { return reports_.add(std::move(diagnostic)); }
  [[noreturn]] void fail(std::string code, std::string message, SourceRange range);
  [[noreturn]] void fail(Diagnostic diagnostic);
  // A part of the language that is not there yet.
  [[noreturn]] void unsupported(const std::string& feature, SourceRange range);

  // Runs `body`; false if it failed, which is reported by then: errors without a place at `range`.
  template <class Body>
  bool attempt(SourceRange range, const Body& body) {
    try {
      body();
      return true;
    } catch (const Failure&) {
      return false;
    } catch (const WrongValue& wrong) {
      error("type-mismatch", wrong.what(), range);
      return false;
    }
  }

  // Throws Failure (reported) when the stack is nearly used up.
  void check_stack(SourceRange range);

 private:
  InstanceMemory memory_;
  Reports reports_;
};

// While it lives, what is evaluated counts only where `condition` holds, too; without a valid
// condition it counts always.
class Guard {
 public:
  Guard(Session& session, NodeId condition) : session_(session), outer_(session.guard) {
    const bool is_narrowed = outer_.is_valid() && condition.is_valid();
    session_.guard = is_narrowed ? session.graph->binary(Op::kAnd, outer_, condition) : condition;
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { session_.guard = outer_; }

 private:
  Session& session_;
  NodeId outer_;
};

// While it lives, what is evaluated belongs to the body of a when-clause: it counts always there,
// and what it asks for is checked at the event.
class EventBody {
 public:
  EventBody(Session& session, std::vector<FlatAction>& checks)
      : guard_(session, NodeId()), session_(session), outer_(session.event_checks) {
    session.event_checks = &checks;
  }
  EventBody(const EventBody&) = delete;
  EventBody& operator=(const EventBody&) = delete;
  ~EventBody() { session_.event_checks = outer_; }

 private:
  Guard guard_;
  Session& session_;
  std::vector<FlatAction>* outer_;
};

// Runs `body` on a stack of its own, large enough for the nesting that check_stack allows.
void run_with_large_stack(const std::function<void()>& body);

}  // namespace hydae::modelica
