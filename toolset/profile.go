package toolset

import "github.com/mcptoolset/mcptoolset/internal/schema"

// schemaProfile finds the rules of a profile; an unknown one is Portable.
func schemaProfile(p Profile) schema.Profile {
	known, ok := schema.ProfileByName(string(p))
	if !ok {
		return schema.Portable
	}
	return known
}
