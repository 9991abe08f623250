package main

// row is what is measured together.
type row struct {
	name string
	run  func(l *lab) ([]figure, error)
}

// rows are all of them, in the order of docs/performance.md.
var rows = []row{
	{"http-echo-legacy", echoHTTPLegacy},
	{"http-echo-modern", echoHTTPModern},
	{"http-echo-modern-1.5KB-schema", echoHTTPLargeSchema},
	{"stdio-echo-legacy", echoStdioLegacy},
	{"stdio-echo-modern", echoStdioModern},
	{"in-process-echo", echoInProcess},
	{"http-text-64KB", overHTTPRow("http-text-64KB", toolText64)},
	{"http-text-1MB", overHTTPRow("http-text-1MB", toolText1M)},
	{"http-structured-256KB", overHTTPRow("http-structured-256KB", toolRows)},
	{"stdio-text-64KB", overStdioRow("stdio-text-64KB", toolText64)},
	{"stdio-text-1MB", overStdioRow("stdio-text-1MB", toolText1M)},
	{"stdio-structured-256KB", overStdioRow("stdio-structured-256KB", toolRows)},
	{"allocations", allocations},
	{"crowd-http-legacy", crowdHTTPLegacy},
	{"crowd-http-modern", crowdHTTPModern},
	{"crowd-stdio", crowdStdio},
	{"headers-legacy", headersRow("headers-legacy", legacy)},
	{"headers-modern", headersRow("headers-modern", modern)},
	{"ready", ready},
	{"held", held},
	{"arguments", arguments},
	{"corpus", corpus},
	{"recovery-http", recoveryHTTP},
	{"recovery-stdio", recoveryStdio},
	{"probe-ignored", probeIgnored},
	{"growth-tools", growthTools},
	{"growth-identities", growthIdentities},
}
