#include <gtest/gtest.h>

#include <hydae/text_format.h>

namespace hydae {
namespace {

using Kind = TextFormat::Kind;

TEST(TextFormat, writes_six_significant_digits_unless_told_otherwise) {
  EXPECT_EQ(to_text(3.14159265, {}), "3.14159");
  EXPECT_EQ(to_text(1e-20, {}), "1e-20");
  EXPECT_EQ(to_text(3.14159265, {.significant_digits = 3}), "3.14");
}

TEST(TextFormat, fills_up_to_the_minimum_length_on_the_right_side) {
  EXPECT_EQ(to_text(7, {.kind = Kind::kInteger, .minimum_length = 3}), "7  ");
  EXPECT_EQ(to_text(7, {.kind = Kind::kInteger, .minimum_length = 3, .is_left_justified = false}),
            "  7");
  EXPECT_EQ(to_text(1, {.kind = Kind::kBoolean, .minimum_length = 2}), "true");
}

TEST(TextFormat, names_the_literal_of_an_enumeration) {
  EXPECT_EQ(to_text(2, {.kind = Kind::kEnumeration, .literals = {"low", "high"}}), "high");
}

TEST(TextFormat, follows_formats_of_c) {
  EXPECT_EQ(to_text(2.5, {.c_format = "8.3f"}), "   2.500");
  EXPECT_EQ(to_text(255, {.kind = Kind::kInteger, .c_format = "-6x"}), "ff    ");
}

// What reaches printf is one conversion of a number, of bounded length.
TEST(TextFormat, refuses_other_formats) {
  EXPECT_EQ(checked_c_format("%6.3f", Kind::kReal), "6.3f");
  EXPECT_EQ(checked_c_format("d", Kind::kInteger), "d");
  for (const char* given : {"", "%", "s", "n", "%n%n", "*d", "5", "99999f", ".99999999999e", "lf"})
    EXPECT_EQ(checked_c_format(given, Kind::kReal), std::nullopt) << given;
  EXPECT_EQ(checked_c_format("d", Kind::kReal), std::nullopt);
}

}  // namespace
}  // namespace hydae
