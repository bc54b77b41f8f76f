#include "modelica/expressions/value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <hydae/message.h>

#include "base/check.h"

namespace hydae::modelica {

const char* base_type_name(BaseType type) {
  switch (type) {
    case BaseType::kReal: return "Real";
    case BaseType::kInteger: return "Integer";
    case BaseType::kBoolean: return "Boolean";
    case BaseType::kString: return "String";
    case BaseType::kEnumeration: return "enumeration";
    case BaseType::kRecord: return "record";
    case BaseType::kExternalObject: return "external object";
    case BaseType::kFunction: return "function";
    case BaseType::kTuple: return "several results";
  }
  return "";
}

std::int64_t num_elements(const Sizes& sizes) {
  std::int64_t product = 1;
  for (const int size : sizes) product *= size;
  return product;
}

void fail_no_element(std::size_t index, std::size_t size) {
  throw WrongValue(size == 0 ? "this value has no elements"
                             : fmt::format("element {} of {} is needed here", index + 1, size));
}

NodeId Value::scalar() const {
  if (!is_scalar() || !has_cells() || cells.size() != 1)
    throw WrongValue(fmt::format("a single number is needed here, not {}", type_text(*this)));
  return cells.front();
}

const std::string& Value::text() const {
  if (has_placeholder(message()))
    throw WrongValue("a text that changes during the simulation can only be a message");
  return strings.front();
}

const std::string& Value::message() const {
  if (!is_scalar() || type != BaseType::kString)
    throw WrongValue(fmt::format("a String is needed here, not {}", type_text(*this)));
  return strings.front();
}

bool has_same_type(const Value& a, const Value& b) {
  if (a.is_numeric() && b.is_numeric()) return true;
  if (a.type != b.type) return false;
  return a.type != BaseType::kEnumeration || a.enumeration == b.enumeration ||
         (a.enumeration != nullptr && b.enumeration != nullptr && *a.enumeration == *b.enumeration);
}

const Value* Value::field(Symbol name) const {
  for (const Field& field : fields)
    if (field.name == name) return field.value.get();
  return nullptr;
}

Value Value::scalar_of(BaseType type, NodeId cell) {
  Value value;
  value.type = type;
  value.cells.push_back(cell);
  return value;
}

Value Value::string(std::string text) {
  Value value;
  value.type = BaseType::kString;
  value.strings.push_back(std::move(text));
  return value;
}

Value Value::array_of(BaseType type, Sizes sizes, std::vector<NodeId> cells) {
  Value value;
  value.type = type;
  value.sizes = std::move(sizes);
  value.cells = std::move(cells);
  return value;
}

std::string sizes_text(const Sizes& sizes) {
  return sizes.empty() ? "" : fmt::format("[{}]", fmt::join(sizes, ", "));
}

std::string type_text(const Value& value) {
  const std::string base = value.type == BaseType::kEnumeration && value.enumeration != nullptr
                               ? value.enumeration->name
                               : base_type_name(value.type);
  return base + sizes_text(value.sizes);
}

namespace {

// The cells, strings and fields of `value` are described by the same walk: `copy(n)` says which
// blocks of `n` consecutive scalars are taken over.
template <class Take>
Value map_blocks(const Value& value, Sizes sizes, std::size_t num_prefix, Take take) {
  Value out;
  out.type = value.type;
  out.enumeration = value.enumeration;
  out.record = value.record;
  out.object = value.object;
  out.function = value.function;
  if (num_prefix > value.sizes.size())
    throw WrongValue(fmt::format("{} has too few dimensions", type_text(value)));
  const Sizes rest(value.sizes.begin() + static_cast<std::ptrdiff_t>(num_prefix),
                   value.sizes.end());
  sizes.insert(sizes.end(), rest.begin(), rest.end());
  out.sizes = std::move(sizes);
  const std::int64_t block = num_elements(rest);
  const auto count = static_cast<std::size_t>(num_elements(value.sizes));
  const bool is_text = value.type == BaseType::kString;
  if ((value.has_cells() && value.cells.size() != count) ||
      (is_text && value.strings.size() != count))
    throw WrongValue(fmt::format("{} has parts of different types", type_text(value)));
  if (value.has_cells()) take(value.cells, out.cells, block);
  if (is_text) take(value.strings, out.strings, block);
  return out;
}

}  // namespace

Value element_at(const Value& value, std::size_t num_prefix, std::int64_t linear) {
  Value out = map_blocks(value, {}, num_prefix, [&](const auto& from, auto& to, std::int64_t n) {
    const auto first = from.begin() + linear * n;
    to.assign(first, first + n);
  });
  for (const Field& field : value.fields)
    out.fields.push_back(
        {field.name, std::make_shared<Value>(element_at(*field.value, num_prefix, linear))});
  return out;
}

namespace {

// Row-major positions, within the leading dimensions `sizes`, that `choices` name, in order.
std::vector<std::int64_t> chosen_positions(const Sizes& sizes, const std::vector<Choice>& choices) {
  std::vector<std::int64_t> positions = {0};
  for (std::size_t d = 0; d < choices.size(); ++d) {
    std::vector<std::int64_t> next;
    next.reserve(positions.size() * choices[d].indices.size());
    for (const std::int64_t position : positions)
      for (const int index : choices[d].indices) next.push_back(position * sizes[d] + index);
    positions = std::move(next);
  }
  return positions;
}

Sizes chosen_sizes(const std::vector<Choice>& choices) {
  Sizes sizes;
  for (const Choice& choice : choices)
    if (!choice.is_scalar) sizes.push_back(static_cast<int>(choice.indices.size()));
  return sizes;
}

Value choose_positions(const Value& value, std::size_t num_prefix, const Sizes& sizes,
                       const std::vector<std::int64_t>& positions) {
  Value out = map_blocks(value, sizes, num_prefix, [&](const auto& from, auto& to, std::int64_t n) {
    to.reserve(positions.size() * static_cast<std::size_t>(n));
    for (const std::int64_t p : positions)
      to.insert(to.end(), from.begin() + p * n, from.begin() + (p + 1) * n);
  });
  for (const Field& field : value.fields)
    out.fields.push_back({field.name, std::make_shared<Value>(choose_positions(
                                          *field.value, num_prefix, sizes, positions))});
  return out;
}

void assign_positions(Value& whole, const std::vector<std::int64_t>& positions, std::int64_t block,
                      const Value& part) {
  for (std::size_t k = 0; k < positions.size(); ++k)
    for (std::int64_t i = 0; i < block; ++i) {
      const auto to = static_cast<std::size_t>(positions[k] * block + i);
      const auto from = k * static_cast<std::size_t>(block) + static_cast<std::size_t>(i);
      if (whole.has_cells())
        whole.cells[to] = part.cells[from];
      else if (whole.type == BaseType::kString)
        whole.strings[to] = part.strings[from];
    }
}

}  // namespace

Value choose(const Value& value, const std::vector<Choice>& choices) {
  HYDAE_CHECK(choices.size() <= value.sizes.size());
  return choose_positions(value, choices.size(), chosen_sizes(choices),
                          chosen_positions(value.sizes, choices));
}

void assign(Value& whole, const std::vector<Choice>& choices, const Value& part) {
  HYDAE_CHECK(choices.size() <= whole.sizes.size());
  const std::vector<std::int64_t> positions = chosen_positions(whole.sizes, choices);
  const std::int64_t block = num_elements(
      Sizes(whole.sizes.begin() + static_cast<std::ptrdiff_t>(choices.size()), whole.sizes.end()));
  assign_positions(whole, positions, block, part);
  for (Field& field : whole.fields) {
    const Value* source = part.field(field.name);
    if (source == nullptr) continue;
    Value copy = *field.value;
    assign(copy, choices, *source);
    field.value = std::make_shared<Value>(std::move(copy));
  }
}

void reshape_front(Value& value, const Sizes& front) {
  if (value.sizes.empty()) throw WrongValue("an array is needed here");
  value.sizes.erase(value.sizes.begin());
  value.sizes.insert(value.sizes.begin(), front.begin(), front.end());
  for (Field& field : value.fields) {
    Value copy = *field.value;
    reshape_front(copy, front);
    field.value = std::make_shared<Value>(std::move(copy));
  }
}

Value stack(const std::vector<Value>& items, const Value& empty) {
  const Value& model = items.empty() ? empty : items.front();
  for (const Value& item : items)
    if (item.sizes != model.sizes || (!has_same_type(item, model) && num_elements(item.sizes) > 0))
      throw WrongValue(fmt::format("the elements of an array differ: {} and {}", type_text(model),
                                   type_text(item)));
  Value out;
  out.type = model.type;
  out.enumeration = model.enumeration;
  out.record = model.record;
  out.object = model.object;
  out.sizes = model.sizes;
  out.sizes.insert(out.sizes.begin(), static_cast<int>(items.size()));
  for (const Value& item : items) {
    if (item.type == BaseType::kReal && out.type == BaseType::kInteger) out.type = BaseType::kReal;
    out.cells.insert(out.cells.end(), item.cells.begin(), item.cells.end());
    out.strings.insert(out.strings.end(), item.strings.begin(), item.strings.end());
  }
  for (const Field& field : model.fields) {
    std::vector<Value> parts;
    for (const Value& item : items)
      if (const Value* part = item.field(field.name)) parts.push_back(*part);
    if (parts.size() != items.size()) throw WrongValue("the elements of an array differ");
    out.fields.push_back({field.name, std::make_shared<Value>(stack(parts, *field.value))});
  }
  return out;
}

}  // namespace hydae::modelica
