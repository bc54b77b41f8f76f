// One mode of a hybrid model, compiled: structure, Taylor program with the guards of all relations
// as outputs. Modes are made when they are first met, kept, and never changed. What identifies a
// mode are its equations with all conditions decided (what stands in a branch that is not taken
// does not count), and which guards are held at zero.
//
// A mode is a function of the model, the decisions and the holds: each has a graph of its own that
// extends that of the model, so that it does not matter who has met which modes before. SharedModes
// are those of all runs, on any thread; the ModeLibrary of a run has copies whose graphs it may
// extend.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "compile/analyzed_system.h"
#include "compile/taylor_lowering.h"
#include "sim/output_layout.h"
#include "sim/pinned_guard.h"

namespace hydae {

struct CompiledMode {
  int number = 0;                 // in the order in which the run has met them, from 1
  std::vector<PinnedGuard> pins;  // guards that are held at zero
  std::vector<NodeId> residuals;  // as decided, before any repair
  AnalyzedSystem prepared;
  std::vector<NodeId> outputs;
  OutputLayout layout;              // of the outputs
  std::vector<std::size_t> inputs;  // places of the table that equations and outputs read
  TaylorProgram compiled;
  // sqrt(u) in the equations: a series runs on into the other branch of the root where u touches
  // zero, so the sign of the root is watched.
  std::vector<NodeId> roots;
  Diagnostics defects;          // why the mode cannot be simulated; empty if it can
  Diagnostics singular;         // the Jacobian is: a defect unless a solution at hand decides
  double analysis_seconds = 0;  // that its structure took when it was made

  std::vector<NodeId> guards_and_exits() const {
    const auto end = static_cast<std::ptrdiff_t>(layout.exit(layout.num_exits));
    return {outputs.begin(), outputs.begin() + end};
  }
};

class SharedModes {
 public:
  using Ptr = std::shared_ptr<const CompiledMode>;
  // The model must be frozen and outlive them. Without series modes have no outputs and no Taylor
  // program.
  SharedModes(const HybridModel& model, bool with_series)
      : model_(model), with_series_(with_series) {}

  // `table`: at which the structure is checked. Any number of threads may ask at once: each mode is
  // made once, and those who ask for another one do not wait.
  Ptr find_or_make(const ModeTruths& truths, const std::vector<PinnedGuard>& pins,
                   const std::vector<double>& table);
  long num_made() const { return num_made_; }

 private:
  // Modes with the same equations. They differ where the numbers of the table have made the
  // structure: by repairs, or since the Jacobian is singular at some of them.
  struct SameEquations {
    std::mutex mutex;
    std::vector<Ptr> modes;
  };
  struct Decided {
    std::shared_ptr<Graph> nodes;
    HeldResiduals held;
    std::vector<NodeId> delayed;
  };
  using Key = std::pair<ModeTruths, std::vector<PinnedGuard>>;
  using Form = std::vector<std::uint32_t>;

  Decided decide(const ModeTruths& truths, const std::vector<PinnedGuard>& pins) const;
  Form form_of(const Decided& decided) const;
  bool fits(const CompiledMode& mode, const std::vector<double>& table) const;
  Ptr make(Decided decided, const std::vector<PinnedGuard>& pins, std::vector<double> table) const;
  void make_program(HeldResiduals held, const std::vector<NodeId>& delayed,
                    CompiledMode& mode) const;

  const HybridModel& model_;
  bool with_series_;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<SameEquations>> by_truths_;
  std::map<std::pair<Form, std::vector<PinnedGuard>>, std::shared_ptr<SameEquations>> by_form_;
  std::atomic<long> num_made_ = 0;
};

// The modes that one run has met.
class ModeLibrary {
 public:
  // `model`: of the run; made from that of the shared modes.
  ModeLibrary(const HybridModel& model, std::shared_ptr<SharedModes> shared)
      : model_(model), shared_(std::move(shared)) {}

  const CompiledMode& find_or_make(const ModeTruths& truths, const std::vector<PinnedGuard>& pins,
                                   const std::vector<double>& table);
  int num_modes() const { return static_cast<int>(modes_.size()); }
  long num_hits() const { return num_hits_; }  // searches that found a mode the run had met
  // What the run has spent on making modes: their structure, and all the rest.
  double analysis_seconds() const { return analysis_seconds_; }
  double compile_seconds() const { return compile_seconds_; }

 private:
  std::unique_ptr<CompiledMode> own_copy(const CompiledMode& shared,
                                         const std::vector<double>& table) const;

  const HybridModel& model_;
  std::shared_ptr<SharedModes> shared_;
  std::map<std::pair<ModeTruths, std::vector<PinnedGuard>>, const CompiledMode*> by_truths_;
  struct Met {
    SharedModes::Ptr shared;
    std::unique_ptr<CompiledMode> own;
  };
  std::map<const CompiledMode*, Met> modes_;
  long num_hits_ = 0;
  double analysis_seconds_ = 0, compile_seconds_ = 0;
};

}  // namespace hydae
