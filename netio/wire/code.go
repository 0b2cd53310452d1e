package wire

// Code is the kind of a message: the value of the key "c" (01-protocol §4.2,
// §7).
type Code uint8

// The codes, by direction: client to server first, then server to client.
// Publish goes both ways, as do Ack and Heartbeat.
const (
	CodeUnknown Code = iota
	CodePublish
	CodeDeltaPublish
	CodeSubscribe
	CodeDeltaSubscribe
	CodeSOW
	CodeSOWAndSubscribe
	CodeSOWAndDeltaSubscribe
	CodeUnsubscribe
	CodeSOWDelete
	CodeFlush
	CodeHeartbeat
	CodeLogon
	CodeAck
	CodeStartTimer
	CodeStopTimer
	CodeGroupBegin
	CodeGroupEnd
	CodeOOF
	codeCount
)

// codeNames are the texts that Farad emits. Publish is "p" on the wire, its
// long form is accepted (codeOf).
var codeNames = [codeCount]string{
	CodeUnknown:              "",
	CodePublish:              "p",
	CodeDeltaPublish:         "delta_publish",
	CodeSubscribe:            "subscribe",
	CodeDeltaSubscribe:       "delta_subscribe",
	CodeSOW:                  "sow",
	CodeSOWAndSubscribe:      "sow_and_subscribe",
	CodeSOWAndDeltaSubscribe: "sow_and_delta_subscribe",
	CodeUnsubscribe:          "unsubscribe",
	CodeSOWDelete:            "sow_delete",
	CodeFlush:                "flush",
	CodeHeartbeat:            "heartbeat",
	CodeLogon:                "logon",
	CodeAck:                  "ack",
	CodeStartTimer:           "start_timer",
	CodeStopTimer:            "stop_timer",
	CodeGroupBegin:           "group_begin",
	CodeGroupEnd:             "group_end",
	CodeOOF:                  "oof",
}

// String returns the name of the code in logs: "publish" for CodePublish, the
// wire text for all others.
func (c Code) String() string {
	if c == CodePublish {
		return "publish"
	}
	if c == CodeUnknown || c >= codeCount {
		return "unknown"
	}
	return codeNames[c]
}

func codeOf(text []byte) Code {
	switch string(text) {
	case "p", "publish":
		return CodePublish
	case "delta_publish":
		return CodeDeltaPublish
	case "subscribe":
		return CodeSubscribe
	case "delta_subscribe":
		return CodeDeltaSubscribe
	case "sow":
		return CodeSOW
	case "sow_and_subscribe":
		return CodeSOWAndSubscribe
	case "sow_and_delta_subscribe":
		return CodeSOWAndDeltaSubscribe
	case "unsubscribe":
		return CodeUnsubscribe
	case "sow_delete":
		return CodeSOWDelete
	case "flush":
		return CodeFlush
	case "heartbeat":
		return CodeHeartbeat
	case "logon":
		return CodeLogon
	case "ack":
		return CodeAck
	case "start_timer":
		return CodeStartTimer
	case "stop_timer":
		return CodeStopTimer
	case "group_begin":
		return CodeGroupBegin
	case "group_end":
		return CodeGroupEnd
	case "oof":
		return CodeOOF
	}
	return CodeUnknown
}

// AckSet is a set of acknowledgement types (01-protocol §6).
type AckSet uint8

// The acknowledgement types. A command may ask for several; an ack message
// carries exactly one.
const (
	AckReceived AckSet = 1 << iota
	AckProcessed
	AckCompleted
	AckPersisted
	AckStats
)

// AckNone asks for no acknowledgement.
const AckNone AckSet = 0

// ackNames are the wire texts of the types, in the order of their bits.
var ackNames = [...]string{"received", "processed", "completed", "persisted", "stats"}

// String returns the wire text of one type; the set's types joined by commas
// otherwise, in the order received, processed, completed, persisted, stats.
func (a AckSet) String() string {
	for bit, name := range ackNames {
		if a == 1<<bit {
			return name
		}
	}
	return string(a.append(nil))
}

func (a AckSet) append(dst []byte) []byte {
	if a&(1<<len(ackNames)-1) == 0 {
		return append(dst, "none"...)
	}
	separator := ""
	for bit, name := range ackNames {
		if a&(1<<bit) != 0 {
			dst = append(dst, separator...)
			dst = append(dst, name...)
			separator = ","
		}
	}
	return dst
}

// ParseAcks reads a comma list of ack types. "none" and unsupported types are
// ignored (01-protocol §4.1).
func ParseAcks(text []byte) AckSet {
	var set AckSet
	for len(text) > 0 {
		token := text
		text = nil
		for i, c := range token {
			if c == ',' {
				token, text = token[:i], token[i+1:]
				break
			}
		}
		switch string(trimSpace(token)) {
		case "received":
			set |= AckReceived
		case "processed":
			set |= AckProcessed
		case "completed":
			set |= AckCompleted
		case "persisted":
			set |= AckPersisted
		case "stats":
			set |= AckStats
		}
	}
	return set
}
