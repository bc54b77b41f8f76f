// The names of a model: one namespace for variables, parameters and aliases. The table holds
// numbers only; each name is stored once, in its own object.
#include <fmt/format.h>

#include <hydae/error.h>
#include <hydae/model.h>

namespace hydae {
namespace {

constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

std::size_t first_slot(std::string_view name, std::size_t mask) {
  return (std::hash<std::string_view>()(name) * std::uint64_t{0x9e3779b97f4a7c15} >> 20) & mask;
}

}  // namespace

const std::string& Model::name_of(Named named) const {
  switch (named.kind) {
    case Named::Kind::kVariable: return variables_[VarId(named.index)].name;
    case Named::Kind::kParameter: return parameters_[ParamId(named.index)].name;
    case Named::Kind::kAlias: break;
  }
  return aliases_[named.index].name;
}

std::optional<Model::Named> Model::find(std::string_view name) const {
  if (name_table_.empty()) return {};
  const std::size_t mask = name_table_.size() - 1;
  for (std::size_t slot = first_slot(name, mask); name_table_[slot] != kEmpty;
       slot = (slot + 1) & mask) {
    const Named named{static_cast<Named::Kind>(name_table_[slot] >> 32),
                      static_cast<std::uint32_t>(name_table_[slot])};
    if (name_of(named) == name) return named;
  }
  return {};
}

void Model::add_name(Named named) {
  const auto put = [this](std::uint64_t entry) {
    const Named item{static_cast<Named::Kind>(entry >> 32), static_cast<std::uint32_t>(entry)};
    const std::size_t mask = name_table_.size() - 1;
    std::size_t slot = first_slot(name_of(item), mask);
    while (name_table_[slot] != kEmpty) slot = (slot + 1) & mask;
    name_table_[slot] = entry;
  };
  if (2 * (num_names_ + 1) > name_table_.size()) {
    std::vector<std::uint64_t> old(name_table_.empty() ? 16 : 2 * name_table_.size(), kEmpty);
    old.swap(name_table_);
    for (std::uint64_t entry : old)
      if (entry != kEmpty) put(entry);
  }
  put(static_cast<std::uint64_t>(named.kind) << 32 | named.index);
  ++num_names_;
}

void Model::check_new_name(const std::string& name, const char* what) const {
  if (name.empty()) throw UsageError(fmt::format("a {} must have a name", what));
  const std::optional<Named> known = find(name);
  if (!known) return;
  constexpr const char* kKinds[] = {"a variable", "a parameter", "an alias"};
  throw UsageError(fmt::format("{} {}: there is {} of this name", what, quoted(name),
                               kKinds[static_cast<int>(known->kind)]));
}

std::optional<VarId> Model::find_variable(const std::string& name) const {
  const std::optional<Named> named = find(name);
  if (!named || named->kind != Named::Kind::kVariable) return {};
  return VarId(named->index);
}

std::optional<ParamId> Model::find_parameter(const std::string& name) const {
  const std::optional<Named> named = find(name);
  if (!named || named->kind != Named::Kind::kParameter) return {};
  return ParamId(named->index);
}

const Alias* Model::find_alias(const std::string& name) const {
  const std::optional<Named> named = find(name);
  return named && named->kind == Named::Kind::kAlias ? &aliases_[named->index] : nullptr;
}

}  // namespace hydae
