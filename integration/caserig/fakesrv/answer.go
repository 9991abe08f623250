package fakesrv

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

var (
	notFound     = Raw(`{"code":-32601,"message":"Method not found"}`)
	badCursor    = Raw(`{"code":-32602,"message":"bad cursor"}`)
	noResource   = Raw(`{"code":-32002,"message":"Resource not found"}`)
	defaultCaps  = Raw(`{"tools":{"listChanged":true}}`)
	resourceCaps = Raw(`{"tools":{"listChanged":true},"resources":{}}`)
)

// effect counts that a tool ran, unless the rule says that it was refused.
func (s *Server) effect(m message, r *Rule) {
	if m.Method != "tools/call" || r != nil && r.NoEffect {
		return
	}
	s.mu.Lock()
	s.effects[m.Params.Name]++
	n := s.effects[m.Params.Name]
	s.mu.Unlock()
	s.log.add(Rec{Ev: EvEffect, Tool: m.Params.Name, N: n})
}

// answer runs a request and gives the whole JSON-RPC answer.
func (s *Server) answer(m message, r *Rule, sn *session) []byte {
	s.effect(m, r)
	if r != nil && r.RawBody != "" {
		return []byte(r.RawBody)
	}
	result, fault := s.ruled(r, sn)
	if result == nil && fault == nil {
		result, fault = s.plain(m)
	}
	if fault != nil {
		return []byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":` + string(fault) + `}`)
	}
	return []byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + string(result) + `}`)
}

// ruled is the result or error that a rule sets, both nil when it sets none.
func (s *Server) ruled(r *Rule, sn *session) (result, fault Raw) {
	switch {
	case r == nil:
	case r.Result != nil:
		return r.Result, nil
	case r.Error != nil:
		return nil, r.Error
	case r.Counter:
		s.mu.Lock()
		defer s.mu.Unlock()
		return text(strconv.Itoa(sn.calls)), nil
	case r.FillN > 0:
		return text(strings.Repeat(r.FillChar, r.FillN)), nil
	case r.Text != "":
		return text(r.Text), nil
	case r.NextCursor:
		s.mu.Lock()
		s.fresh++
		n := s.fresh
		s.mu.Unlock()
		return fmt.Appendf(nil, `{"tools":[{"name":"t%d","inputSchema":{"type":"object","properties":{}}}],"nextCursor":"c%d"}`, n, n), nil
	}
	return nil, nil
}

// plain is what the server answers where no rule speaks.
func (s *Server) plain(m message) (result, fault Raw) {
	switch m.Method {
	case "server/discover":
		return orNotFound(s.sc.Discover)
	case "initialize":
		return s.initialize(), nil
	case "ping":
		return Raw(`{}`), nil
	case "tools/list":
		return s.listTools(m.Params.Cursor)
	case "tools/call":
		args := "(arguments missing)"
		if m.Params.Arguments != nil {
			args = string(m.Params.Arguments)
		}
		return text(m.Params.Name + " got " + args), nil
	case "resources/list":
		return orNotFound(s.sc.Resources)
	case "resources/templates/list":
		return orNotFound(s.sc.Templates)
	case "resources/read":
		if r, ok := s.sc.Reads[m.Params.URI]; ok {
			return r, nil
		}
		return nil, noResource
	}
	return nil, notFound
}

func orNotFound(result Raw) (Raw, Raw) {
	if result == nil {
		return nil, notFound
	}
	return result, nil
}

func (s *Server) initialize() Raw {
	if s.sc.Initialize != nil {
		return s.sc.Initialize
	}
	caps := s.sc.Capabilities
	switch {
	case caps != nil:
	case s.sc.Resources != nil:
		caps = resourceCaps
	default:
		caps = defaultCaps
	}
	return Raw(`{"protocolVersion":"2025-06-18","capabilities":` + string(caps) + `,"serverInfo":{"name":"fake","version":"1"}}`)
}

func (s *Server) listTools(cursor string) (result, fault Raw) {
	if s.sc.Pages != nil {
		if p, ok := s.sc.Pages[cursor]; ok {
			return p, nil
		}
		return nil, badCursor
	}
	var b bytes.Buffer
	b.WriteString(`{"tools":[`)
	for i, t := range s.sc.Tools {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(t)
	}
	b.WriteString(`]}`)
	return b.Bytes(), nil
}

// text is a result of one text item.
func text(t string) Raw {
	b, err := json.Marshal(t)
	if err != nil {
		panic(err) // a string
	}
	return Raw(`{"content":[{"type":"text","text":` + string(b) + `}]}`)
}
