package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// How long a scenario waits for a process to say or do what is expected.
const scriptPatience = 20 * time.Second

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"farad": func() { os.Exit(run()) }})
}

// TestScripts runs the scenarios of testdata/script. Beside testscript's own
// commands they have:
//
//	server NAME [CONFIG]       start farad serve on a free port; $NAME and, for
//	                           the first one, $SERVER are its address
//	stop NAME, kill9 NAME      end a server in order, or at once
//	start NAME ARG...          start farad with these arguments
//	startpipe NAME N ARG...    the same, its standard output a pipe whose reader
//	                           goes away after N lines
//	hungup NAME                wait until that reader has gone away
//	await NAME 'PATTERN'       wait until what NAME wrote to standard error
//	                           matches the regular expression
//	interrupt NAME             send SIGINT to NAME
//	finish NAME CODE           wait for NAME to end with this exit code; what it
//	                           wrote is in NAME.out and NAME.err
//	exits CODE ARG...          run farad; it must end with this exit code; what
//	                           it wrote is in exits.out and exits.err. An ARG <FILE is its
//	                           standard input
//	lines FILE COUNT           FILE has that many lines
//	took MIN MAX               the last exits took so long
//	nobody NAME                NAME is the address of a port where nobody listens
func TestScripts(t *testing.T) {
	t.Parallel()
	flights, err := filepath.Abs("testdata/flights.json")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("FLIGHTS", flights)
			e.Setenv("TENTHOUSAND", filepath.Join(e.WorkDir, "tenthousand"))
			if err := os.WriteFile(e.Getenv("TENTHOUSAND"), bytes.Repeat([]byte("1\n"), 10_000), 0o644); err != nil {
				return err
			}
			ps := &processes{named: map[string]*process{}}
			e.Values[processesKey{}] = ps
			e.Defer(ps.killAll)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"server": scriptServer, "stop": scriptStop, "kill9": scriptKill,
			"start": scriptStart, "startpipe": scriptStartPipe, "hungup": scriptHungUp, "await": scriptAwait, "interrupt": scriptInterrupt, "finish": scriptFinish,
			"exits": scriptExits, "lines": scriptLines, "took": scriptTook, "nobody": scriptNobody,
		},
	})
}

type processesKey struct{}

// processes are those of one scenario; its goroutine owns them.
type processes struct {
	named map[string]*process
	took  time.Duration // of the last exits
}

func (ps *processes) killAll() {
	for _, p := range ps.named {
		p.command.Process.Kill()
		<-p.ended
	}
}

// process is one farad that runs beside its scenario.
type process struct {
	command     *exec.Cmd
	out, errors watched
	ended       chan struct{}
	hungUp      chan struct{} // of startpipe: the reader has gone away
}

// watched collects what a process writes and lets somebody wait for it.
type watched struct {
	mu    sync.Mutex
	text  bytes.Buffer
	wrote chan struct{} // holds one when there is more
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.text.Write(p)
	select {
	case w.wrote <- struct{}{}:
	default:
	}
	return n, err
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// await returns the first match of a pattern and its groups, nil if the
// process ended or time was up without one.
func (w *watched) await(pattern *regexp.Regexp, ended <-chan struct{}) []string {
	deadline := time.After(scriptPatience)
	for {
		if m := pattern.FindStringSubmatch(w.String()); m != nil {
			return m
		}
		select {
		case <-w.wrote:
		case <-ended:
			return pattern.FindStringSubmatch(w.String())
		case <-deadline:
			return nil
		}
	}
}

func scenario(ts *testscript.TestScript) *processes {
	return ts.Value(processesKey{}).(*processes)
}

// arguments refuses a negated command and a wrong number of arguments.
func arguments(ts *testscript.TestScript, neg bool, args []string, usage string, least, most int) {
	if neg || len(args) < least || (most >= 0 && len(args) > most) {
		ts.Fatalf("usage: %s", usage)
	}
}

// prepare makes a process that collects what it writes.
func prepare(ts *testscript.TestScript, args []string) *process {
	p := &process{command: faradCommand(ts, args), ended: make(chan struct{})}
	p.out.wrote, p.errors.wrote = make(chan struct{}, 1), make(chan struct{}, 1)
	p.command.Stdout, p.command.Stderr = &p.out, &p.errors
	return p
}

// launch starts farad in the scenario's folder with its environment.
func launch(ts *testscript.TestScript, name string, args ...string) *process {
	return begin(ts, name, prepare(ts, args))
}

// begin starts a process and enters it under its name.
func begin(ts *testscript.TestScript, name string, p *process) *process {
	ps := scenario(ts)
	if ps.named[name] != nil {
		ts.Fatalf("%s was started already", name)
	}
	ts.Check(p.command.Start())
	ps.named[name] = p
	go func() {
		defer close(p.ended)
		p.command.Wait()
	}()
	return p
}

// faradCommand is farad with arguments, of which <FILE is its input.
func faradCommand(ts *testscript.TestScript, args []string) *exec.Cmd {
	var input io.Reader
	var rest []string
	for _, arg := range args {
		if file, ok := strings.CutPrefix(arg, "<"); ok {
			input = strings.NewReader(ts.ReadFile(file))
			continue
		}
		rest = append(rest, arg)
	}
	path, err := lookFarad(ts)
	ts.Check(err)
	command := exec.Command(path, rest...)
	command.Dir = ts.MkAbs(".")
	command.Env = os.Environ()
	for _, name := range []string{"FARAD_SERVER", "FARAD_TYPE", "PATH"} {
		command.Env = append(command.Env, name+"="+ts.Getenv(name))
	}
	command.Stdin = input
	return command
}

// lookFarad finds the farad that testscript put into the scenario's PATH.
func lookFarad(ts *testscript.TestScript) (string, error) {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		path := filepath.Join(dir, "farad")
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no farad in PATH %s", ts.Getenv("PATH"))
}

func named(ts *testscript.TestScript, name string) *process {
	p := scenario(ts).named[name]
	if p == nil {
		ts.Fatalf("nothing called %s was started", name)
	}
	return p
}

// defaultConfiguration is a server for every message type on a free port.
const defaultConfiguration = `<AMPSConfig>
  <Name>scenario</Name>
  <Transports>
    <Transport>
      <Name>any</Name>
      <Type>tcp</Type>
      <InetAddr>127.0.0.1:0</InetAddr>
      <Protocol>amps</Protocol>
    </Transport>
  </Transports>
  <Logging>
    <Target>
      <Protocol>stdout</Protocol>
      <Level>info</Level>
    </Target>
  </Logging>
</AMPSConfig>
`

var listens = regexp.MustCompile(`listens on (127\.0\.0\.1:\d+)`)

func scriptServer(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "server NAME [CONFIG]", 1, 2)
	configuration := args[0] + ".xml"
	if len(args) == 2 {
		configuration = args[1]
	} else {
		ts.Check(os.WriteFile(ts.MkAbs(configuration), []byte(defaultConfiguration), 0o644))
	}
	p := launch(ts, args[0], "serve", configuration)
	found := p.out.await(listens, p.ended)
	if found == nil {
		ts.Fatalf("server %s is not ready:\n%s%s", args[0], p.out.String(), p.errors.String())
	}
	ts.Setenv(args[0], found[1])
	if ts.Getenv("SERVER") == "" {
		ts.Setenv("SERVER", found[1])
	}
}

