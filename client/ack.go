package client

import "farad/netio/wire"

// Ack is an acknowledgement by the server (01-protocol §6). It owns its
// texts and may be kept.
type Ack struct {
	Type            wire.AckSet // exactly one
	CommandID       string      // of the command; empty for an ack that covers many
	Success         bool
	Status          string // as sent: success, failure or retry
	Reason          string
	SubID           string
	QueryID         string
	Bookmark        string
	Options         string // what a queue granted: "max_backlog=10"
	Sequence        uint64 // the highest one covered; 0: none
	Matches         uint64
	TopicMatches    uint64
	RecordsReturned uint64
	RecordsDeleted  uint64
	ClientName      string // logon
	UserID          string // logon
	Version         string // logon: of the server
}

// ackOf copies an ack out of a received header.
func ackOf(c *wire.Command) Ack {
	status := string(c.Status())
	return Ack{
		Type:            c.Acks,
		CommandID:       string(c.CommandID()),
		Success:         status == "success",
		Status:          status,
		Reason:          string(c.Reason()),
		SubID:           string(c.SubID()),
		QueryID:         string(c.QueryID()),
		Bookmark:        string(c.Bookmark()),
		Options:         string(c.Options()),
		Sequence:        c.Sequence(),
		Matches:         c.Number(wire.KeyMatches),
		TopicMatches:    c.Number(wire.KeyTopicMatches),
		RecordsReturned: c.Number(wire.KeyRecordsReturned),
		RecordsDeleted:  c.Number(wire.KeyRecordsDeleted),
		ClientName:      string(c.ClientName()),
		UserID:          string(c.UserID()),
		Version:         string(c.Version()),
	}
}
