package toolset

import "github.com/mcptoolset/mcptoolset/internal/schema"

// schemaProfile finds the rules of a profile; unknown ones are Portable.
func schemaProfile(p Profile) schema.Profile {
	switch p {
	case ProfileVerbatim:
		return schema.Verbatim
	}
	return schema.Portable
}
