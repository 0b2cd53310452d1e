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
	byName   map[string]*node // instead of a search when there are many
	id       uint32
	wanted   int   // how often the path that ends here was added
	slot     int32 // -1 when no path ends here
}

// linearMax is the number of children up to which a search beats a map.
const linearMax = 8

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
	if n.byName != nil {
		return n.byName[string(name)]
	}
	for _, c := range n.children {
		if c.name == string(name) {
			return c
		}
	}
	return nil
}

func (n *node) add(child *node) {
	n.children = append(n.children, child)
	if n.byName == nil && len(n.children) > linearMax {
		n.byName = map[string]*node{}
		for _, c := range n.children {
			n.byName[c.name] = c
		}
	}
	if n.byName != nil {
		n.byName[child.name] = child
	}
}

func (n *node) remove(child *node) {
	last := len(n.children) - 1
	for i, c := range n.children {
		if c == child {
			n.children[i] = n.children[last]
			n.children[last] = nil
			n.children = n.children[:last]
			break
		}
	}
	if n.byName != nil {
		delete(n.byName, child.name)
	}
}
