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
	if k, ok := longKeys[string(text)]; ok {
		return k
	}
	return keyIgnored
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

// longKeys holds every accepted spelling of more than one letter
// (01-protocol §2.2, columns Key and Also).
var longKeys = map[string]Key{
	"cmd":                   KeyCommand,
	"ack_type":              KeyAckType,
	"cid":                   KeyCommandID,
	"cmd_id":                KeyCommandID,
	"topic":                 KeyTopic,
	"filter":                KeyFilter,
	"opts":                  KeyOptions,
	"options":               KeyOptions,
	"seq":                   KeySequence,
	"bm":                    KeyBookmark,
	"bookmark":              KeyBookmark,
	"sow_key":               KeySOWKey,
	"sow_keys":              KeySOWKeys,
	"sub_id":                KeySubID,
	"sids":                  KeySubIDs,
	"query_id":              KeyQueryID,
	"bs":                    KeyBatchSize,
	"batch_size":            KeyBatchSize,
	"top_n":                 KeyTopN,
	"skip_n":                KeySkipN,
	"orderby":               KeyOrderBy,
	"order_by":              KeyOrderBy,
	"expiration":            KeyExpiration,
	"correlation_id":        KeyCorrelationID,
	"msg_len":               KeyMessageLength,
	"ts":                    KeyTimestamp,
	"timestamp":             KeyTimestamp,
	"lp":                    KeyLeasePeriod,
	"leaseperiod":           KeyLeasePeriod,
	"lease_period":          KeyLeasePeriod,
	"mt":                    KeyMessageType,
	"message_type":          KeyMessageType,
	"client_name":           KeyClientName,
	"user_id":               KeyUserID,
	"pw":                    KeyPassword,
	"password":              KeyPassword,
	"version":               KeyVersion,
	"status":                KeyStatus,
	"reason":                KeyReason,
	"matches":               KeyMatches,
	"topic_matches":         KeyTopicMatches,
	"records_returned":      KeyRecordsReturned,
	"records_deleted":       KeyRecordsDeleted,
	"records_inserted":      KeyRecordsInserted,
	"records_updated":       KeyRecordsUpdated,
	"gseq":                  KeyGroupSequence,
	"group_sequence_number": KeyGroupSequence,
	"send_oof":              KeySendOOF,
	"send_keys":             KeySendKeys,
	"send_empty":            KeySendEmpty,
}
