// What connections join: sets of scalars, each seen from inside or outside of its connector.
// Potentials need no sides: an equation for each connection that joins two sets.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "modelica/flat/flat.h"

namespace hydae::modelica {

struct ConnectionOrigin {
  const Instance* instance = nullptr;
  SourceRange source;
};

class ConnectionSets {
 public:
  enum class Kind : std::uint8_t { kPotential, kFlow, kStream };
  struct Terminal {
    NodeId cell;
    bool is_outside;
  };
  struct Member : Terminal {
    std::size_t leader;  // on the way to it
    Kind kind = Kind::kPotential;
    ConnectionOrigin origin{};
  };
  using Places = std::vector<std::size_t>;

  void join(Terminal a, Terminal b, Kind kind, const ConnectionOrigin& origin);
  // A flow that counts even if nothing is connected.
  void add_flow(NodeId cell, const ConnectionOrigin& origin);
  // An equation that a connection means beside those of the sets.
  void add_equation(const FlatEquation& equation) { potentials_.push_back(equation); }

  const Member& operator[](std::size_t place) const { return members_[place]; }
  std::optional<std::size_t> find_place(Terminal terminal) const;
  std::size_t leader_of(std::size_t place);
  // By leading place, oldest first.
  std::map<std::size_t, Places> sets_of(Kind kind);
  std::vector<FlatEquation> take_potentials() { return std::move(potentials_); }

 private:
  std::size_t place_of(Terminal terminal);

  std::vector<Member> members_;
  std::unordered_map<std::uint64_t, std::size_t> place_of_;
  std::vector<FlatEquation> potentials_;
};

}  // namespace hydae::modelica
