#include <algorithm>
#include <bit>

#include <hydae/error.h>
#include <hydae/node_store.h>

#include "base/check.h"

namespace hydae {
namespace {

constexpr std::uint32_t kEmpty = 0xffffffff;
constexpr std::size_t kFirstTableSize = 256;

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 32);
}

}  // namespace

NodeStore::NodeStore() : table_(kFirstTableSize, kEmpty) {}

NodeStore::NodeStore(std::shared_ptr<const NodeStore> base)
    : base_(std::move(base)), first_(base_->size()), table_(kFirstTableSize, kEmpty) {}

bool NodeStore::extends(const NodeStore& other) const {
  return this == &other || (base_ && base_->extends(other));
}

double NodeStore::constant_value(NodeId id) const {
  const Cell& cell = this->cell(id);
  HYDAE_CHECK(cell.op == Op::kConstant);
  return std::bit_cast<double>(static_cast<std::uint64_t>(cell.operands[0].index()) |
                               static_cast<std::uint64_t>(cell.operands[1].index()) << 32);
}

Leaf NodeStore::leaf_of(NodeId id) const {
  const Cell& cell = this->cell(id);
  HYDAE_CHECK(cell.op == Op::kVariable || cell.op == Op::kPre);
  return {VarId(cell.operands[0].index()), static_cast<int>(cell.operands[1].index())};
}

std::span<const NodeId> NodeStore::operands(NodeId id) const {
  const Cell& cell = this->cell(id);
  if (is_call(cell.op)) {
    const NodeStore& owner = home(id);
    return owner.arguments(owner.calls_[cell.operands[0].index()]);
  }
  return {cell.operands, static_cast<std::size_t>(num_operands(cell.op))};
}

std::span<const NodeId> NodeStore::instant_operands(NodeId id) const {
  return op(id) == Op::kDelay ? operands(id).subspan(1) : operands(id);
}

Node NodeStore::node(NodeId id) const {
  const Cell& cell = this->cell(id);
  Node node;
  node.op = cell.op;
  if (cell.op == Op::kConstant) {
    node.value = constant_value(id);
    node.is_boolean = cell.flag != 0;
  } else if (cell.op == Op::kVariable || cell.op == Op::kPre) {
    node.variable = leaf_of(id).variable;
    node.order = leaf_of(id).order;
  } else if (cell.op == Op::kParameter) {
    node.parameter = ParamId(cell.operands[0].index());
  } else if (is_call(cell.op)) {
    const Call& call = home(id).calls_[cell.operands[0].index()];
    node.function = call.function;
    node.output = call.output;
    node.input = call.input;
    node.second_input = call.second_input;
    node.arguments = operands(id);
  } else {
    node.silent = cell.flag != 0;
    node.a = cell.operands[0];
    node.b = cell.operands[1];
    node.c = cell.operands[2];
  }
  return node;
}

NodeId NodeStore::intern_call(Op op, Call call, std::span<const NodeId> arguments) {
  for (NodeId argument : arguments) check_operand(argument);
  const std::vector<NodeId> copy(arguments.begin(), arguments.end());  // may be our own memory
  call.first = static_cast<std::uint32_t>(arguments_.size());
  call.count = static_cast<std::uint32_t>(copy.size());
  arguments_.insert(arguments_.end(), copy.begin(), copy.end());
  calls_.push_back(call);
  const std::size_t size_before = size();
  const NodeId id = intern({op, 0, {NodeId(calls_.size() - 1), {}, {}}});
  if (size() == size_before) {  // known already
    calls_.pop_back();
    arguments_.resize(call.first);
  }
  return id;
}

bool NodeStore::is_held_between_events(VarId variable) const {
  const std::size_t index = variable.index();
  if (index < held_between_events_.size() && held_between_events_[index]) return true;
  return base_ && base_->is_held_between_events(variable);
}

// What the base has learned after the extension was made does not count.
NodeId NodeStore::known_derivative(NodeId id) const {
  const std::size_t index = id.index();
  if (index < time_derivative_.size() && time_derivative_[index].is_valid())
    return time_derivative_[index];
  if (index >= first_) return {};
  const NodeId known = base_->known_derivative(id);
  return known.is_valid() && known.index() < first_ ? known : NodeId();
}

void NodeStore::remember_derivative(NodeId id, NodeId derivative) {
  if (id.index() >= time_derivative_.size()) time_derivative_.resize(size());
  time_derivative_[id.index()] = derivative;
}

std::uint64_t NodeStore::hash(const Cell& cell) const {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(cell.op), cell.flag);
  if (is_call(cell.op)) {
    const Call& call = calls_[cell.operands[0].index()];
    hash = mix(hash, static_cast<std::uint64_t>(call.function.index()) << 32 | call.count);
    hash = mix(hash, static_cast<std::uint64_t>(call.output) << 32 |
                         static_cast<std::uint32_t>(call.input * 31 + call.second_input));
    for (std::uint32_t i = 0; i < call.count; ++i)
      hash = mix(hash, arguments_[call.first + i].index());
    return hash;
  }
  std::uint64_t a = cell.operands[0].index(), b = cell.operands[1].index();
  if (is_commutative(cell.op) && b < a) std::swap(a, b);
  return mix(mix(hash, a << 32 | b), cell.operands[2].index());
}

bool NodeStore::same(const Cell& own, const Cell& other, const NodeStore& store) const {
  if (own.op != other.op || own.flag != other.flag) return false;
  const auto &x = own.operands, &y = other.operands;
  if (is_call(own.op)) {
    const Call &a = calls_[x[0].index()], &b = store.calls_[y[0].index()];
    return a.function == b.function && a.output == b.output && a.input == b.input &&
           a.second_input == b.second_input && std::ranges::equal(arguments(a), store.arguments(b));
  }
  if (x[2] != y[2]) return false;
  return (x[0] == y[0] && x[1] == y[1]) || (is_commutative(own.op) && x[0] == y[1] && x[1] == y[0]);
}

NodeId NodeStore::find(const Cell& cell, std::uint64_t hash, const NodeStore& store) const {
  const std::size_t mask = table_.size() - 1;
  for (std::size_t slot = hash & mask; table_[slot] != kEmpty; slot = (slot + 1) & mask)
    if (same(cells_[table_[slot] - first_], cell, store)) return NodeId(table_[slot]);
  if (!base_) return {};
  const NodeId id = base_->find(cell, hash, store);
  return id.is_valid() && id.index() < first_ ? id : NodeId();
}

NodeId NodeStore::intern(const Cell& cell) {
  const std::uint64_t hash = this->hash(cell);
  if (const NodeId known = find(cell, hash, *this); known.is_valid()) return known;
  if (is_frozen_) throw InternalError("a new node in an expression graph that is shared");
  if (size() == kEmpty) throw Error("an expression graph holds at most 4294967295 nodes");
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash & mask;
  while (table_[slot] != kEmpty) slot = (slot + 1) & mask;
  table_[slot] = static_cast<std::uint32_t>(size());
  cells_.push_back(cell);
  if (2 * cells_.size() > table_.size()) grow_table();
  return NodeId(size() - 1);
}

void NodeStore::grow_table() {
  table_.assign(2 * table_.size(), kEmpty);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    std::size_t slot = hash(cells_[i]) & mask;
    while (table_[slot] != kEmpty) slot = (slot + 1) & mask;
    table_[slot] = static_cast<std::uint32_t>(first_ + i);
  }
}

void NodeStore::check_operand(NodeId id) const { HYDAE_CHECK(id.index() < size()); }

}  // namespace hydae
