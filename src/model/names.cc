// The names of a model: one namespace for variables, parameters and aliases. The table holds
// numbers only; each name is stored once, in its own object.
#include <hydae/model_content.h>

namespace hydae {
namespace {

constexpr std::uint64_t kEmpty = ~std::uint64_t{0};

std::size_t first_slot(std::string_view name, std::size_t mask) {
  return (std::hash<std::string_view>()(name) * std::uint64_t{0x9e3779b97f4a7c15} >> 20) & mask;
}

const std::string& name_of(const ModelContent& model, NameTable::Named named) {
  using Named = NameTable::Named;
  switch (named.kind) {
    case Named::Kind::kVariable: return model.all_variables()[VarId(named.index)].name;
    case Named::Kind::kParameter: return model.parameters()[ParamId(named.index)].name;
    case Named::Kind::kAlias: break;
  }
  return model.aliases()[named.index].name;
}

}  // namespace

std::optional<NameTable::Named> NameTable::find(const ModelContent& model,
                                                std::string_view name) const {
  if (entries_.empty()) return {};
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t slot = first_slot(name, mask); entries_[slot] != kEmpty;
       slot = (slot + 1) & mask) {
    const Named named{static_cast<Named::Kind>(entries_[slot] >> 32),
                      static_cast<std::uint32_t>(entries_[slot])};
    if (name_of(model, named) == name) return named;
  }
  return {};
}

void NameTable::add(const ModelContent& model, Named named) {
  const auto put = [&](std::uint64_t entry) {
    const Named item{static_cast<Named::Kind>(entry >> 32), static_cast<std::uint32_t>(entry)};
    const std::size_t mask = entries_.size() - 1;
    std::size_t slot = first_slot(name_of(model, item), mask);
    while (entries_[slot] != kEmpty) slot = (slot + 1) & mask;
    entries_[slot] = entry;
  };
  if (2 * (num_names_ + 1) > entries_.size()) {
    std::vector<std::uint64_t> old(entries_.empty() ? 16 : 2 * entries_.size(), kEmpty);
    old.swap(entries_);
    for (std::uint64_t entry : old)
      if (entry != kEmpty) put(entry);
  }
  put(static_cast<std::uint64_t>(named.kind) << 32 | named.index);
  ++num_names_;
}

}  // namespace hydae
