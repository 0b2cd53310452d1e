package tools

// nearestBytesMax is the longest word that a suggestion is looked for.
const nearestBytesMax = 48

// nearest returns the known word that was most likely meant, or "" if none is
// near: at most a third of its letters wrong, and one in a word of three.
func nearest(word string, known []string) string {
	if len(word) > nearestBytesMax {
		return ""
	}
	best, bestSlips := "", nearestBytesMax
	for _, k := range known {
		if n := slips(word, k); n <= max(1, len(k)/3) && n < bestSlips {
			best, bestSlips = k, n
		}
	}
	return best
}

// slips counts the letters to insert, remove, replace or swap with a
// neighbour to get from a to b.
func slips(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			n := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+wrong)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				n = min(n, rows[i-2][j-2]+1)
			}
			rows[i][j] = n
		}
	}
	return rows[len(a)][len(b)]
}
