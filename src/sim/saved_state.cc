#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include <hydae/error.h>

#include "sim/saved_content.h"

namespace hydae {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "hydae state";

// --- to text
// --------------------------------------------------------------------------------------

// JSON has no infinite numbers.
Json number_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json numbers_json(std::span<const double> values) {
  Json list = Json::array();
  for (double value : values) list.push_back(number_json(value));
  return list;
}

Json named_json(const NamedNumbers& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = number_json(value);
  return object;
}

Json piece_json(const PastPiece& piece) {
  const auto& [start, end, origin, scale, coefficients, is_ahead] = piece;
  return {{"start", number_json(start)},
          {"end", number_json(end)},
          {"origin", number_json(origin)},
          {"scale", number_json(scale)},
          {"coefficients", numbers_json(coefficients)},
          {"is_ahead", is_ahead}};
}

template <class Pieces>
Json pieces_json(const Pieces& pieces) {
  Json list = Json::array();
  for (const PastPiece& piece : pieces) list.push_back(piece_json(piece));
  return list;
}

Json side_values_json(const SideValues& values) {
  return {{"variable", values.variable.index()},
          {"negative", number_json(values.negative)},
          {"positive", number_json(values.positive)}};
}

Json hold_json(const PinnedGuard& pin) {
  const auto& [surface, row, sign, free_side, memories, follows] = pin;
  Json object = {{"surface", surface}, {"sign", sign}, {"free_side", free_side}};
  if (row) object["row"] = row->index();
  if (follows) object["follows"] = {follows->surface, follows->is_opposite};
  Json& list = object["memories"] = Json::array();
  for (const SideValues& values : memories) list.push_back(side_values_json(values));
  return object;
}

// The names are listed so that a new one is not forgotten: it does not compile.
Json guards_json(const GuardMemory& guards) {
  const auto& [all_sizes, known_zeros, residues, noise, scales, is_given, others, lengths] = guards;
  Json sizes = Json::array(), other_guards = Json::array();
  for (const auto& [relation, other] : others)
    other_guards.push_back({{"relation", relation},
                            {"is_gap", other.is_gap},
                            {"is_seen", other.is_seen},
                            {"sizes", numbers_json(other.sizes)},
                            {"scale", number_json(other.scale)}});
  for (const auto& size : all_sizes) sizes.push_back(numbers_json(size));
  return {{"sizes", std::move(sizes)},          {"known_zeros", known_zeros},
          {"residues", numbers_json(residues)}, {"noise", numbers_json(noise)},
          {"scales", numbers_json(scales)},     {"is_given", is_given},
          {"lengths", numbers_json(lengths)},   {"others", std::move(other_guards)}};
}

Json zeno_json(const ZenoWatch& zeno) {
  Json kinds = Json::array();
  for (const auto& [relations, history] : zeno.histories()) {
    Json events = Json::array();
    for (const ZenoWatch::Event& event : history.events)
      events.push_back({{"t", number_json(event.t)}, {"state", numbers_json(event.state)}});
    kinds.push_back({{"relations", relations},
                     {"count", history.count},
                     {"since", number_json(history.since)},
                     {"events", std::move(events)}});
  }
  return {{"kinds", std::move(kinds)}, {"last", zeno.last()}};
}

Json state_json(const SavedContent& content) {
  const HybridState& state = content.state;
  // A new member is to be saved, too.
  [[maybe_unused]] const auto& [t, point, scales, uses_bdf, last_step, bits, held, discrete,
                                conditions, pasts, pieces, guards, zeno, kinds, reset,
                                is_terminated] = state;
  Json switches = Json::array(), pins = Json::array(), histories = Json::array();
  for (std::size_t k = 0; k < state.switches.bits.size(); ++k)
    switches.push_back({{"relation", k < content.relations.size() ? content.relations[k] : ""},
                        {"is_true", static_cast<bool>(state.switches.bits[k])}});
  for (const PinnedGuard& pin : state.pins) pins.push_back(hold_json(pin));
  for (const History& history : state.histories) histories.push_back(pieces_json(history.pieces()));
  Json resets = Json::array();
  for (VarId variable : state.resets) resets.push_back(variable.index());
  Json contact_kinds = Json::array();
  for (ContactKind kind : state.contact_kinds) contact_kinds.push_back(static_cast<int>(kind));
  return {{"point", named_json(content.point)},
          {"discrete", named_json(content.discrete)},
          {"switches", std::move(switches)},
          {"counts", numbers_json(state.switches.counts)},
          {"holds", std::move(pins)},
          {"conditions", state.conditions},
          {"histories", std::move(histories)},
          {"pieces", pieces_json(state.pieces)},
          {"guards", guards_json(state.guards)},
          {"accumulation", zeno_json(state.zeno)},
          {"contact_kinds", std::move(contact_kinds)},
          {"resets", std::move(resets)},
          {"last_step", number_json(state.last_step)},
          {"uses_bdf", state.uses_bdf},
          {"is_terminated", state.is_terminated},
          {"scales", numbers_json(state.scales)}};
}

// --- from text
// ------------------------------------------------------------------------------------

double number_of_json(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  if (text == "inf") return infinity;
  if (text == "-inf") return -infinity;
  throw UsageError(fmt::format("`{}` is not a number", text));
}

std::vector<double> numbers_of(const Json& json) {
  std::vector<double> values;
  for (const Json& value : json) values.push_back(number_of_json(value));
  return values;
}

NamedNumbers named_of(const Json& json) {
  NamedNumbers values;
  for (const auto& [name, value] : json.items()) values.emplace_back(name, number_of_json(value));
  return values;
}

template <class Pieces>
Pieces read_pieces(const Json& json) {
  Pieces pieces;
  for (const Json& piece : json)
    pieces.push_back({number_of_json(piece.at("start")), number_of_json(piece.at("end")),
                      number_of_json(piece.at("origin")), number_of_json(piece.at("scale")),
                      numbers_of(piece.at("coefficients")), piece.at("is_ahead").get<bool>()});
  return pieces;
}

PinnedGuard hold_of(const Json& json) {
  PinnedGuard pin;
  pin.surface = json.at("surface").get<std::size_t>();
  pin.sign = json.at("sign").get<int>();
  pin.free_side = json.at("free_side").get<int>();
  if (json.contains("row")) pin.row = EqId(json.at("row").get<std::size_t>());
  if (json.contains("follows"))
    pin.follows = {json["follows"].at(0).get<std::size_t>(), json["follows"].at(1).get<bool>()};
  for (const Json& values : json.at("memories"))
    pin.memories.push_back({VarId(values.at("variable").get<std::size_t>()),
                            number_of_json(values.at("negative")),
                            number_of_json(values.at("positive"))});
  return pin;
}

GuardMemory guards_of(const Json& json) {
  GuardMemory guards;
  for (const Json& size : json.at("sizes")) guards.sizes.push_back(numbers_of(size));
  guards.known_zeros = json.at("known_zeros").get<std::vector<int>>();
  guards.residues = numbers_of(json.at("residues"));
  guards.noise = numbers_of(json.at("noise"));
  guards.scales = numbers_of(json.at("scales"));
  guards.is_given = json.at("is_given").get<std::vector<bool>>();
  guards.lengths = numbers_of(json.at("lengths"));
  for (const Json& other : json.value("others", Json::array()))
    guards.others[other.at("relation").get<std::size_t>()] = {
        other.at("is_gap").get<bool>(), other.at("is_seen").get<bool>(),
        numbers_of(other.at("sizes")), number_of_json(other.at("scale"))};
  return guards;
}

ZenoWatch zeno_of(const Json& json) {
  ZenoWatch::Histories histories;
  for (const Json& kind : json.at("kinds")) {
    auto& history = histories[kind.at("relations").get<std::vector<std::size_t>>()];
    history.count = kind.at("count").get<long>();
    history.since = number_of_json(kind.at("since"));
    for (const Json& event : kind.at("events"))
      history.events.push_back({number_of_json(event.at("t")), numbers_of(event.at("state"))});
  }
  ZenoWatch zeno;
  zeno.restore(std::move(histories), json.at("last").get<std::vector<std::size_t>>());
  return zeno;
}

void read_state(const Json& json, SavedContent& content) {
  HybridState& state = content.state;
  content.point = named_of(json.at("point"));
  content.discrete = named_of(json.at("discrete"));
  for (const auto& [name, value] : content.point) state.point.push_back(value);
  for (const Json& given : json.at("switches")) {
    content.relations.push_back(given.at("relation").get<std::string>());
    state.switches.bits.push_back(given.at("is_true").get<bool>());
  }
  state.switches.counts = numbers_of(json.at("counts"));
  for (const Json& pin : json.at("holds")) state.pins.push_back(hold_of(pin));
  state.conditions = json.at("conditions").get<std::vector<bool>>();
  for (const Json& history : json.at("histories"))
    state.histories.emplace_back(read_pieces<std::deque<PastPiece>>(history));
  state.pieces = read_pieces<std::vector<PastPiece>>(json.at("pieces"));
  state.guards = guards_of(json.at("guards"));
  state.zeno = zeno_of(json.at("accumulation"));
  for (const Json& kind : json.value("contact_kinds", Json::array()))
    state.contact_kinds.push_back(static_cast<ContactKind>(std::clamp(kind.get<int>(), 0, 4)));
  for (const Json& reset : json.at("resets"))
    state.resets.push_back(VarId(reset.get<std::size_t>()));
  state.last_step = number_of_json(json.at("last_step"));
  state.scales = numbers_of(json.at("scales"));
  state.uses_bdf = json.at("uses_bdf").get<bool>();
  state.is_terminated = json.at("is_terminated").get<bool>();
}

void read_settings(const Json& json, SavedContent& content) {
  content.start = number_of_json(json.at("start"));
  content.tolerance = number_of_json(json.at("tolerance"));
  if (!json.at("atol").is_null()) content.atol = number_of_json(json.at("atol"));
  content.order = json.at("order").get<int>();
  content.fixed_starts = named_of(json.at("fixed_starts"));
  const std::string solver = json.at("solver").get<std::string>();
  for (const Solver known : {Solver::kAuto, Solver::kTaylor, Solver::kIda})
    if (solver == solver_name(known)) content.solver = known;
}

}  // namespace

