// What std::list, std::map and std::set do in libstdc++ itself: linking nodes. The library is not instrumented, so
// these functions are defined here for the program, with the same effect on nodes of the same layout, and report each
// link that they read or write. Trees: Cormen et al., Introduction to Algorithms, ch. 13; the header's parent is the
// root, its left and right are the first and the last node.
#include <type_traits>

#include "runtime/library/library_call.hpp"

using namespace mazurka::runtime;

namespace {

/// Reads and writes links, and reports that.
class Links {
 public:
  explicit Links(const LibraryCall& call) : call_(call) {}

  template <class T>
  T get(const T& place) const {
    call_.reads(&place, kBytes<T>);
    return place;
  }
  template <class T>
  void set(T& place, T value) const {
    call_.writes(&place, kBytes<T>);
    place = value;
  }

 private:
  template <class T>
  static constexpr std::size_t kBytes = std::is_pointer_v<T> ? sizeof(void*) : sizeof(int);

  const LibraryCall& call_;
};

// Lists ---------------------------------------------------------------------------------------------------------------

struct ListNode {
  ListNode* next;
  ListNode* previous;
};

void join(const Links& links, ListNode* first, ListNode* second) {
  links.set(first->next, second);
  links.set(second->previous, first);
}

/// Moves [first, last) before `position`.
void transfer(const Links& links, ListNode* position, ListNode* first, ListNode* last) {
  if (position == last) return;
  ListNode* const before_first = links.get(first->previous);
  ListNode* const before_last = links.get(last->previous);
  ListNode* const before_position = links.get(position->previous);
  join(links, before_first, last);
  join(links, before_position, first);
  join(links, before_last, position);
}

// Trees ---------------------------------------------------------------------------------------------------------------

enum Colour : int { kRed, kBlack };
struct TreeNode {
  Colour colour;
  TreeNode* parent;
  TreeNode* left;
  TreeNode* right;
};
using Side = TreeNode* TreeNode::*;
constexpr Side opposite(Side side) { return side == &TreeNode::left ? &TreeNode::right : &TreeNode::left; }

class Tree {
 public:
  Tree(const LibraryCall& call, TreeNode& header) : links_(call), header_(header) {}

  void insert(bool left, TreeNode* node, TreeNode* parent) {
    links_.set(node->parent, parent);
    links_.set(node->left, none());
    links_.set(node->right, none());
    links_.set(node->colour, kRed);
    if (left) {
      links_.set(parent->left, node);  // also the first, if the parent is the header
      if (parent == &header_) {
        links_.set(header_.parent, node);
        links_.set(header_.right, node);
      } else if (links_.get(header_.left) == parent) {
        links_.set(header_.left, node);
      }
    } else {
      links_.set(parent->right, node);
      if (links_.get(header_.right) == parent) links_.set(header_.right, node);
    }
    while (node != root() && is_red(links_.get(node->parent))) {
      parent = links_.get(node->parent);
      TreeNode* const grandparent = links_.get(parent->parent);
      const Side side = side_of(parent, grandparent);
      TreeNode* const uncle = links_.get(grandparent->*opposite(side));
      if (is_red(uncle)) {
        links_.set(parent->colour, kBlack);
        links_.set(uncle->colour, kBlack);
        links_.set(grandparent->colour, kRed);
        node = grandparent;
        continue;
      }
      if (side_of(node, parent) != side) {
        node = parent;
        rotate(node, side);
      }
      parent = links_.get(node->parent);
      links_.set(parent->colour, kBlack);
      links_.set(grandparent->colour, kRed);
      rotate(grandparent, opposite(side));
    }
    links_.set(root()->colour, kBlack);
  }

