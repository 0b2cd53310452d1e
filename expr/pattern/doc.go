// Package pattern matches byte strings against Perl-compatible regular
// expressions, as filters and topics use them (02-expressions §7).
//
// In comes the text of an expression, out comes a Pattern that says whether it
// matches anywhere in a string of bytes. Bytes, not code points: a byte above
// 127 is one character. Plain texts, with or without anchors, become
// comparisons of bytes; what Go's regexp can run takes linear time; only
// back-references, look-around and their like go to a backtracking engine,
// with a time limit.
package pattern
