package expr

import "math/rand/v2"

// intervalIndex finds the filters whose span holds a number: a treap ordered by
// the spans' lower ends, in which each node knows the greatest upper end at and
// below it. Finding k of n takes about log n + k steps.
type intervalIndex struct {
	root  *intervalNode
	count int
}

type intervalNode struct {
	span        span
	highest     float64 // of the spans at and below
	entry       *entry
	priority    uint32
	left, right *intervalNode
}

func (i *intervalIndex) insert(s span, x *entry) {
	n := &intervalNode{span: s, highest: s.high, entry: x, priority: rand.Uint32()}
	left, right := split(i.root, n)
	i.root = join(join(left, n), right)
	i.count++
}

func (i *intervalIndex) remove(s span, x *entry) {
	var removed bool
	i.root, removed = without(i.root, &intervalNode{span: s, entry: x})
	if removed {
		i.count--
	}
}

// before orders by lower end; the entries' numbers tell equal ones apart.
func (n *intervalNode) before(other *intervalNode) bool {
	if n.span.low != other.span.low {
		return n.span.low < other.span.low
	}
	return n.entry.number < other.entry.number
}

func (n *intervalNode) update() *intervalNode {
	n.highest = n.span.high
	if n.left != nil {
		n.highest = max(n.highest, n.left.highest)
	}
	if n.right != nil {
		n.highest = max(n.highest, n.right.highest)
	}
	return n
}

// split parts a tree into what is before a node and the rest.
func split(tree, at *intervalNode) (left, right *intervalNode) {
	if tree == nil {
		return nil, nil
	}
	if tree.before(at) {
		tree.right, right = split(tree.right, at)
		return tree.update(), right
	}
	left, tree.left = split(tree.left, at)
	return left, tree.update()
}

// join makes one tree of two, all of left being before all of right.
func join(left, right *intervalNode) *intervalNode {
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	case left.priority > right.priority:
		left.right = join(left.right, right)
		return left.update()
	}
	right.left = join(left, right.left)
	return right.update()
}

func without(tree, gone *intervalNode) (*intervalNode, bool) {
	if tree == nil {
		return nil, false
	}
	if tree.entry == gone.entry && tree.span == gone.span {
		return join(tree.left, tree.right), true
	}
	var removed bool
	if gone.before(tree) {
		tree.left, removed = without(tree.left, gone)
	} else {
		tree.right, removed = without(tree.right, gone)
	}
	return tree.update(), removed
}
