package schema

// Profile is what one family of model providers accepts as parameters. The
// zero Profile is Portable. Profiles are comparable.
type Profile struct{ rules *rules }

// String gives the profile's name, such as "portable".
func (p Profile) String() string {
	if p.rules == nil {
		return Portable.String()
	}
	return p.rules.name
}

type rules struct{ name string }

var (
	// Verbatim shows the schema as the server sent it.
	Verbatim = Profile{&rules{name: "verbatim"}}
	// Portable is accepted by every provider LangChainGo has.
	Portable = Profile{&rules{name: "portable"}}
)
