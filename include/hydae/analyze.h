// Module: compile
// Structural analysis of a model: index, degrees of freedom, which initial values to give, in which
// order its parts are solved, and what is wrong with an ill-posed model. Pryce's Sigma-method
// (2001) with block triangular forms as in DAESA (Nedialkov, Pryce, Tan 2014); the system Jacobian
// is evaluated, and a model on which the structure alone misleads is repaired where that is
// possible.
//
// Everything here is plain data: equations are numbered by their position in `equations`, variables
// in `variables`. After a repair these lists describe the repaired system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <hydae/diagnostic.h>
#include <hydae/export.h>
#include <hydae/initial_point.h>
#include <hydae/model.h>

namespace HYDAE_EXPORT hydae {

struct AnalyzeOptions {
  // Truth of relations, by position in relation_texts(model). Relations beyond its end, and all of
  // them when it is empty, get the value they have at the start values.
  std::vector<bool> mode;
  // Values of variables and derivatives that replace the start values: where relations are judged
  // and the system Jacobian is shown.
  std::vector<StartOverride> point{};
  std::vector<MovedStart> moved{};  // start values that the point did not keep: passed on
  bool check_jacobian = true;
  bool repair = true;
  bool show_jacobian = false;  // fill Analysis::system_jacobian
};

struct SignatureEntry {
  int equation = 0;
  int variable = 0;
  int order = 0;  // highest derivative of the variable in the equation
};

// One diagonal block of the fine block triangular form, in the order of solution.
struct AnalyzedBlock {
  std::vector<int> equations, variables;
  std::vector<int> c, d;  // local offsets
  bool quasilinear = true;
  int coarse_block = 0;
};

struct InitialValue {
  int variable = 0;
  std::vector<int> orders;  // derivatives whose values, or guesses for them, are needed
};

struct ConstraintOrders {
  int equation = 0;
  std::vector<int> orders;  // derivatives of the equation that the initial values must satisfy
};

// What is solved in one stage of the solution scheme for one block.
struct StageBlock {
  int block = 0;
  std::vector<std::pair<int, int>> equations;  // (equation, order of differentiation)
  std::vector<std::pair<int, int>> unknowns;   // (variable, order of derivative)
  bool is_linear = true;
};

struct Stage {
  int k = 0;
  std::vector<StageBlock> blocks;
};

struct JacobianCheck {
  enum class Status : std::uint8_t { kRegular, kSingular, kNotEvaluated };
  Status status = Status::kNotEvaluated;
  double condition = 0;              // largest condition number of a block; at the best point tried
  std::vector<int> singular_blocks;  // positions in Analysis::blocks
};

// J_ij = df_i / dx_j^(d_j - c_i) where that derivative occurs in f_i.
struct SystemJacobianEntry {
  int equation = 0, variable = 0;
  int order = 0;     // d_j - c_i
  std::string text;  // the derivative
  double value = 0;  // at the point; not a number where it is undefined
};

// A change of the equations that keeps the solutions and makes the system Jacobian regular.
struct Repair {
  enum class Method : std::uint8_t { kLinearCombination, kExpressionSubstitution, kAugmentation };
  Method method = Method::kLinearCombination;
  std::string description;  // in the user's names
};

struct Part {
  std::vector<int> equations, variables;
};

// Dulmage-Mendelsohn: which part has too few equations, too many, or as many as unknowns.
struct Diagnosis {
  Part under, well, over;
};

// What was analyzed, in the user's words.
struct AnalyzedModel {
  std::string model;
  std::vector<std::string> equations, variables;
  std::vector<std::string> inputs, outputs;  // names of those of the model
  std::vector<std::string> equation_texts;
  std::vector<std::string> equation_places;        // "tank.mo:14:3"; empty for models built in C++
  std::vector<std::pair<std::string, bool>> mode;  // relations of the model and the truth assumed
};

// What the signature matrix alone says.
struct StructuralAnalysis {
  bool well_posed = false;
  std::vector<SignatureEntry> signature;
  std::vector<int> transversal;         // variable of equation i
  std::vector<int> second_transversal;  // another one of the same value; empty if there is none
  std::vector<int> c, d;                // global offsets
  int index = 0;
  int degrees_of_freedom = 0;
  std::vector<AnalyzedBlock> blocks;
  std::vector<InitialValue> initial_values;
  std::vector<ConstraintOrders> constraints;
  std::vector<Stage> stages;          // k = -max d .. 0
  std::vector<int> differentiations;  // of each equation, by Pantelides' algorithm
};

struct Analysis : AnalyzedModel, StructuralAnalysis {
  JacobianCheck jacobian;
  std::vector<SystemJacobianEntry> system_jacobian;  // row by row, if it was asked for
  bool is_at_point = false;                          // AnalyzeOptions::point was given
  std::vector<MovedStart> moved;                     // AnalyzeOptions::moved
  std::vector<Repair> repairs;
  Diagnosis diagnosis;
  Diagnostics diagnostics;

  bool succeeded() const {
    return well_posed && jacobian.status != JacobianCheck::Status::kSingular;
  }
};

Analysis analyze(const Model& model, const AnalyzeOptions& options = {});

// The switches of a model as text, in the order of AnalyzeOptions::mode, and their truth at the
// start values.
std::vector<std::string> relation_texts(const Model& model);
std::vector<bool> start_mode(const Model& model);

// The steps of an algorithm, as a course would write them on the board (Broman 2010).
enum class Trace : std::uint8_t {
  kMatching,    // equations with highest derivatives
  kBlt,         // blocks by Tarjan's algorithm
  kPantelides,  // which equations are differentiated
  kDummy,       // which derivatives become algebraic unknowns
};
std::string trace(const Model& model, Trace algorithm, const AnalyzeOptions& options = {});

enum class SchemeDetail : std::uint8_t { kNone, kCompact, kFull };

std::string to_text(const Analysis& analysis, SchemeDetail scheme = SchemeDetail::kCompact);
std::string to_json(const Analysis& analysis);
// The signature matrix in block order with transversal, offsets and blocks.
std::string to_svg(const Analysis& analysis);

}  // namespace hydae
