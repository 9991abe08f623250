package fakesrv

import "net"

// Hang accepts connections and never answers, until stop is called.
func Hang() (url string, stop func(), err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			defer c.Close() // open until the listener is closed
		}
	}()
	return "http://" + ln.Addr().String(), func() { ln.Close() }, nil
}
