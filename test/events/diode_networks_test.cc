// Random networks of ideal elements against a complementarity stepping of their own.
#include <cstdlib>
#include <gtest/gtest.h>

#include "test/events/diode_network.h"
#include "test/events/text_cases.h"

namespace hydae {
namespace {

using networks::Network, networks::Stepping, networks::Text;

constexpr double kEndOfNetwork = 1.5;
constexpr int kSteps = 3000;

struct Reference {
  Eigen::VectorXd value;
  double error = 0;
};

// Implicit Euler with two steps: the difference is about the error of the better one, and
// extrapolation leaves a part of it where a switch falls between two points.
std::optional<Reference> reference_of(const Network& net) {
  const auto coarse = Stepping(net).run(kEndOfNetwork, kSteps),
             fine = Stepping(net).run(kEndOfNetwork, 2 * kSteps);
  if (!coarse || !fine) return std::nullopt;
  const double change = coarse->size() == 0 ? 0 : (*fine - *coarse).cwiseAbs().maxCoeff();
  return Reference{2 * *fine - *coarse, change};
}

void compare(const Network& net, const Reference& reference, int form, Solver solver,
             double tolerance) {
  const Text text = networks::write_text(net, form);
  SCOPED_TRACE(testing::Message() << "form " << form << ", solver " << static_cast<int>(solver)
                                  << ", tolerance " << tolerance << "\n"
                                  << text.model);
  const Simulation run =
      simulate_text({"network", text.model, kEndOfNetwork, {}}, solver, tolerance);
  ASSERT_TRUE(run.summary.succeeded()) << run.summary.message;
  for (std::size_t k = 0; k < text.states.size(); ++k)
    EXPECT_NEAR(run.trajectory.series(text.states[k]).back(),
                reference.value[static_cast<Eigen::Index>(k)],
                2e-3 + 2 * reference.error + 100 * tolerance)
        << text.states[k];
}

// HYDAE_NETWORKS=N in the environment: that many seeds instead of a few, from HYDAE_NETWORKS_SEED
// on.
TEST(DiodeNetworks, have_the_curves_of_the_complementarity_problem_in_every_form) {
  const char* wanted = std::getenv("HYDAE_NETWORKS");
  const unsigned num_seeds = wanted != nullptr ? static_cast<unsigned>(std::stoul(wanted)) : 12;
  const char* from = std::getenv("HYDAE_NETWORKS_SEED");
  const unsigned first = from != nullptr ? static_cast<unsigned>(std::stoul(from)) : 1;
  for (unsigned seed = first; seed < first + num_seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Network net = networks::rounded(networks::random_network(seed));
    const auto reference = reference_of(net);
    ASSERT_TRUE(reference);
    for (int form = 0; form < networks::kNumForms; ++form)
      compare(net, *reference, form, Solver::kTaylor, 1e-6);
    const int form = static_cast<int>(seed) % networks::kNumForms;
    for (const double tolerance : {1e-4, 1e-9}) {
      compare(net, *reference, form, Solver::kTaylor, tolerance);
      compare(net, *reference, form, Solver::kIda, tolerance);
    }
  }
}

}  // namespace
}  // namespace hydae
