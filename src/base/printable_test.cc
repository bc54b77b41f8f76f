#include "base/printable.h"

#include <gtest/gtest.h>

namespace hydae {
namespace {

TEST(Printable, plain_text_and_signs_beyond_ascii_stay) {
  EXPECT_EQ(printable("kg.m2/s\tq\n"), "kg.m2/s\tq\n");
  EXPECT_EQ(printable_line("\xc2\xb5m, \xe2\x84\xa6, \xf0\x9d\x9c\x91"),
            "\xc2\xb5m, \xe2\x84\xa6, \xf0\x9d\x9c\x91");
}

TEST(Printable, what_a_terminal_obeys_is_written_out) {
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable("a\rb\x7f"), "a\\x0db\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\x9b2J");  // the one-character CSI, in UTF-8
  EXPECT_EQ(printable("\x9b"
                      "2J"),
            "\\x9b2J");  // and as a byte
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a\\u202eb");  // right-to-left override
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Printable, bytes_that_are_no_utf8_are_written_out) {
  EXPECT_EQ(printable("\xc3("), "\\xc3(");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");           // cut off
}

TEST(Printable, a_line_stays_a_line) {
  EXPECT_EQ(printable_line("V\n!touch x\n#"), "V\\n!touch x\\n#");
}

TEST(XmlText, markup_is_shown_and_not_obeyed) {
  EXPECT_EQ(xml_text("<a b=\"c\">&"), "&lt;a b=&quot;c&quot;&gt;&amp;");
}

}  // namespace
}  // namespace hydae