func scriptStop(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "stop NAME", 1, 1)
	p := named(ts, args[0])
	ts.Check(p.command.Process.Signal(syscall.SIGTERM))
	expectEnd(ts, args[0], p, 0)
	delete(scenario(ts).named, args[0])
}

func scriptKill(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "kill9 NAME", 1, 1)
	p := named(ts, args[0])
	ts.Check(p.command.Process.Kill())
	<-p.ended
	delete(scenario(ts).named, args[0])
}

func scriptStart(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "start NAME ARG...", 2, -1)
	launch(ts, args[0], args[1:]...)
}

func scriptStartPipe(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "startpipe NAME N ARG...", 3, -1)
	lines, err := strconv.Atoi(args[1])
	ts.Check(err)
	read, write, err := os.Pipe()
	ts.Check(err)
	p := prepare(ts, args[2:])
	p.command.Stdout, p.hungUp = write, make(chan struct{})
	begin(ts, args[0], p)
	ts.Check(write.Close())
	go func() {
		defer close(p.hungUp)
		defer read.Close()
		reader := bufio.NewReader(read)
		for range lines {
			line, _ := reader.ReadBytes('\n')
			p.out.Write(line)
		}
	}()
}

func scriptHungUp(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "hungup NAME", 1, 1)
	select {
	case <-named(ts, args[0]).hungUp:
	case <-time.After(scriptPatience):
		ts.Fatalf("the reader of %s has not seen enough", args[0])
	}
}

func scriptAwait(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "await NAME PATTERN", 2, 2)
	pattern, err := regexp.Compile(args[1])
	ts.Check(err)
	p := named(ts, args[0])
	if p.errors.await(pattern, p.ended) == nil {
		ts.Fatalf("%s did not say %s:\n%s", args[0], args[1], p.errors.String())
	}
}

func scriptInterrupt(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "interrupt NAME", 1, 1)
	ts.Check(named(ts, args[0]).command.Process.Signal(os.Interrupt))
}

func scriptFinish(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "finish NAME CODE", 2, 2)
	code, err := strconv.Atoi(args[1])
	ts.Check(err)
	p := named(ts, args[0])
	expectEnd(ts, args[0], p, code)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".out"), []byte(p.out.String()), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".err"), []byte(p.errors.String()), 0o644))
	delete(scenario(ts).named, args[0])
}

func expectEnd(ts *testscript.TestScript, name string, p *process, code int) {
	select {
	case <-p.ended:
	case <-time.After(scriptPatience):
		ts.Fatalf("%s does not end:\n%s%s", name, p.out.String(), p.errors.String())
	}
	if got := p.command.ProcessState.ExitCode(); got != code {
		ts.Fatalf("%s ended with exit code %d, want %d:\n%s%s", name, got, code, p.out.String(), p.errors.String())
	}
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "exits CODE ARG...", 2, -1)
	code, err := strconv.Atoi(args[0])
	ts.Check(err)
	started := time.Now()
	p := launch(ts, "exits", args[1:]...)
	expectEnd(ts, strings.Join(args[1:], " "), p, code)
	scenario(ts).took = time.Since(started)
	ts.Logf("%s%s", p.out.String(), p.errors.String())
	ts.Check(os.WriteFile(ts.MkAbs("exits.out"), []byte(p.out.String()), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("exits.err"), []byte(p.errors.String()), 0o644))
	delete(scenario(ts).named, "exits")
}

func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "lines FILE COUNT", 2, 2)
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); got != want {
		ts.Fatalf("%s has %d lines, want %d", args[0], got, want)
	}
}

func scriptTook(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "took MIN MAX", 2, 2)
	least, err := time.ParseDuration(args[0])
	ts.Check(err)
	most, err := time.ParseDuration(args[1])
	ts.Check(err)
	if took := scenario(ts).took; took < least || took > most {
		ts.Fatalf("it took %v, want %v to %v", took, least, most)
	}
}

func scriptNobody(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, "nobody NAME", 1, 1)
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Setenv(args[0], listener.Addr().String())
	ts.Check(listener.Close())
}
