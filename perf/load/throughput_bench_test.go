package load_test

import (
	"testing"

	"farad/perf/amps"
	"farad/perf/load"
	"farad/perf/loadtest"
)

func BenchmarkThroughput(b *testing.B) {
	server := loadtest.Start(b, loadtest.Options{})
	protocol, err := amps.New(server.URI())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	result, err := load.Throughput{
		Protocol: protocol, Publishers: 1, Subscribers: 1, Topic: "bench", Topics: 1, Size: 128,
		Messages: uint64(b.N), WindowMessages: load.WindowMessagesDefault,
	}.Run(b.Context())
	if err != nil || result.Any() {
		b.Fatalf("%+v, %v", result, err)
	}
}
