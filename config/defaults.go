package config

import "time"

// What a zero field of [Config] stands for.
const (
	DefaultMaxResourceLength   = 10_000           // characters
	DefaultMaxOutput           = 50_000           // characters
	DefaultStdioConnectTimeout = 60 * time.Second // for a child process
	DefaultConnectTimeout      = 30 * time.Second // for every other connection
	DefaultListTimeout         = 60 * time.Second
	DefaultCallTimeout         = 5 * time.Minute
	DefaultMaxItems            = 10_000 // a list
	DefaultMaxPages            = 1_000  // a list
)

// WithDefaults returns a deep copy of c in which no field is zero that has a
// default, Name included. Bad values stay as they are: Validate reports them.
// Doing it twice changes nothing.
func (c Config) WithDefaults() Config {
	c = c.clone()
	connect := DefaultConnectTimeout
	if c.Stdio != nil {
		connect = DefaultStdioConnectTimeout
	}
	c.Name = c.ServerName()
	fill(&c.MaxResourceLength, DefaultMaxResourceLength)
	fill(&c.MaxOutput, DefaultMaxOutput)
	fill(&c.ConnectTimeout, connect)
	fill(&c.ListTimeout, DefaultListTimeout)
	fill(&c.CallTimeout, DefaultCallTimeout)
	fill(&c.MaxItems, DefaultMaxItems)
	fill(&c.MaxPages, DefaultMaxPages)
	return c
}

func fill[T int | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}
