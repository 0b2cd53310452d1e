package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"farad/perf/amps"
	"farad/perf/load"
)

const (
	// readyWait is how long a server may take to accept connections.
	readyWait = 20 * time.Second
	// stopWait is how long it may take to end before it is killed.
	stopWait = 5 * time.Second
	// lookEvery is how often it is looked whether it does.
	lookEvery = 20 * time.Millisecond
)

// natsModule is the peer that is built from source; go.mod has its version.
const natsModule = "github.com/nats-io/nats-server/v2"

// server is one server in a process of its own.
type server struct {
	name     string
	version  string
	settings string // for the result
	program  string
	extra    []string // environment beside our own
	address  string   // host:port
	protocol load.Protocol
	process  *exec.Cmd
	output   *os.File
	ended    chan struct{} // closed when the process has
}

// startAll builds and starts all servers, Farad first. notes say what was
// left out. With an error it returns those that run.
func (s *settings) startAll(ctx context.Context, folder string) (servers []*server, notes []string, err error) {
	wanted := func(name string) bool { return len(s.only) == 0 || slices.Contains(s.only, name) }
	starts := []func(context.Context, string) (*server, error){s.startFarad}
	if wanted("nats") {
		starts = append(starts, startNATS, startNATSOnOneThread)
	}
	if wanted("redis") {
		if _, err := exec.LookPath("redis-server"); err == nil {
			starts = append(starts, startRedis)
		} else {
			notes = append(notes, "Redis is left out: redis-server is not installed (Debian: apt-get install redis-server).")
		}
	}
	for _, start := range starts {
		started, err := start(ctx, folder)
		if err != nil {
			return servers, notes, err
		}
		servers = append(servers, started)
		fmt.Fprintf(os.Stderr, "%s %s at %s, process %d\n", started.name, started.version, started.address, started.process.Process.Pid)
	}
	return servers, notes, nil
}

// build builds a program in a module's folder.
func build(ctx context.Context, module, pack, output string) error {
	fmt.Fprintf(os.Stderr, "building %s\n", pack)
	c := exec.CommandContext(ctx, "go", "build", "-o", output, pack)
	c.Dir = module
	if text, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", pack, err, text)
	}
	return nil
}

func (s *settings) startFarad(ctx context.Context, folder string) (*server, error) {
	program := s.farad
	if program == "" {
		program = filepath.Join(folder, "farad")
		if err := build(ctx, "../..", ".", program); err != nil {
			return nil, err
		}
	}
	r, err := newServer("Farad", program, "defaults")
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "farad.xml")
	if err := os.WriteFile(file, fmt.Appendf(nil, `<AMPSConfig>
  <Name>peers</Name>
  <Transports>
    <Transport><Name>any-tcp</Name><Type>tcp</Type><Protocol>amps</Protocol><InetAddr>%s</InetAddr></Transport>
  </Transports>
  <Logging><Target><Protocol>stderr</Protocol><Level>info</Level></Target></Logging>
</AMPSConfig>
`, r.address), 0o600); err != nil {
		return nil, err
	}
	if r.protocol, err = amps.New("tcp://" + r.address + "/amps/json"); err != nil {
		return nil, err
	}
	return r, r.start(ctx, folder, []string{"--version"}, "serve", file)
}

// startNATS starts nats-server as it comes.
func startNATS(ctx context.Context, folder string) (*server, error) {
	return startNATSWith(ctx, folder, "NATS")
}

// startNATSOnOneThread starts it with one thread for Go code, which on a
// machine of two cores, shared with the load, gives it twice the rate: the
// peers are to be seen at their best.
func startNATSOnOneThread(ctx context.Context, folder string) (*server, error) {
	return startNATSWith(ctx, folder, "NATS, 1 thread", "GOMAXPROCS=1")
}

func startNATSWith(ctx context.Context, folder, name string, extra ...string) (*server, error) {
	program := filepath.Join(folder, "nats-server")
	if _, err := os.Stat(program); err != nil {
		if err := build(ctx, ".", natsModule, program); err != nil {
			return nil, err
		}
	}
	settings := strings.Join(append([]string{"defaults, max_pending 1GB, write_deadline 60s"}, extra...), ", ")
	r, err := newServer(name, program, settings)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, name+".conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, "listen: %q\nmax_pending: 1GB\nwrite_deadline: \"60s\"\n", r.address), 0o600); err != nil {
		return nil, err
	}
	r.extra, r.protocol = extra, natsProtocol{r.address}
	return r, r.start(ctx, folder, []string{"--version"}, "-c", file)
}

func startRedis(ctx context.Context, folder string) (*server, error) {
	r, err := newServer("Redis", "redis-server", `defaults, client-output-buffer-limit pubsub 0 0 0, save "", appendonly no`)
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(r.address)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "redis.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, "bind %s\nport %s\nsave \"\"\nappendonly no\nclient-output-buffer-limit pubsub 0 0 0\ndir %s\n",
		host, port, folder), 0o600); err != nil {
		return nil, err
	}
	r.protocol = redisProtocol{r.address}
	return r, r.start(ctx, folder, []string{"--version"}, file)
}

// newServer chooses an address with a port that is free now.
func newServer(name, program, settings string) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	return &server{name: name, program: program, settings: settings, address: listener.Addr().String(), ended: make(chan struct{})}, nil
}

// start asks for the version, starts the process, and waits until it accepts
// connections.
func (s *server) start(ctx context.Context, folder string, version []string, arguments ...string) error {
	text, err := exec.CommandContext(ctx, s.program, version...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", s.program, strings.Join(version, " "), err, text)
	}
	first, _, _ := bytes.Cut(text, []byte("\n"))
	s.version = versionIn(string(first))
	if s.output, err = os.Create(filepath.Join(folder, s.name+".log")); err != nil {
		return err
	}
	s.process = exec.Command(s.program, arguments...)
	s.process.Env = append(os.Environ(), s.extra...)
	s.process.Stdout, s.process.Stderr = s.output, s.output
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt at the terminal is for this program
	if err := s.process.Start(); err != nil {
		s.output.Close()
		return fmt.Errorf("starting %s: %w", s.name, err)
	}
	go func() {
		s.process.Wait() // how it ended is in its log
		close(s.ended)
	}()
	if err := s.awaitReady(ctx); err != nil {
		s.stop()
		log, _ := os.ReadFile(s.output.Name()) // best effort, for the message
		return fmt.Errorf("%s does not accept connections at %s: %w\n%s", s.name, s.address, err, log)
	}
	return nil
}

// versionIn finds the first word of a version line that looks like one.
func versionIn(line string) string {
	for word := range strings.FieldsSeq(line) {
		word = strings.TrimPrefix(strings.TrimPrefix(word, "v"), "=")
		if word != "" && word[0] >= '0' && word[0] <= '9' {
			return word
		}
	}
	return line
}

func (s *server) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWait)
	defer cancel()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		conn, err := dialTCP(ctx, s.address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-look.C:
		case <-s.ended:
			return errors.New("the process has ended")
		case <-ctx.Done():
			return err
		}
	}
}

func (s *server) pid() int { return s.process.Process.Pid }

// stop ends the process, kindly first.
func (s *server) stop() {
	s.process.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-s.ended:
	case <-time.After(stopWait):
		s.process.Process.Kill()
		<-s.ended
	}
	s.output.Close()
}
