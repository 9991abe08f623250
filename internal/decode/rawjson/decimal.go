package rawjson

import (
	"strconv"
	"strings"
)

// decimal is a number in a form in which equal numbers are equal: a sign and
// 0.digits times ten to the power of point, without zeros around the digits.
type decimal struct {
	negative bool
	digits   string
	point    int64
}

// decimalOf reads a number that is known to be well formed. A number whose
// exponent no int64 holds stands for itself alone.
func decimalOf(raw []byte) decimal {
	number, negative := strings.CutPrefix(string(raw), "-")
	mantissa, exponent := number, int64(0)
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa = number[:i]
		var err error
		// An exponent near the limits could overflow below.
		if exponent, err = strconv.ParseInt(number[i+1:], 10, 62); err != nil {
			return decimal{negative: negative, digits: number}
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := whole + fraction
	point := exponent + int64(len(whole))
	significant := strings.TrimLeft(digits, "0")
	point -= int64(len(digits) - len(significant))
	significant = strings.TrimRight(significant, "0")
	if significant == "" {
		return decimal{} // zero, whatever its sign and exponent
	}
	return decimal{negative: negative, digits: significant, point: point}
}
