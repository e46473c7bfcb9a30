// std::set and std::list, whose nodes the runtime links in place of libstdc++, beside sorted vectors.
#include <algorithm>
#include <cstdlib>
#include <list>
#include <random>
#include <set>
#include <vector>

namespace {

using Node = std::_Rb_tree_node_base;

void require(bool holds) {
  if (!holds) std::abort();
}

/// The number of black nodes on each path to a leaf.
int black_height(const Node* node) {
  if (node == nullptr) return 1;
  const int left = black_height(node->_M_left);
  require(left == black_height(node->_M_right));
  for (const Node* child : {node->_M_left, node->_M_right}) {
    if (child == nullptr) continue;
    require(child->_M_parent == node);
    require(node->_M_color == std::_S_black || child->_M_color == std::_S_black);
  }
  return left + (node->_M_color == std::_S_black ? 1 : 0);
}

template <class Container>
void require_same(const Container& container, const std::vector<int>& expected) {
  require(std::equal(container.begin(), container.end(), expected.begin(), expected.end()));
  require(std::equal(container.rbegin(), container.rend(), expected.rbegin(), expected.rend()));
}

void compare_sets(std::mt19937& random) {
  std::set<int> set;
  std::vector<int> sorted;
  const unsigned range = 1 + random() % 40;
  for (int i = 0; i < 200; ++i) {
    const int value = static_cast<int>(random() % range);
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
    const bool has = place != sorted.end() && *place == value;
    if (random() % 2 == 0) {
      require(set.insert(value).second != has);
      if (!has) sorted.insert(place, value);
    } else {
      require((set.erase(value) == 1) == has);
      if (has) sorted.erase(place);
    }
    require_same(set, sorted);
    black_height(set.end()._M_node->_M_parent);
  }
}

void compare_lists(std::mt19937& random) {
  std::list<int> list, other_list;
  std::vector<int> elements, others;
  for (int i = 0; i < 150; ++i) {
    switch (random() % 8) {
      case 0:
        list.push_back(i);
        elements.push_back(i);
        break;
      case 1:
        list.push_front(i);
        elements.insert(elements.begin(), i);
        break;
      case 2:
        other_list.push_back(i);
        others.push_back(i);
        break;
      case 3:
        if (elements.empty()) break;
        list.pop_front();
        elements.erase(elements.begin());
        break;
      case 4:
        list.reverse();
        std::reverse(elements.begin(), elements.end());
        break;
      case 5:
        list.swap(other_list);
        elements.swap(others);
        break;
      case 6: {
        const auto at = static_cast<std::ptrdiff_t>(random() % (elements.size() + 1));
        list.splice(std::next(list.begin(), at), other_list);
        elements.insert(elements.begin() + at, others.begin(), others.end());
        others.clear();
        break;
      }
      default: list.sort(); std::sort(elements.begin(), elements.end());
    }
    require_same(list, elements);
    require_same(other_list, others);
  }
}

}  // namespace

int main() {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    compare_sets(random);
    compare_lists(random);
  }
}