namespace {

// Of what is saved, in whatever layout (FNV-1a, 64 bits; Fowler, Noll and Vo 1991): a digit that
// was damaged would be a value like any other.
std::string checksum(const Json& json) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : json.dump()) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

SavedState::SavedState(std::shared_ptr<const SavedContent> content)
    : content_(std::move(content)) {}

const std::string& SavedState::model() const { return content_->model; }
double SavedState::time() const { return content_->state.t; }

std::string SavedState::to_text() const {
  const SavedContent& content = *content_;
  Json json = {{"format", kFormat},
               {"version", SavedContent::kVersion},
               {"model", content.model},
               {"fingerprint", fmt::format("{:016x}", content.fingerprint)},
               {"time", number_json(content.state.t)},
               {"settings",
                {{"start", number_json(content.start)},
                 {"tolerance", number_json(content.tolerance)},
                 {"atol", content.atol ? number_json(*content.atol) : Json()},
                 {"order", content.order},
                 {"solver", solver_name(content.solver)},
                 {"fixed_starts", named_json(content.fixed_starts)}}},
               {"parameters", named_json(content.parameters)},
               {"state", state_json(content)}};
  json["checksum"] = checksum(json);
  return json.dump(1) + "\n";
}

SavedState SavedState::from_text(const std::string& text, const std::string& origin) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  const auto entry = [&](const char* name) {
    return json.is_object() ? json.value(name, Json()) : Json();
  };
  const Json version = entry("version");
  if (entry("format") != kFormat || !version.is_number_integer())
    throw UsageError(fmt::format("{} is not a state that hydae has saved", origin));
  if (version != SavedContent::kVersion)
    throw UsageError(fmt::format("{} has version {} of the format of states; this is version {}",
                                 origin, version.dump(), SavedContent::kVersion));
  const Json written = json.value("checksum", Json());
  json.erase("checksum");
  if (written != checksum(json))
    throw UsageError(fmt::format("{} is damaged: its content does not fit its checksum", origin));
  auto content = std::make_shared<SavedContent>();
  try {
    content->origin = origin;
    content->model = json.at("model").get<std::string>();
    content->fingerprint = std::stoull(json.at("fingerprint").get<std::string>(), nullptr, 16);
    content->state.t = number_of_json(json.at("time"));
    content->parameters = named_of(json.at("parameters"));
    read_settings(json.at("settings"), *content);
    read_state(json.at("state"), *content);
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("{} is damaged: {}", origin, error.what()));
  }
  return SavedState(std::move(content));
}

}  // namespace hydae
