#include <gtest/gtest.h>

#include <hydae/diagnostic.h>

namespace hydae {
namespace {

TEST(Diagnostic, shows_place_code_marked_text_and_help) {
  SourceSet sources;
  const SourceId id = sources.add("tank.mo", "model Plant\n  Valve v;\nend Plant;\n");
  Diagnostics diagnostics;
  Diagnostic& d = diagnostics.error("unbalanced-model",
                                    "model `Plant` has 5 unknowns but 4 equations", {id, 14, 21});
  d.label = "nothing determines `v.flow`";
  d.help = "connect `v.inlet`";
  EXPECT_EQ(render(diagnostics, &sources),
            "tank.mo:2:3: error: model `Plant` has 5 unknowns but 4 equations [unbalanced-model]\n"
            "    2 |   Valve v;\n"
            "      |   ^^^^^^^ nothing determines `v.flow`\n"
            "   help: connect `v.inlet`\n");
}

TEST(Diagnostic, columns_count_code_points_not_bytes) {
  SourceSet sources;
  const SourceId id = sources.add("a.mo", "\xC3\xA4\xC3\xB6 x\n");  // two letters of two bytes
  EXPECT_EQ(sources.locate(id, 5).column, 4);
}

TEST(Diagnostic, an_empty_source_and_an_offset_past_its_end_are_located) {
  SourceSet sources;
  const SourceId id = sources.add("empty.mo", "");
  EXPECT_EQ(sources.place({id, 7, 9}), "empty.mo:1:1");
  EXPECT_EQ(sources.line_text(id, 7), "");
  EXPECT_EQ(sources.text({id, 7, 9}), "");
}

TEST(Diagnostic, a_view_of_a_short_text_outlives_later_additions) {
  SourceSet sources;
  const SourceId id = sources.add("a.mo", "x");
  const char* address = sources.text(id).data();
  for (int i = 0; i < 100; ++i) sources.add("b.mo", "y");
  EXPECT_EQ(sources.text(id).data(), address);
}

TEST(Diagnostic, lists_names_and_counts_the_rest) {
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  EXPECT_EQ(quoted_list(names), "`a`, `b`, `c`, `d` and `e`");
  EXPECT_EQ(quoted_list(names, 2), "`a`, `b` and 3 more");
  const std::vector<std::string> long_ones = {std::string(1000, 'x')};
  EXPECT_EQ(quoted_list(long_ones), "`" + std::string(160, 'x') + " ...`");
}

TEST(Diagnostic, suggests_names_one_typing_error_away) {
  const std::vector<std::string> names = {"velocity", "volume", "flow", "velocty2"};
  EXPECT_EQ(nearest_names("velocty", names), (std::vector<std::string>{"velocity", "velocty2"}));
  EXPECT_TRUE(nearest_names("pressure", names).empty());
  // Two neighbours swapped are one error, also in a short name.
  EXPECT_EQ(nearest_names("folw", names), (std::vector<std::string>{"flow"}));
}

TEST(Diagnostic, suggests_names_that_have_letters_in_common_large_or_small) {
  const std::vector<std::string> names = {"M", "C", "k1", "Real"};
  EXPECT_TRUE(nearest_names("q", names).empty());
  EXPECT_EQ(nearest_names("m", names), std::vector<std::string>{"M"});
  EXPECT_EQ(nearest_names("k", names), std::vector<std::string>{"k1"});
  EXPECT_EQ(nearest_names("reeal", names), std::vector<std::string>{"Real"});
}

}  // namespace
}  // namespace hydae
