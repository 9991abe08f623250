// Package servers starts real MCP servers, written by others in TypeScript,
// for this project's tests. They run offline and without accounts:
//
//	everything  every feature of the protocol; child process, HTTP and SSE
//	filesystem  reads and writes real files; arguments: the folders it may touch
//	memory      keeps a graph in the file that MEMORY_FILE_PATH names
//	context7    speaks the modern protocol; child process and HTTP; its calls
//	            fail offline, with a result that says so
//	time        prints a line that is no message on standard output
//
// Two are bridges, with server-everything behind them: supergateway (HTTP with
// and without sessions, SSE, and a child process in front of an HTTP server) and
// mcp-proxy (HTTP and SSE). Both run with Node 20: what wants Node 22 below
// mcp-proxy is a tunnel that is not used.
//
// They are installed by "make servers" below this folder. Where they or node
// are missing, a test that asks for one is skipped with the reason; with
// MCPTOOLSET_REQUIRE_SERVERS=1 it fails instead, so that continuous integration
// cannot pass without them.
package servers
