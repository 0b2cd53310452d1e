// Package message finds values in message bodies (03-message-types).
//
// In come the bytes of one message and the set of wanted paths, a Trie; out
// come Values, one slot a path, that alias the bytes. A message is walked once
// for all the paths that anybody wants, and only as far as needed. The package
// knows nothing of filters, topics or subscribers.
package message
