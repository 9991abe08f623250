package main

import (
	"context"
	"errors"

	"caserig/kit"

	"github.com/tmc/langchaingo/tools"
)

// several are toolsets side by side, as an owner of several servers has them:
// each with a prefix of its own, which keeps equal names apart.
type several []set

func openSeveral(configs []kit.Config) (kit.Set, error) {
	var all several
	for _, c := range configs {
		if c.Prefix == "" {
			c.Prefix = c.Name + "_"
		}
		one, err := open(c)
		if err != nil {
			return nil, errors.Join(err, all.Close())
		}
		all = append(all, one.(set))
	}
	return all, nil
}

func (all several) Tools(ctx context.Context) (offered []tools.Tool, err error) {
	for _, s := range all {
		ts, err := s.Tools(ctx)
		if err != nil {
			return nil, err
		}
		offered = append(offered, ts...)
	}
	return offered, nil
}

func (all several) Close() error {
	var errs []error
	for _, s := range all {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
