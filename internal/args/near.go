package args

import "strings"

// nearest returns the known name that name was probably meant to be, "" if
// there is none.
func nearest(name string, known []string) string {
	const longest, most = 64, 300
	best, bestDistance := "", 0
	if len(name) > longest {
		return ""
	}
	for _, candidate := range known[:min(len(known), most)] {
		if len(candidate) > longest {
			continue
		}
		d := distance(fold(name), fold(candidate))
		if d <= len(candidate)/3 && (best == "" || d < bestDistance) {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// fold removes what names are spelled differently in: fooBar, foo_bar, Foo-Bar.
func fold(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(s))
}

// distance is the number of characters to insert, delete or replace to get
// from a to b.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j := range to {
			change := diagonal
			if from[i] != to[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
