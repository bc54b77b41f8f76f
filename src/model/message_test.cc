#include <array>
#include <gtest/gtest.h>

#include <hydae/message.h>

namespace hydae {
namespace {

TEST(Message, shows_its_numbers_where_they_were_written) {
  TextFormat level;
  level.kind = TextFormat::Kind::kEnumeration;
  level.literals = {"low", "high"};
  const std::string text = "level " + message_placeholder(NodeId(7), {}) + " is " +
                           message_placeholder(NodeId(3), level);
  const Message message = parse_message(text);
  EXPECT_EQ(message.text, "level  is ");
  ASSERT_EQ(message.numbers.size(), 2u);
  EXPECT_EQ(message.numbers[0].value, NodeId(7));
  EXPECT_EQ(message_text(message, std::array{0.5, 2.0}), "level 0.5 is high");
}

TEST(Message, keeps_the_format) {
  TextFormat format;
  format.c_format = "8.3f";
  const Message message = parse_message(message_placeholder(NodeId(0), format) + "m");
  EXPECT_EQ(message_text(message, std::array{2.5}), "   2.500m");
}

TEST(Message, without_numbers_is_its_text) {
  EXPECT_FALSE(has_placeholder("plain"));
  for (const char* text : {"plain", "\x01", "\x01zzz\x02", ""})
    EXPECT_EQ(message_text(parse_message(text), {}), text);
}

}  // namespace
}  // namespace hydae
