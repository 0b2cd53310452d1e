package wire

// Key names one header field (01-protocol §2.2).
type Key uint8

// The header keys. Text keys come first, then number keys, then the booleans
// of older clients; Command relies on the order.
const (
	KeyCommand Key = iota
	KeyAckType
	KeyCommandID
	KeyTopic
	KeyFilter
	KeyOptions
	KeyBookmark
	KeySOWKey
	KeySOWKeys
	KeySubID
	KeySubIDs
	KeyQueryID
	KeyOrderBy
	KeyCorrelationID
	KeyTimestamp
	KeyLeasePeriod
	KeyMessageType
	KeyClientName
	KeyUserID
	KeyPassword
	KeyVersion
	KeyStatus
	KeyReason
	textKeys // count of the text keys

	KeySequence Key = iota - 1
	KeyBatchSize
	KeyTopN
	KeySkipN
	KeyExpiration
	KeyMessageLength
	KeyMatches
	KeyTopicMatches
	KeyRecordsReturned
	KeyRecordsDeleted
	KeyRecordsInserted
	KeyRecordsUpdated
	KeyGroupSequence

	KeySendOOF
	KeySendKeys
	KeySendEmpty
	keyIgnored // known or unknown, but without effect
)

const (
	firstNumber = KeySequence
	firstBool   = KeySendOOF
	numberKeys  = firstBool - firstNumber
)

var _ [64 - keyIgnored]struct{} // the presence bits of a Command fit a uint64

// keyPrefix holds what is written in front of a value, the comma of the
// preceding pair included: every frame starts with "c", which Begin writes.
var keyPrefix = [keyIgnored]string{
	KeyCommand:         `,"c":`,
	KeyAckType:         `,"a":`,
	KeyCommandID:       `,"cid":`,
	KeyTopic:           `,"t":`,
	KeyFilter:          `,"filter":`,
	KeyOptions:         `,"opts":`,
	KeyBookmark:        `,"bm":`,
	KeySOWKey:          `,"k":`,
	KeySOWKeys:         `,"sow_keys":`,
	KeySubID:           `,"sub_id":`,
	KeySubIDs:          `,"sids":`,
	KeyQueryID:         `,"query_id":`,
	KeyOrderBy:         `,"orderby":`,
	KeyCorrelationID:   `,"x":`,
	KeyTimestamp:       `,"ts":`,
	KeyLeasePeriod:     `,"lp":`,
	KeyMessageType:     `,"mt":`,
	KeyClientName:      `,"client_name":`,
	KeyUserID:          `,"user_id":`,
	KeyPassword:        `,"pw":`,
	KeyVersion:         `,"version":`,
	KeyStatus:          `,"status":`,
	KeyReason:          `,"reason":`,
	KeySequence:        `,"s":`,
	KeyBatchSize:       `,"bs":`,
	KeyTopN:            `,"top_n":`,
	KeySkipN:           `,"skip_n":`,
	KeyExpiration:      `,"e":`,
	KeyMessageLength:   `,"l":`,
	KeyMatches:         `,"matches":`,
	KeyTopicMatches:    `,"topic_matches":`,
	KeyRecordsReturned: `,"records_returned":`,
	KeyRecordsDeleted:  `,"records_deleted":`,
	KeyRecordsInserted: `,"records_inserted":`,
	KeyRecordsUpdated:  `,"records_updated":`,
	KeyGroupSequence:   `,"gseq":`,
	KeySendOOF:         `,"send_oof":`,
	KeySendKeys:        `,"send_keys":`,
	KeySendEmpty:       `,"send_empty":`,
}

// String returns the key as Farad emits it.
func (k Key) String() string {
	if k >= keyIgnored || keyPrefix[k] == "" {
		return "unknown"
	}
	p := keyPrefix[k]
	return p[2 : len(p)-2]
}

// keyOf maps a key as received, short or long, to its Key; keyIgnored for a
// key that has no effect.
func keyOf(text []byte) Key {
	if len(text) == 1 {
		return shortKey[text[0]]
	}
	return longKey(text)
}

var shortKey = func() (table [256]Key) {
	for i := range table {
		table[i] = keyIgnored
	}
	for c, k := range map[byte]Key{
		'c': KeyCommand, 'a': KeyAckType, 't': KeyTopic, 'f': KeyFilter,
		'o': KeyOptions, 's': KeySequence, 'k': KeySOWKey, 'e': KeyExpiration,
		'x': KeyCorrelationID, 'l': KeyMessageLength, 'v': KeyVersion,
	} {
		table[c] = k
	}
	return table
}()

// longKey maps every accepted spelling of more than one letter (01-protocol
// §2.2, columns Key and Also).
func longKey(text []byte) Key {
	switch string(text) {
	case "cmd":
		return KeyCommand
	case "ack_type":
		return KeyAckType
	case "cid", "cmd_id":
		return KeyCommandID
	case "topic":
		return KeyTopic
	case "filter":
		return KeyFilter
	case "opts", "options":
		return KeyOptions
	case "seq":
		return KeySequence
	case "bm", "bookmark":
		return KeyBookmark
	case "sow_key":
		return KeySOWKey
	case "sow_keys":
		return KeySOWKeys
	case "sub_id":
		return KeySubID
	case "sids":
		return KeySubIDs
	case "query_id":
		return KeyQueryID
	case "bs", "batch_size":
		return KeyBatchSize
	case "top_n":
		return KeyTopN
	case "skip_n":
		return KeySkipN
	case "orderby", "order_by":
		return KeyOrderBy
	case "expiration":
		return KeyExpiration
	case "correlation_id":
		return KeyCorrelationID
	case "msg_len":
		return KeyMessageLength
	case "ts", "timestamp":
		return KeyTimestamp
	case "lp", "leaseperiod", "lease_period":
		return KeyLeasePeriod
	case "mt", "message_type":
		return KeyMessageType
	case "client_name":
		return KeyClientName
	case "user_id":
		return KeyUserID
	case "pw", "password":
		return KeyPassword
	case "version":
		return KeyVersion
	case "status":
		return KeyStatus
	case "reason":
		return KeyReason
	}
	return rareKey(text)
}

// rareKey continues longKey with the counts and the words of older clients.
func rareKey(text []byte) Key {
	switch string(text) {
	case "matches":
		return KeyMatches
	case "topic_matches":
		return KeyTopicMatches
	case "records_returned":
		return KeyRecordsReturned
	case "records_deleted":
		return KeyRecordsDeleted
	case "records_inserted":
		return KeyRecordsInserted
	case "records_updated":
		return KeyRecordsUpdated
	case "gseq", "group_sequence_number":
		return KeyGroupSequence
	case "send_oof":
		return KeySendOOF
	case "send_keys":
		return KeySendKeys
	case "send_empty":
		return KeySendEmpty
	}
	return keyIgnored
}
