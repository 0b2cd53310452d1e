package wire

// What the limits are tested through, since a batch at its limit takes
// hundreds of megabytes.
var SOWBatchFull = sowBatchFull

// RepeatBytesMax is the longest header that a Decoder remembers.
const RepeatBytesMax = repeatBytesMax

// ScratchCapacity is the memory that the Decoder keeps for unescaped texts.
func (d *Decoder) ScratchCapacity() int { return cap(d.command.scratch) }
