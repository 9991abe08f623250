package rawjson

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values. Invalid is what a [Reader] reports at the end of
// its text, at a byte no value starts with, and after an error.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	List
	Object
)

var kindNames = [...]string{
	Invalid: "not JSON",
	Null:    "null",
	Bool:    "a boolean",
	Number:  "a number",
	String:  "a string",
	List:    "a list",
	Object:  "an object",
}

// String names the kind so that it reads well in a sentence: "text is a list".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[Invalid]
}

// kindOf tells the kind of a value by its first byte.
func kindOf(c byte) Kind {
	switch c {
	case '{':
		return Object
	case '[':
		return List
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return Number
	default:
		return Invalid
	}
}
