// Package mcptest has servers, and a model, to test against: real ones, real
// ones that break on command, and raw ones that do what no good server does.
//
// # A real server
//
// [New] builds an mcp-go server with a set of tools ([Tools] chooses among them:
// echo, add, fail, slow, stubborn, counter, whoami, big, image, structured,
// mixed, panics, progress, environ). It can be used as it is, in the same
// process, or be served:
//
//	s := mcptest.New(t)                    // in-process: s.MCPServer
//	web := s.StreamableHTTP(t)             // web.URL
//	old := mcptest.New(t, mcptest.Legacy()).SSE(t)
//	child := mcptest.Command(t)            // child.Command, child.Args, child.Env
//
// [Start] gives any of the four by its [Kind], so that one test runs over all.
// Without [Legacy] a server speaks both protocol eras, with it only the one that
// begins with initialize.
//
// What happened is kept in journals that a test reads or waits on; nothing needs
// a sleep:
//
//	web.Received.Wait(t, mcptest.Method("tools/call"))  // messages, with HTTP headers
//	s.Calls.Wait(t, mcptest.Tool("slow"))               // a tool began to run
//	s.Ends.Wait(t, mcptest.Cancelled("slow"))           // and was told to stop
//	s.Release()                                         // lets slow and stubborn go
//
// # A server that breaks
//
// An [Endpoint] is a real server whose faults the test chooses:
//
//	web.Once(mcptest.Method("tools/call"), mcptest.Status(503, "busy"))
//	web.Forget()   // no session is known any more
//	web.Drop()     // every connection is cut
//	web.Serve(mcptest.New(t, mcptest.Tools("echo")))  // the server was restarted with other tools
//
// # A raw server
//
// [Raw] and [RawSSE] hand every message to a function; [Default] answers those
// the test does not care for. [Script] is the same for a child process, as data:
//
//	child := mcptest.Run(t, mcptest.Script{
//		Stdout: "Welcome!\n",
//		Rules:  []mcptest.Rule{{Method: "tools/call", Hold: "later", Result: mcptest.Text("late")}},
//	})
//	child.Release("later")
//
// # Child processes
//
// A child is the test binary run again, so the package's TestMain has to give it
// a chance to be one, and [Main] also fails on goroutines left over:
//
//	func TestMain(m *testing.M) { mcptest.Main(m) }
//
// # A model
//
// [NewModel] is an llms.Model that answers from a script and keeps what it was
// asked.
package mcptest
