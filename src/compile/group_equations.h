// The equations of one group of an initial system as a numerical problem: residuals and Jacobians
// of its rows by its columns, everything else held. The problems that are made refer to this
// object.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compile/initial_system.h"
#include "expr/jacobian.h"
#include "init/problem.h"

namespace hydae {

struct PointSettings {
  double time = 0;
  std::vector<double> parameters;
  bool wants_closest_point = true;  // false: any solution will do, which is quicker
};

class GroupEquations {
 public:
  // `values`, by column of the system, are read when a group is selected.
  GroupEquations(const InitialSystem& system, PointSettings settings,
                 const std::vector<double>& values);

  // The group that the problems are about from now on.
  void select(const InitialGroup& group);
  bool has_homotopy() const { return has_homotopy_; }
  // What the first function that failed since then said; empty if none did.
  const std::string& code_failure() const { return code_failure_; }

  init::Problem problem();
  // Places and values of the Jacobian, rows and columns counted in the group.
  std::vector<Eigen::Triplet<double>> jacobian_entries(const init::Vector& x);
  // lambda is that of the homotopy operator.
  init::ParametricProblem homotopy_problem();
  // lambda is whatever `settings` makes of it.
  init::ParametricProblem parametric_problem(std::function<PointSettings(double lambda)> settings);

 private:
  using SetParameter = std::function<void(double lambda)>;

  // Values by leaf of the evaluator, and where those of the free columns go.
  struct LeafValues {
    void assign(std::span<const Leaf> leaves, std::span<const Leaf> free,
                const std::function<double(Leaf)>& value);
    void set_free(const init::Vector& x);

    std::vector<double> values;
    std::vector<std::pair<std::size_t, std::size_t>> places;  // column of the group, leaf
  };

  double value_of(Leaf leaf) const;
  double value_before(Leaf leaf) const;  // under pre()
  init::Unknowns unknowns() const;
  init::Equations equations() const;
  bool is_dense() const;
  init::ParametricProblem make_parametric(SetParameter set);
  Point point_at(const init::Vector& x);
  void residual(const init::Vector& x, init::Vector& f);
  void dense_jacobian(const init::Vector& x, init::DenseMatrix& J);
  void sparse_jacobian(const init::Vector& x, init::Matrix& J);

  const InitialSystem& system_;
  PointSettings settings_;
  std::function<PointSettings(double lambda)> settings_at_;
  std::optional<double> lambda_;  // that settings_ belong to
  double homotopy_ = 1;
  const std::vector<double>& values_;
  LeafValues current_, pre_;
  std::vector<double> given_;
  const InitialGroup* group_ = nullptr;
  bool has_homotopy_ = false;
  std::string code_failure_;
  std::optional<Evaluator> evaluator_;
  std::optional<Jacobian> jacobian_;
};

}  // namespace hydae
