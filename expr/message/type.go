package message

// Type is one message type's way with bytes (03-message-types §2): Extract for
// the few values that filters and keys want, Parse and Write for what looks at
// whole messages. Everything else (deltas, select lists, projections) is built
// on those and knows no type.
//
// A Type is immutable and may be used by several goroutines.
type Type interface {
	// Name is the type's name in configurations and logons.
	Name() string
	// Capabilities is what messages of the type can be used for.
	Capabilities() Capabilities
	// Extract fills out with what body holds on the trie's paths. Any bytes
	// may come: values found before a fault stay, all others are NULL. It
	// allocates nothing once out has grown.
	Extract(body []byte, t *Trie, out *Values)
	// Parse takes the whole of body apart, below the object at in d, whose Raw
	// becomes body. Texts and values alias body or d. The error is a
	// *ParseError; fields before the fault are in d, and the object has no Raw
	// then. It allocates nothing once d has grown.
	Parse(body []byte, d *Document, at int32) error
	// Write appends the message that the object at in d stands for: its Raw if
	// it has one. Fields with Raw are copied byte for byte, others composed.
	Write(dst []byte, d *Document, at int32) []byte
}

// extractor is what types do that can be parts of others: extractAt is Extract
// from a node of a trie, into values that have begun already.
type extractor interface {
	extractAt(body []byte, n *node, out *Values)
}

// Holder is a Type whose messages cannot hold every path. Views, projections
// and enrichment ask it for each destination when they are configured.
type Holder interface {
	// CanHold says why a message cannot have a value on a path; nil when it can.
	CanHold(p Path) error
}

// Capabilities are the columns of 03-message-types §1.
type Capabilities struct {
	Parsed bool // has values: filters, SOW keys from content, sources of views
	Delta  bool // delta publish merges, delta subscribe compares
	Select bool // select lists
	Output bool // views, aggregated subscriptions
	Enrich bool // preprocessing and enrichment
	Events bool // event topics and stats acks
}

// everything is what the self-describing types can.
var everything = Capabilities{Parsed: true, Delta: true, Select: true, Output: true, Enrich: true, Events: true}
