#include "modelica/connections/connection_graph.h"

#include <gtest/gtest.h>
#include <random>

namespace hydae::modelica {
namespace {

using Kind = ConnectionGraph::Fault::Kind;

TEST(ConnectionGraph, breaks_the_connection_that_closes_a_loop) {
  // 0 -branch- 1 - 2 -branch- 3, and 3 back to 0.
  ConnectionGraph graph;
  for (int i = 0; i < 4; ++i) graph.add_node();
  graph.add_root(0);
  graph.add_branch(0, 1, {});
  graph.add_branch(2, 3, {});
  graph.add_connection(1, 2);
  graph.add_connection(3, 0);
  EXPECT_FALSE(graph.solve());
  EXPECT_FALSE(graph.is_broken(0));
  EXPECT_TRUE(graph.is_broken(1));
  EXPECT_EQ(graph.is_rooted(0), true);
  EXPECT_EQ(graph.is_rooted(2), true);          // depth 2, its other end 3
  EXPECT_EQ(graph.is_rooted(1), std::nullopt);  // no branch begins there
}

TEST(ConnectionGraph, keeps_two_roots_apart) {
  ConnectionGraph graph;
  for (int i = 0; i < 3; ++i) graph.add_node();
  graph.add_root(0);
  graph.add_root(2);
  graph.add_connection(0, 1);
  graph.add_connection(1, 2);
  EXPECT_FALSE(graph.solve());
  EXPECT_FALSE(graph.is_broken(0));
  EXPECT_TRUE(graph.is_broken(1));
}

TEST(ConnectionGraph, takes_the_potential_root_of_lowest_priority_number) {
  ConnectionGraph graph;
  for (int i = 0; i < 3; ++i) graph.add_node();
  graph.add_potential_root(0, 2);
  graph.add_potential_root(1, 1);
  graph.add_potential_root(2, 1);
  graph.add_connection(0, 1);
  graph.add_connection(1, 2);
  EXPECT_FALSE(graph.solve());
  EXPECT_FALSE(graph.is_root(0));
  EXPECT_TRUE(graph.is_root(1));
  EXPECT_FALSE(graph.is_root(2));
}

TEST(ConnectionGraph, needs_a_root_and_branches_without_loops) {
  ConnectionGraph without_root;
  without_root.add_node();
  EXPECT_EQ(without_root.solve()->kind, Kind::kNoRoot);

  ConnectionGraph loop;
  for (int i = 0; i < 2; ++i) loop.add_node();
  loop.add_root(0);
  loop.add_branch(0, 1, {});
  loop.add_branch(1, 0, {});
  EXPECT_EQ(loop.solve()->kind, Kind::kBranchLoop);

  ConnectionGraph two_roots;
  for (int i = 0; i < 2; ++i) two_roots.add_node();
  two_roots.add_root(0);
  two_roots.add_root(1);
  two_roots.add_branch(0, 1, {});
  EXPECT_EQ(two_roots.solve()->kind, Kind::kTwoRoots);
}

// What is kept must be a forest with one root in each tree: as many kept edges as nodes without
// roots, and every node reached from a root.
TEST(ConnectionGraph, keeps_a_forest_with_one_root_in_each_tree) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 300; ++trial) {
    const int n = 2 + static_cast<int>(random() % 12);
    ConnectionGraph graph;
    for (int i = 0; i < n; ++i) graph.add_node();
    for (int i = 0; i < n; ++i) graph.add_potential_root(i, static_cast<int>(random() % 3));
    std::vector<std::pair<int, int>> edges;
    for (int k = 0; k < 2 * n; ++k) {
      const int a = static_cast<int>(random() % n), b = static_cast<int>(random() % n);
      if (a == b) continue;
      edges.push_back({a, b});
      graph.add_connection(a, b);
    }
    ASSERT_FALSE(graph.solve());
    std::vector<int> roots_of(n, 0), tree(n);
    for (int i = 0; i < n; ++i) tree[i] = i;
    int num_kept = 0, num_roots = 0;
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (graph.is_broken(k)) continue;
      ++num_kept;
      const int from = tree[edges[k].first], to = tree[edges[k].second];
      ASSERT_NE(from, to) << "a loop is kept";
      for (int& leader : tree)
        if (leader == from) leader = to;
    }
    for (int i = 0; i < n; ++i) {
      num_roots += graph.is_root(i);
      roots_of[tree[i]] += graph.is_root(i);
    }
    EXPECT_EQ(num_kept + num_roots, n);
    for (int i = 0; i < n; ++i) EXPECT_EQ(roots_of[tree[i]], 1);
  }
}

}  // namespace
}  // namespace hydae::modelica
