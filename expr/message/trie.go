package message

// Trie is the union of the paths that somebody wants to read from messages.
// Each path has a slot number, which stays the same while the path is wanted.
// Paths come and go one by one, counted. A Trie may be read by several
// goroutines while nobody changes it.
type Trie struct {
	root  *node
	slots []*node // by slot; nil where free
	free  []uint32
	nodes uint32   // ids given out
	spare []uint32 // ids to use again
}

// node is one step. Its id numbers it among the trie's live nodes.
type node struct {
	name     string
	parent   *node
	children []*node
	table    []childSlot // the same, open by hash; a power of two, or none
	version  uint32      // counts the changes of children
	place    int         // in the parent's children
	id       uint32
	wanted   int   // how often the path that ends here was added
	slot     int32 // -1 when no path ends here
}

// childSlot is a place in the table of a node's children: the child's name as
// two words and a length, which is all there is of nearly every name.
type childSlot struct {
	first, second uint64
	length        int
	child         *node // nil: free
}

// NewTrie returns a trie without paths.
func NewTrie() *Trie {
	return &Trie{root: &node{slot: -1}, nodes: 1}
}

// Slots is one more than the largest slot number in use.
func (t *Trie) Slots() int { return len(t.slots) }

// Add wants a path and returns its slot.
func (t *Trie) Add(p Path) uint32 {
	n := t.root
	for _, step := range p {
		child := n.child([]byte(step))
		if child == nil {
			child = &node{name: step, parent: n, id: t.newID(), slot: -1}
			n.add(child)
		}
		n = child
	}
	if n.wanted++; n.wanted == 1 {
		if last := len(t.free) - 1; last >= 0 {
			n.slot = int32(t.free[last])
			t.free = t.free[:last]
			t.slots[n.slot] = n
		} else {
			n.slot = int32(len(t.slots))
			t.slots = append(t.slots, n)
		}
	}
	return uint32(n.slot)
}

// Remove takes back one Add of the path with that slot.
func (t *Trie) Remove(slot uint32) {
	n := t.slots[slot]
	if n.wanted--; n.wanted > 0 {
		return
	}
	t.slots[slot] = nil
	t.free = append(t.free, slot)
	n.slot = -1
	for n != t.root && n.wanted == 0 && len(n.children) == 0 {
		n.parent.remove(n)
		t.spare = append(t.spare, n.id)
		n = n.parent
	}
}

func (t *Trie) newID() uint32 {
	if last := len(t.spare) - 1; last >= 0 {
		id := t.spare[last]
		t.spare = t.spare[:last]
		return id
	}
	t.nodes++
	return t.nodes - 1
}

// child finds the child of that name; nil when nobody wants it.
func (n *node) child(name []byte) *node {
	if len(n.table) == 0 {
		return nil
	}
	first, second := nameWords(name)
	if len(name) <= 2*wordBytes {
		return n.childByWords(first, second, len(name))
	}
	mask := len(n.table) - 1
	for i := n.home(first, second, len(name)); n.table[i].child != nil; i = (i + 1) & mask {
		if s := &n.table[i]; s.first == first && s.second == second && s.child.name == string(name) {
			return s.child
		}
	}
	return nil
}

// childByWords finds the child whose name has at most sixteen bytes.
func (n *node) childByWords(first, second uint64, length int) *node {
	if len(n.table) == 0 {
		return nil
	}
	mask := len(n.table) - 1
	for i := n.home(first, second, length); ; i = (i + 1) & mask {
		s := &n.table[i]
		if s.child == nil || s.first == first && s.second == second && s.length == length {
			return s.child
		}
	}
}

// home is the slot where the search for a name begins.
func (n *node) home(first, second uint64, length int) int {
	return int(mixWords(first, second, length)>>32) & (len(n.table) - 1)
}

func (n *node) add(child *node) {
	n.version++
	child.place = len(n.children)
	n.children = append(n.children, child)
	if 2*len(n.children) > len(n.table) { // at most half full: a search for a name that nobody wants ends at once
		n.table = make([]childSlot, max(2, 2*len(n.table)))
		for _, c := range n.children {
			n.enter(c)
		}
		return
	}
	n.enter(child)
}

func (n *node) enter(child *node) {
	first, second := nameWords([]byte(child.name))
	mask := len(n.table) - 1
	i := n.home(first, second, len(child.name))
	for n.table[i].child != nil {
		i = (i + 1) & mask
	}
	n.table[i] = childSlot{first, second, len(child.name), child}
}

func (n *node) remove(child *node) {
	n.version++
	last := len(n.children) - 1
	n.children[child.place] = n.children[last]
	n.children[child.place].place = child.place
	n.children[last] = nil
	n.children = n.children[:last]
	if last == 0 {
		n.table = nil
		return
	}
	first, second := nameWords([]byte(child.name))
	mask := len(n.table) - 1
	free := n.home(first, second, len(child.name))
	for n.table[free].child != child {
		free = (free + 1) & mask
	}
	n.table[free] = childSlot{}
	// Move up what a search would no longer reach.
	for i := (free + 1) & mask; n.table[i].child != nil; i = (i + 1) & mask {
		s := n.table[i]
		if home := n.home(s.first, s.second, s.length); (i-home)&mask >= (i-free)&mask {
			n.table[free], n.table[i] = s, childSlot{}
			free = i
		}
	}
}
