package engine

// Reason is the text of a failure ack. Clients match it as a whole, so it
// carries no details: those go to the log (01-protocol §8).
type Reason string

// The reasons of 01-protocol §8 that apply to what exists.
const (
	ReasonBadFilter          Reason = "bad filter"
	ReasonBadRegex           Reason = "bad regex"
	ReasonInvalidTopic       Reason = "invalid topic"
	ReasonAlreadyExists      Reason = "already exists"
	ReasonInvalidOptions     Reason = "invalid options"
	ReasonInvalidMessageType Reason = "invalid message type"
	ReasonLogonRequired      Reason = "logon required"
	ReasonDuplicateLogon     Reason = "duplicate logon"
	ReasonParseError         Reason = "parse error"
	// ReasonTooManySubscriptions: the connection holds SubscriptionsMax.
	ReasonTooManySubscriptions Reason = "too many subscriptions"
	// ReasonTooLarge: the body is over BodyBytesMax.
	ReasonTooLarge Reason = "message too large"
	// ReasonUnknownCommand precedes the close that an unknown command causes.
	ReasonUnknownCommand Reason = "unknown command"
)

// Reasons for commands and options whose capability this version lacks. They
// name it, so that nobody has to guess, and go away with its arrival.
const (
	ReasonNoSOW            Reason = "not supported: State of the World"
	ReasonNoTransactionLog Reason = "not supported: transaction log"
	ReasonNoQueues         Reason = "not supported: queues"
	ReasonNoConflation     Reason = "not supported: conflation"
)
