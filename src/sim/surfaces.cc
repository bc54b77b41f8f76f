// The sides of surfaces, in the bits of their relations.
#include <algorithm>
#include <set>

#include "expr/walk.h"
#include "sim/hybrid_model.h"

namespace hydae {

void HybridModel::set_side(std::size_t surface, int side, std::vector<bool>& bits) const {
  for (const auto& [relation, sign] : surfaces_[surface].relations)
    bits[relation] = relations_[relation].truth(sign * side);
}

int HybridModel::side_of(std::size_t surface, const std::vector<bool>& bits) const {
  for (int side : {1, -1}) {
    const bool agrees =
        std::all_of(surfaces_[surface].relations.begin(), surfaces_[surface].relations.end(),
                    [&](const Surface::Side& s) {
                      return bits[s.relation] == relations_[s.relation].truth(s.sign * side);
                    });
    if (agrees) return side;
  }
  return 0;
}

std::vector<std::size_t> HybridModel::surfaces_below(NodeId root) const {
  std::set<std::size_t> surfaces;
  Walk walk;
  for (NodeId id : walk.order(graph(), root)) {
    if (graph().op(id) != Op::kParameter) continue;
    const std::size_t slot = graph().node(id).parameter.index();
    if (bit_slot(0) <= slot && slot < bit_slot(relations_.size()))
      surfaces.insert(surface_of_[slot - bit_slot(0)]);
  }
  return {surfaces.begin(), surfaces.end()};
}

}  // namespace hydae
