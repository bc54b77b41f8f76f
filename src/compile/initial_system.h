// The equations of consistent initialization. Rows: every equation differentiated 0 .. c_i + K
// times, and the initial equations. Columns: x_j^(l), l = 0 .. d_j + K. Stage k = l - d_j of a
// column, and k = r - c_i of a row: a row of stage k contains no column of a later stage. K is 0,
// or more if a fixed value or an initial equation speaks of higher derivatives. (Pryce 1998;
// docs/math/initialization.md.)
#pragma once

#include <map>
#include <string>
#include <vector>

#include <hydae/initialize.h>

#include "compile/prepare.h"

namespace hydae {

struct InitialRow {
  NodeId residual;
  std::string name;
  int stage = 0;
  BlockId block;
  SourceRange source;
};

struct InitialColumn {
  Leaf leaf;
  std::string name;
  int stage = 0;
  BlockId block;
  double guess = 0;
  bool has_start = false;  // the guess was given
  bool is_fixed = false;
  double min = 0, max = 0, nominal = 1;
};

// Rows and columns that are solved together, fixed columns left out.
struct InitialGroup {
  std::vector<int> rows, columns;
};

struct InitialSystem {
  const Prepared* prepared = nullptr;
  std::vector<InitialRow> rows;
  std::vector<InitialColumn> columns;
  std::map<Leaf, int> leaf_to_column;
  // Variables that events determine, with their start values.
  std::map<Leaf, double> held;
  // In the order of solution. From the stages where every group has room for its rows, otherwise
  // from the Dulmage-Mendelsohn decomposition.
  std::vector<InitialGroup> groups;
};

InitialSystem make_initial_system(const Prepared& prepared, const InitializeOptions& options);

// Groups for the columns that are free now.
void arrange_groups(InitialSystem& system);

// Which equations are too many for their free columns, and which columns are more than their
// equations determine (Dulmage-Mendelsohn).
struct InitialDiagnosis {
  InitialGroup over, under;
};
InitialDiagnosis diagnose(const InitialSystem& system);

}  // namespace hydae
