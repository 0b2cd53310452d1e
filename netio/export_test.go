package netio

// PoisonInbound turns on the poisoning of inbound buffers for the tests of
// this package.
func PoisonInbound() { poisonInbound = true }
