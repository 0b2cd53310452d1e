package expr

import (
	"farad/expr/message"
)

// Context is what an evaluation knows beside the message: who published it
// where, and what has become of it (02-expressions §10.7). A text that is empty
// and a time that is 0 are NULL. The owner of the Scratch that it is given to
// may change it between evaluations.
type Context struct {
	Topic         []byte // of the message; of a queue, the topic underneath
	CorrelationID []byte
	Bookmark      []byte
	SOWKey        []byte
	SOWKeyHash    uint64 // with SOWKey
	ClientName    []byte // of whoever caused the operation
	RemoteAddress []byte // host:port
	User          []byte // as authenticated
	ClientVersion []byte
	InstanceName  []byte
	GroupName     []byte

	LastUpdated float64 // seconds since 1970 UTC; for a live message, now
	LastRead    float64 // when the record was last returned to a reader
	Leases      int64   // deliveries of a queue's message; of others negative
	LastLeased  float64
}

// contextFunctions are those of 02-expressions §10.7.
var contextFunctions = map[string]*function{
	"MESSAGE_SIZE":       contextFunction("MESSAGE_SIZE()", false, func(e *environment) message.Value { return message.IntValue(int64(e.size)) }),
	"CORRELATION_ID":     contextText("CORRELATION_ID()", func(c *Context) []byte { return c.CorrelationID }),
	"TOPIC_NAME":         contextText("TOPIC_NAME()", func(c *Context) []byte { return c.Topic }),
	"LAST_UPDATED":       contextTime("LAST_UPDATED()", false, func(c *Context) float64 { return c.LastUpdated }),
	"BOOKMARK":           contextText("BOOKMARK()", func(c *Context) []byte { return c.Bookmark }),
	"SOW_KEY":            contextText("SOW_KEY()", func(c *Context) []byte { return c.SOWKey }),
	"LAST_READ":          contextTime("LAST_READ()", true, func(c *Context) float64 { return c.LastRead }),
	"SOW_KEY_HASH":       contextFunction("SOW_KEY_HASH()", false, sowKeyHash),
	"LEASE_COUNT":        contextFunction("LEASE_COUNT()", false, leaseCount),
	"LAST_LEASED":        contextTime("LAST_LEASED()", false, func(c *Context) float64 { return c.LastLeased }),
	"CLIENT_NAME":        contextText("CLIENT_NAME()", func(c *Context) []byte { return c.ClientName }),
	"REMOTE_ADDRESS":     contextText("REMOTE_ADDRESS()", func(c *Context) []byte { return c.RemoteAddress }),
	"USER":               contextText("USER()", func(c *Context) []byte { return c.User }),
	"CLIENT_VERSION":     contextText("CLIENT_VERSION()", func(c *Context) []byte { return c.ClientVersion }),
	"AMPS_INSTANCE_NAME": contextText("AMPS_INSTANCE_NAME()", func(c *Context) []byte { return c.InstanceName }),
	"AMPS_GROUP_NAME":    contextText("AMPS_GROUP_NAME()", func(c *Context) []byte { return c.GroupName }),
}

// contextValue is a call of a function of the context.
type contextValue struct {
	usage string
	read  func(e *environment) message.Value
}

func (n *contextValue) value(e *environment) message.Value { return n.read(e) }
func (n *contextValue) truth(e *environment) truth         { return truthOfValue(n.value(e)) }
func (n *contextValue) constant() bool                     { return false }

func contextFunction(usage string, volatile bool, read func(e *environment) message.Value) *function {
	return &function{usage: usage, volatile: volatile, make: func([]node) node { return &contextValue{usage, read} }}
}

func contextText(usage string, text func(c *Context) []byte) *function {
	return contextFunction(usage, false, func(e *environment) message.Value {
		if e.context == nil {
			return message.Value{}
		}
		return message.StringValue(text(e.context))
	})
}

func contextTime(usage string, volatile bool, seconds func(c *Context) float64) *function {
	return contextFunction(usage, volatile, func(e *environment) message.Value {
		if e.context == nil || seconds(e.context) == 0 {
			return message.Value{}
		}
		return message.FloatValue(seconds(e.context))
	})
}

func sowKeyHash(e *environment) message.Value {
	if e.context == nil || len(e.context.SOWKey) == 0 {
		return message.Value{}
	}
	return message.UintValue(e.context.SOWKeyHash)
}

func leaseCount(e *environment) message.Value {
	if e.context == nil || e.context.Leases < 0 {
		return message.Value{}
	}
	return message.IntValue(e.context.Leases)
}
