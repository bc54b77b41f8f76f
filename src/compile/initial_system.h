// The equations of consistent initialization. Rows: every equation differentiated 0 .. c_i + K
// times, and the initial equations. Columns: x_j^(l), l = 0 .. d_j + K. Stage k = l - d_j of a
// column, and k = r - c_i of a row: a row of stage k contains no column of a later stage. K is 0,
// or more if a fixed value or an initial equation speaks of higher derivatives. (Pryce 1998;
// docs/math/initialization.md.)
#pragma once

#include <limits>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <hydae/initial_point.h>

#include "compile/analyzed_system.h"
#include "compile/given_starts.h"
#include "structure/signature.h"

namespace hydae {

// Rows and columns are counted by int.
inline std::size_t slot(int k) { return static_cast<std::size_t>(k); }

struct InitialRow {
  NodeId residual;
  std::string name;
  int stage = 0;
  BlockId block;
  SourceRange source;
  bool is_initial = false;
  std::string text = {};  // of an initial equation
};

struct InitialColumn {
  Leaf leaf;
  std::string name;
  int stage = 0;
  BlockId block;
  double guess = 0;
  bool has_start = false;  // the guess was given
  bool is_fixed = false;
  // Under which the start value was given: name = factor * column. Empty: nobody gave one.
  std::string start_name = {};
  double start_factor = 1;
  // Between guesses of one stage: which is rather held. Its order, or one more than that of x for v
  // with an equation der(x) = v: positions are 0, velocities 1.
  int level = 0;
  StateSelect state_select = StateSelect::kDefault;
  bool is_of_options = false;      // the guess was given by the options of the call
  bool has_fixed_sibling = false;  // another derivative of the variable is fixed
  double min = 0, max = 0, nominal = 1;
  // Where a root is looked for, if it is looked for: the side of a relation that the mode stands
  // for. A value that is held does not care.
  double root_min = -std::numeric_limits<double>::infinity();
  double root_max = std::numeric_limits<double>::infinity();
};

// Of the guess; bounds that contradict each other are none.
inline bool is_within_bounds(const InitialColumn& column) {
  return !(column.min <= column.max) || (column.guess >= column.min && column.guess <= column.max);
}

// Rows and columns that are solved together, fixed columns left out.
struct InitialGroup {
  std::vector<int> rows, columns;
  bool is_released = false;  // its guesses were let go: it is solved for the closest point
};

// An observed variable with a start value or bounds that is no column: see compile/observers.h.
struct InitialObserver {
  InitialColumn column;
  NodeId value;
  InitialRow row;  // without its residual
};

// Where guesses that are held may be let go if holding them has no solution: anywhere, or only for
// the sake of these equations.
struct Release {
  bool is_anywhere = true;
  std::set<std::string> rows = {};  // by name
};

struct InitialSystem {
  const AnalyzedSystem* prepared = nullptr;
  std::vector<InitialRow> rows;
  std::vector<InitialColumn> columns;
  std::map<Leaf, int> leaf_to_column;
  // Variables that events determine, with their values, and those under pre() where they differ.
  std::map<Leaf, double> held, held_before;
  Guesses guesses = Guesses::kKept;
  std::vector<InitialObserver> observers;
  std::vector<GivenStart> other_starts;  // that gave way to one of an equal variable
  Release release;
};

// `observed`: variables of the model that are no unknowns of the system.
InitialSystem make_initial_system(const AnalyzedSystem& prepared, const InitializeOptions& options,
                                  std::span<const ObservedVariable> observed = {});

// Whether each column is fixed.
std::vector<bool> fixed_columns(const InitialSystem& system);

// Rows against columns, as a pattern in their order.
structure::SignatureMatrix pattern_of(const InitialSystem& system, std::span<const int> rows,
                                      std::span<const int> columns);

// Groups for the columns that are not known, in the order of solution. From the stages where every
// group has room for its rows, otherwise from the Dulmage-Mendelsohn decomposition.
std::vector<InitialGroup> arrange_groups(const InitialSystem& system,
                                         const std::vector<bool>& is_known);
// What has more columns than rows in one group.
std::vector<InitialGroup> arrange_together(const InitialSystem& system,
                                           const std::vector<bool>& is_known);

// Which equations are too many for their free columns, and which columns are more than their
// equations determine (Dulmage-Mendelsohn).
struct InitialDiagnosis {
  InitialGroup over, under;
};
InitialDiagnosis diagnose(const InitialSystem& system);

}  // namespace hydae
