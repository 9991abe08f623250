package main

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// figureLine is a figure as [figure.String] prints it.
var figureLine = regexp.MustCompile(`^RATIO (\S+) +([0-9.e+-]+)(\S*) ([<>])=([0-9.e+-]+)\S* (?:ok|over)`)

// readFigures reads what runs printed. Of a figure that was measured more than
// once, it is the median.
func readFigures(from io.Reader) ([]figure, error) {
	var order []figure
	values := map[string][]float64{}
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		m := figureLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		value, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			return nil, err
		}
		bound, err := strconv.ParseFloat(m[5], 64)
		if err != nil {
			return nil, err
		}
		f := figure{name: m[1], unit: m[3], bound: bound, atLeast: m[4] == ">"}
		if len(values[f.name]) == 0 {
			order = append(order, f)
		}
		values[f.name] = append(values[f.name], value)
	}
	for i := range order {
		order[i].value = median(values[order[i].name])
	}
	return order, lines.Err()
}

// share is how much of its bound a figure takes up: at most 1 where it is met.
func (f figure) share() float64 {
	switch {
	case f.value == f.bound:
		return 1
	case f.atLeast:
		return f.bound / f.value
	case f.bound == 0:
		return most
	}
	return f.value / f.bound
}

// The measures of the plot, in pixels.
const (
	rowHeight = 18
	nameWidth = 270
	barWidth  = 400 // of a whole bound
	most      = 1.5 // of a bound that is drawn; longer bars are cut
	width     = nameWidth + barWidth*most + 110
)

// plot draws the figures as bars: up to the line they are within their bounds.
func plot(to io.Writer, figures []figure) error {
	height := (len(figures) + 2) * rowHeight
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%d" font-family="sans-serif" font-size="12">`+"\n", float64(width), height)
	fmt.Fprintf(&svg, `<rect width="100%%" height="100%%" fill="white"/>`+"\n")
	for i, f := range figures {
		colour, y := "#3b7dd8", (i+1)*rowHeight
		if !f.met() {
			colour = "#d8683b"
		}
		length := max(1, barWidth*min(f.share(), most))
		fmt.Fprintf(&svg, `<text x="%d" y="%d" text-anchor="end">%s</text>`, nameWidth-6, y+13, html.EscapeString(f.name))
		fmt.Fprintf(&svg, `<rect x="%d" y="%d" width="%.0f" height="%d" fill="%s"/>`, nameWidth, y+3, length, rowHeight-6, colour)
		fmt.Fprintf(&svg, `<text x="%.0f" y="%d">%s</text>`+"\n", nameWidth+length+5, y+13, html.EscapeString(f.label()))
	}
	fmt.Fprintf(&svg, `<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="black" stroke-dasharray="3 3"/>`, nameWidth+barWidth, nameWidth+barWidth, rowHeight-4, height-rowHeight/2)
	fmt.Fprintf(&svg, `<text x="%d" y="12" text-anchor="middle">the bound</text>`+"\n</svg>\n", nameWidth+barWidth)
	_, err := io.WriteString(to, svg.String())
	return err
}

// label is a figure's value beside its bound.
func (f figure) label() string {
	sign := "≤"
	if f.atLeast {
		sign = "≥"
	}
	return fmt.Sprintf("%.3g%s (%s %g)", f.value, f.unit, sign, f.bound)
}

// plotFrom draws what runs printed.
func plotFrom(from io.Reader, to io.Writer) error {
	figures, err := readFigures(from)
	if err != nil {
		return err
	}
	if len(figures) == 0 {
		return fmt.Errorf("there is no line that begins with RATIO")
	}
	slices.SortStableFunc(figures, func(a, b figure) int { return strings.Compare(family(a.name), family(b.name)) })
	return plot(to, figures)
}

// family is what the names of figures of one row begin with.
func family(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return name
}
