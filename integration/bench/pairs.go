package main

// rivals makes contenders one after the other and closes those that are there
// when one cannot be made.
func rivals(makers ...func() (contender, error)) (contenders, error) {
	var cs contenders
	for _, make := range makers {
		c, err := make()
		if err != nil {
			cs.close()
			return nil, err
		}
		cs = append(cs, c)
	}
	return cs, nil
}

// overHTTP are the three that call a tool over streamable HTTP.
func (l *lab) overHTTP(version, tool, arguments string) (contenders, error) {
	w, err := l.web()
	if err != nil {
		return nil, err
	}
	return rivals(
		func() (contender, error) { return oursCalls(l.ctx, oursHTTP(w.url(0), version), tool, arguments) },
		func() (contender, error) {
			c, err := dialPlainHTTP(l.ctx, w.url(0), version)
			if err != nil {
				return contender{}, err
			}
			return plainCalls(l.ctx, c, tool, arguments)
		},
		func() (contender, error) { return floorHTTP(l.ctx, w.url(0), version, tool, arguments) },
	)
}

// overStdio are those that call a tool of a child. The floor is of the older
// era, whose messages are the shortest.
func (l *lab) overStdio(version, tool, arguments string) (contenders, error) {
	return rivals(
		func() (contender, error) {
			b, err := oursStdio(childStdio, version)
			if err != nil {
				return contender{}, err
			}
			return oursCalls(l.ctx, b, tool, arguments)
		},
		func() (contender, error) {
			c, err := dialPlainStdio(l.ctx, version)
			if err != nil {
				return contender{}, err
			}
			return plainCalls(l.ctx, c, tool, arguments)
		},
		func() (contender, error) { return floorStdio(l.ctx, tool, arguments) },
	)
}

// inProcess are the two that call a tool of a server in this process, each one of
// its own.
func (l *lab) inProcess(tool, arguments string) (contenders, error) {
	return rivals(
		func() (contender, error) { return oursCalls(l.ctx, oursInProcess(newServer(0)), tool, arguments) },
		func() (contender, error) {
			c, err := dialPlainInProcess(l.ctx, newServer(0))
			if err != nil {
				return contender{}, err
			}
			return plainCalls(l.ctx, c, tool, arguments)
		},
	)
}
