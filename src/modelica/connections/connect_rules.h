// What may be connected with what (Modelica 3.6, 4.6, 9.1 and 9.3), beside the shape of connectors:
// causality, variability and quantity agree, a set of signals has one source, a connector has as
// many flows as potentials.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "modelica/classes/instance.h"

namespace hydae::modelica {

class Session;

// Its connector, or one around that, is expandable: what is connected tells what it is.
bool is_bus_element(Session& session, const Component& component);
// Both are scalars or arrays of them.
void check_connected(Session& session, Component& a, Component& b, SourceRange range);
// As many flows as potentials (9.3.1). Records that are overdetermined count otherwise.
void check_connector_balance(Session& session, const Instance& connector);

// Who writes the signals that connections join. Each class has sets of its own: its inputs are
// sources for what is inside of it, the outputs of its components are, too.
class SignalSets {
 public:
  struct End {
    const Component* component;
    NodeId cell;
    bool is_outside;  // a connector of the class itself
  };
  void join(const End& a, const End& b, SourceRange range);
  void check(Session& session);

 private:
  struct Member {
    End end;
    std::size_t parent;
    SourceRange range;
  };
  std::size_t place(const End& end, SourceRange range);
  std::size_t find(std::size_t place);

  std::vector<Member> members_;
  std::unordered_map<std::uint64_t, std::size_t> place_of_;
};

}  // namespace hydae::modelica
