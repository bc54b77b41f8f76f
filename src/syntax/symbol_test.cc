#include "syntax/symbol.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>

namespace hydae::syntax {
namespace {

TEST(SymbolTable, equal_spellings_are_one_symbol_and_quotes_count) {
  SymbolTable table;
  EXPECT_EQ(table.intern("x"), table.intern(std::string("x")));
  EXPECT_NE(table.intern("x"), table.intern("'x'"));
  EXPECT_EQ(table.text(table.intern("'x'")), "'x'");
  EXPECT_EQ(table.size(), 2u);
}

TEST(SymbolTable, find_does_not_intern) {
  SymbolTable table;
  EXPECT_FALSE(table.find("x").is_valid());
  EXPECT_EQ(table.size(), 0u);
  const Symbol x = table.intern("x");
  EXPECT_EQ(table.find("x"), x);
}

TEST(SymbolTable, texts_stay_where_they_are_while_the_table_grows) {
  SymbolTable table;
  const Symbol first = table.intern("first");
  const char* address = table.text(first).data();
  for (int i = 0; i < 100000; ++i) table.intern("name" + std::to_string(i));
  EXPECT_EQ(table.text(first).data(), address);
  EXPECT_EQ(table.size(), 100001u);
  EXPECT_EQ(table.text(table.find("name99999")), "name99999");
}

TEST(SymbolTable, threads_agree_on_every_symbol) {
  constexpr int kNames = 20000;
  SymbolTable table;
  std::vector<Symbol> forward(kNames), backward(kNames);
  std::thread other([&] {
    for (int i = kNames; i-- > 0;) backward[i] = table.intern("v" + std::to_string(i));
  });
  for (int i = 0; i < kNames; ++i) forward[i] = table.intern("v" + std::to_string(i));
  other.join();
  EXPECT_EQ(forward, backward);
  EXPECT_EQ(table.size(), std::size_t{kNames});
}

}  // namespace
}  // namespace hydae::syntax