  void erase(TreeNode* node) {
    if (links_.get(header_.left) == node) links_.set(header_.left, neighbour(node, &TreeNode::right));
    if (links_.get(header_.right) == node) links_.set(header_.right, neighbour(node, &TreeNode::left));
    TreeNode* const left = links_.get(node->left);
    TreeNode* const right = links_.get(node->right);
    TreeNode* moved = nullptr;   // takes the place that becomes free
    TreeNode* parent = nullptr;  // of that place
    Colour lost = links_.get(node->colour);
    if (left == nullptr || right == nullptr) {
      moved = left == nullptr ? right : left;
      parent = links_.get(node->parent);
      replace(node, moved);
    } else {
      TreeNode* const next = last(right, &TreeNode::left);
      moved = links_.get(next->right);
      parent = links_.get(next->parent);
      if (parent == node) {
        parent = next;
      } else {
        replace(next, moved);
        hang(right, next, &TreeNode::right);
      }
      replace(node, next);
      hang(left, next, &TreeNode::left);
      const Colour colour = links_.get(next->colour);
      links_.set(next->colour, lost);
      lost = colour;
    }
    if (lost == kBlack) restore(moved, parent);
  }

  /// The node before or after this one.
  TreeNode* neighbour(TreeNode* node, Side side) const {
    // The header is red, and it and the root are each other's parents.
    if (TreeNode* const child = links_.get(node->*side); child != nullptr) return last(child, opposite(side));
    TreeNode* parent = links_.get(node->parent);
    while (node == links_.get(parent->*side)) {
      node = parent;
      parent = links_.get(parent->parent);
    }
    return links_.get(node->*side) != parent ? parent : node;
  }

 private:
  static TreeNode* none() { return nullptr; }
  TreeNode* root() const { return links_.get(header_.parent); }
  bool is_red(TreeNode* node) const { return node != nullptr && links_.get(node->colour) == kRed; }
  Side side_of(TreeNode* node, TreeNode* parent) const {
    return links_.get(parent->left) == node ? &TreeNode::left : &TreeNode::right;
  }
  TreeNode* last(TreeNode* node, Side side) const {
    while (TreeNode* const child = links_.get(node->*side)) node = child;
    return node;
  }
  void hang(TreeNode* child, TreeNode* parent, Side side) const {
    links_.set(parent->*side, child);
    if (child != nullptr) links_.set(child->parent, parent);
  }
  /// Below the parent of `node`.
  void replace(TreeNode* node, TreeNode* by) const {
    TreeNode* const parent = links_.get(node->parent);
    if (root() == node) {
      links_.set(header_.parent, by);
      if (by != nullptr) links_.set(by->parent, parent);
    } else {
      hang(by, parent, side_of(node, parent));
    }
  }
  /// Moves the node down to this side.
  void rotate(TreeNode* node, Side side) const {
    TreeNode* const child = links_.get(node->*opposite(side));
    hang(links_.get(child->*side), node, opposite(side));
    replace(node, child);
    hang(node, child, side);
  }
  /// One black node is missing on the paths through `node`, a child of `parent`.
  void restore(TreeNode* node, TreeNode* parent) const {
    while (node != root() && !is_red(node)) {
      const Side side = side_of(node, parent);
      TreeNode* sibling = links_.get(parent->*opposite(side));
      if (is_red(sibling)) {
        links_.set(sibling->colour, kBlack);
        links_.set(parent->colour, kRed);
        rotate(parent, side);
        sibling = links_.get(parent->*opposite(side));
      }
      if (!is_red(links_.get(sibling->left)) && !is_red(links_.get(sibling->right))) {
        links_.set(sibling->colour, kRed);
        node = parent;
        parent = links_.get(node->parent);
        continue;
      }
      if (!is_red(links_.get(sibling->*opposite(side)))) {
        links_.set(links_.get(sibling->*side)->colour, kBlack);
        links_.set(sibling->colour, kRed);
        rotate(sibling, opposite(side));
        sibling = links_.get(parent->*opposite(side));
      }
      links_.set(sibling->colour, links_.get(parent->colour));
      links_.set(parent->colour, kBlack);
      links_.set(links_.get(sibling->*opposite(side))->colour, kBlack);
      rotate(parent, side);
      break;
    }
    if (node != nullptr) links_.set(node->colour, kBlack);
  }

