package config

import "strings"

// nearestBytesMax is the longest name that a suggestion is looked for.
const nearestBytesMax = 48

// nearest returns the name that was most likely meant, or "" if none is near.
func nearest(name string, known []string) string {
	best, bestEdits := "", nearestBytesMax
	for _, k := range known {
		if n, near := edits(name, k); near && n < bestEdits {
			best, bestEdits = k, n
		}
	}
	return best
}

// edits counts the insertions, deletions, replacements and swaps of
// neighbours that make one name of the other, not minding case, and reports
// whether that is few enough for a slip of the keyboard: a third of the
// letters, and at most three.
func edits(name, known string) (n int, near bool) {
	limit := min(3, max(1, len(known)/3))
	if len(name) > nearestBytesMax || max(len(name)-len(known), len(known)-len(name)) > limit {
		return 0, false
	}
	a, b := strings.ToLower(name), strings.ToLower(known)
	width := len(b) + 1
	before, last, row := make([]int, width), make([]int, width), make([]int, width)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)], last[len(b)] <= limit
}
