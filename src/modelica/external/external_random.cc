// The random number generators of the standard library: the xorshift family (Vigna 2014), with the
// state as 32-bit integers, low half first. A number x of 64 bits, taken as signed, becomes
// x/2^64 + 1/2.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "modelica/expressions/constant_folding.h"
#include "modelica/external/native_calls.h"
#include "modelica/external/native_functions.h"
#include "modelica/flat/flat.h"

namespace hydae::modelica::native {

namespace {

using Words = std::vector<std::uint64_t>;

Words read_words(std::span<const double> halves) {
  Words words(halves.size() / 2);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto half = [&](std::size_t k) {
      return static_cast<std::uint64_t>(
          static_cast<std::uint32_t>(static_cast<std::int64_t>(std::llround(halves[k]))));
    };
    words[i] = half(2 * i) | half(2 * i + 1) << 32;
  }
  return words;
}

void write_words(const Words& words, std::span<double> halves) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    halves[2 * i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(words[i]));
    halves[2 * i + 1] = static_cast<std::int32_t>(static_cast<std::uint32_t>(words[i] >> 32));
  }
}

double uniform(std::uint64_t x) {
  return static_cast<double>(static_cast<std::int64_t>(x)) * 0x1p-64 + 0.5;
}

// The state behind the result: out[0] is the number.

void xorshift64star(std::span<const double> in, std::span<double> out) {
  std::uint64_t x = read_words(in)[0];
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  x *= 2685821657736338717U;
  out[0] = uniform(x);
  write_words({x}, out.subspan(1));
}

void xorshift128plus(std::span<const double> in, std::span<double> out) {
  Words s = read_words(in);
  std::uint64_t a = s[0];
  const std::uint64_t b = s[1];
  a ^= a << 23;
  s[0] = b;
  s[1] = (a ^ b ^ (a >> 17) ^ (b >> 26)) + b;
  out[0] = uniform(s[1]);
  write_words(s, out.subspan(1));
}

void xorshift1024star(std::span<const double> in, std::span<double> out) {
  constexpr std::size_t kWords = 16;
  Words s = read_words(in.first(2 * kWords));
  const auto last = static_cast<std::size_t>(std::llround(in[2 * kWords])) % kWords;
  const std::size_t next = (last + 1) % kWords;
  std::uint64_t a = s[next], b = s[last];
  a ^= a << 31;
  a ^= a >> 11;
  b ^= b >> 30;
  s[next] = a ^ b;
  out[0] = uniform(s[next] * 1181783497276652981U);
  write_words(s, out.subspan(1));
  out[1 + 2 * kWords] = static_cast<double>(next);
}

}  // namespace

std::optional<Function> find_generator(const std::string& name) {
  struct Generator {
    const char* name;
    void (*next)(std::span<const double>, std::span<double>);
    int num_states;
  };
  static constexpr Generator kAll[] = {{"xorshift64star", xorshift64star, 2},
                                       {"xorshift128plus", xorshift128plus, 4},
                                       {"xorshift1024star", xorshift1024star, 33}};
  for (const Generator& generator : kAll) {
    if (name != generator.name) continue;
    Function function;
    function.name = name;
    function.num_inputs = generator.num_states;
    function.num_outputs = generator.num_states + 1;
    function.evaluate = generator.next;
    return function;
  }
  return std::nullopt;
}

namespace {

std::vector<Value> random(const Call& call, const std::string& name) {
  const Value& state = call.inputs[0];
  const Function function = *find_generator(name);
  if (state.type != BaseType::kInteger ||
      state.cells.size() != static_cast<std::size_t>(function.num_inputs))
    call.session.fail("size-mismatch", "the state of the random number generator has a wrong size",
                      call.range);
  const std::vector<NodeId> cells = call_native(call.session, function, state.cells);
  Value next = state;
  next.cells.assign(cells.begin() + 1, cells.end());
  return {next, Value::scalar_of(BaseType::kReal, cells.front())};
}

}  // namespace

std::vector<Value> random_64(const Call& call) { return random(call, "xorshift64star"); }

std::vector<Value> random_128(const Call& call) { return random(call, "xorshift128plus"); }

std::vector<Value> random_1024(const Call& call) { return random(call, "xorshift1024star"); }

}  // namespace hydae::modelica::native