  Links links_;
  TreeNode& header_;
};

TreeNode* step(TreeNode* node, Side side, std::uint64_t site) {
  const LibraryCall call(site);
  // The predecessor of the end is the last node.
  if (side == &TreeNode::left && Links(call).get(node->colour) == kRed) {
    TreeNode* const parent = Links(call).get(node->parent);
    if (parent != nullptr && Links(call).get(parent->parent) == node) return Links(call).get(node->right);
  }
  return Tree(call, *node).neighbour(node, side);
}

}  // namespace

/// Defines a function of libstdc++ for the program. There is no need of the library's own.
#define MAZURKA_CONTAINER(RESULT, NAME, PARAMETERS)                                                                 \
  extern "C" __attribute__((visibility("hidden"), weak)) RESULT mazurka_container_##NAME PARAMETERS __asm__(#NAME); \
  extern "C" __attribute__((visibility("hidden"), weak)) RESULT mazurka_container_##NAME PARAMETERS

MAZURKA_CONTAINER(void, _ZNSt8__detail15_List_node_base7_M_hookEPS0_, (ListNode * node, ListNode* position)) {
  MAZURKA_CALL;
  const Links links(call);
  ListNode* const previous = links.get(position->previous);
  join(links, previous, node);
  join(links, node, position);
}
MAZURKA_CONTAINER(void, _ZNSt8__detail15_List_node_base9_M_unhookEv, (ListNode * node)) {
  MAZURKA_CALL;
  const Links links(call);
  join(links, links.get(node->previous), links.get(node->next));
}
MAZURKA_CONTAINER(void, _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_,
                  (ListNode * position, ListNode* first, ListNode* last)) {
  MAZURKA_CALL;
  transfer(Links(call), position, first, last);
}
MAZURKA_CONTAINER(void, _ZNSt8__detail15_List_node_base10_M_reverseEv, (ListNode * list)) {
  MAZURKA_CALL;
  const Links links(call);
  ListNode* node = list;
  do {
    ListNode* const next = links.get(node->next);
    links.set(node->next, links.get(node->previous));
    links.set(node->previous, next);
    node = next;
  } while (node != list);
}
MAZURKA_CONTAINER(void, _ZNSt8__detail15_List_node_base4swapERS0_S1_, (ListNode * a, ListNode* b)) {
  MAZURKA_CALL;
  const Links links(call);
  ListNode* const rest = links.get(a->next);
  ListNode* const other_rest = links.get(b->next);
  ListNode* const end = links.get(a->previous);
  ListNode* const other_end = links.get(b->previous);
  const auto put = [&](ListNode* list, ListNode* first, ListNode* last, ListNode* from) {
    join(links, list, first == from ? list : first);
    join(links, last == from ? list : last, list);
  };
  put(a, other_rest, other_end, b);
  put(b, rest, end, a);
}

MAZURKA_CONTAINER(void, _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_,
                  (bool left, TreeNode* node, TreeNode* parent, TreeNode* header)) {
  MAZURKA_CALL;
  Tree(call, *header).insert(left, node, parent);
}
MAZURKA_CONTAINER(TreeNode*, _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_,
                  (TreeNode * node, TreeNode* header)) {
  MAZURKA_CALL;
  Tree(call, *header).erase(node);
  return node;
}
MAZURKA_CONTAINER(TreeNode*, _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, (TreeNode * node)) {
  return step(node, &TreeNode::right, sees_accesses() ? MAZURKA_SITE : 0);
}
MAZURKA_CONTAINER(TreeNode*, _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, (TreeNode * node)) {
  return step(node, &TreeNode::right, sees_accesses() ? MAZURKA_SITE : 0);
}
MAZURKA_CONTAINER(TreeNode*, _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, (TreeNode * node)) {
  return step(node, &TreeNode::left, sees_accesses() ? MAZURKA_SITE : 0);
}
MAZURKA_CONTAINER(TreeNode*, _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, (TreeNode * node)) {
  return step(node, &TreeNode::left, sees_accesses() ? MAZURKA_SITE : 0);
}
