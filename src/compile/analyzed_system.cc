#include "compile/analyzed_system.h"

#include "compile/jacobian_repair.h"
#include "compile/quasilinear.h"

namespace hydae {
namespace {

class Preparation {
 public:
  Preparation(const System& system, const PrepareOptions& options)
      : options_(options), space_(*system.model, system.table) {}

  AnalyzedSystem run(System system) {
    result_.system = std::move(system);
    analyze_structure();
    if (result_.structure.is_well_posed && options_.check_jacobian) {
      check_jacobian();
      while (is_singular() && options_.repair && repair_once()) check_jacobian();
    }
    if (result_.structure.is_well_posed)
      result_.nonlinear = nonlinear_equations(result_.system, result_.structure);
    return std::move(result_);
  }

 private:
  void analyze_structure() {
    result_.sigma = signature_of(result_.system);
    result_.structure = structure::analyze(result_.sigma);
  }

  void check_jacobian() {
    result_.jacobian = sample_jacobian(result_.system, result_.sigma, result_.structure, space_);
  }

  bool is_singular() const {
    return result_.jacobian.is_evaluated() && !result_.jacobian.singular_blocks.empty();
  }

  // A repair lowers the structural degrees of freedom; one that does not is taken back.
  bool repair_once() {
    const System before = result_.system;
    const std::int64_t dof = result_.structure.dof;
    std::optional<Repair> done;
    for (const SingularBlock& block : result_.jacobian.singular_blocks)
      if ((done = repair(result_.system, result_.structure, block, result_.jacobian.points))) break;
    if (!done) return false;
    analyze_structure();
    if (result_.structure.is_well_posed && result_.structure.dof < dof) {
      result_.repairs.push_back(*done);
      return true;
    }
    result_.system = before;
    analyze_structure();
    return false;
  }

  PrepareOptions options_;
  SampleSpace space_;
  AnalyzedSystem result_;
};

}  // namespace

AnalyzedSystem analyze_system(System system, const PrepareOptions& options) {
  return Preparation(system, options).run(std::move(system));
}

AnalyzedSystem analyze_system(const Model& model, const std::vector<bool>& mode,
                              const PrepareOptions& options) {
  return analyze_system(make_system(model, mode), options);
}

}  // namespace hydae
