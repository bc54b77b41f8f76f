#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include <hydae/error.h>
#include <hydae/trajectory.h>

namespace hydae {
namespace {

Trajectory small() {
  Trajectory t({{"x", "m", "position"}, {"der(x,2)", "", ""}, {"a.b[1]", "", ""}});
  t.add_row(0.0, std::vector<double>{1.0, 0.1, -2.0});
  t.add_row(0.5, std::vector<double>{0.3333333333333333, 1e-300, 3.0});
  return t;
}

TEST(Trajectory, csv_reads_back_the_same_doubles_and_quotes_names_with_commas) {
  EXPECT_EQ(to_csv(small()),
            "time,x,\"der(x,2)\",a.b[1]\n"
            "0,1,0.1,-2\n"
            "0.5,0.3333333333333333,1e-300,3\n");
}

TEST(Trajectory, patterns_select_columns) {
  const std::vector<std::string> patterns = {"a.*", "x"};
  const Trajectory selected = small().selected(patterns);
  ASSERT_EQ(selected.columns().size(), 2u);
  EXPECT_EQ(selected.columns()[0].name, "x");
  EXPECT_EQ(selected.columns()[1].name, "a.b[1]");
  EXPECT_EQ(selected.series("a.b[1]"), (std::vector<double>{-2, 3}));
}

TEST(Trajectory, a_missing_name_is_said) {
  try {
    small().series("y");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "the trajectory has no `y`");
  }
}

TEST(Trajectory, numbers_that_json_has_not_become_null) {
  Trajectory t({{"x", "", ""}});
  t.add_row(0.0, std::vector<double>{std::nan("")});
  EXPECT_EQ(to_json(t),
            "{\"time\":[0.0],\"variables\":{\"x\":{\"unit\":\"\",\"values\":[null]}}}\n");
}

TEST(Trajectory, mat_file_starts_with_its_class_and_ends_with_the_last_value) {
  const std::string bytes = to_mat(small());
  std::int32_t header[5];
  std::memcpy(header, bytes.data(), sizeof header);
  EXPECT_EQ(header[0], 51);  // text
  EXPECT_EQ(header[1], 4);   // rows
  EXPECT_EQ(header[4], 7);   // "Aclass" and its NUL
  EXPECT_STREQ(bytes.data() + sizeof header, "Aclass");
  double last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - sizeof last, sizeof last);
  EXPECT_EQ(last, 3.0);
}

}  // namespace
}  // namespace hydae
