package expr

import (
	"hash/crc32"
	"hash/crc64"

	"farad/expr/message"
)

// checksumFunctions are those of 02-expressions §10.5.
var checksumFunctions = map[string]*function{
	"CRC32": {argumentsMin: 1, argumentsMax: 1, usage: "CRC32(text)", apply: checksum32},
	"CRC64": {argumentsMin: 1, argumentsMax: 1, usage: "CRC64(text)", apply: checksum64},
}

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	ecma       = crc64.MakeTable(crc64.ECMA)
)

// checksum32 is CRC-32C without the inversion at its end.
func checksum32(e *environment, a []message.Value) message.Value {
	return message.IntValue(int64(^crc32.Checksum(e.stringOf(a[0]), castagnoli)))
}

func checksum64(e *environment, a []message.Value) message.Value {
	return message.UintValue(crc64.Checksum(e.stringOf(a[0]), ecma))
}
