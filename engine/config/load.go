package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ThresholdDefault is the default of ConfigCycleDetectionThreshold, 5 MB.
const ThresholdDefault = 5 << 20

// Options is where a configuration finds what it refers to.
type Options struct {
	// Variables win over Environ: those of -D.
	Variables map[string]string
	// Environ looks a variable of the process up; nil means os.LookupEnv.
	Environ func(name string) (value string, ok bool)
	// WorkingDirectory is what relative paths refer to; empty means the
	// process's.
	WorkingDirectory string
}

// Load reads and checks the configuration file at path. The Config is nil if
// and only if the Report holds an error.
func Load(path string, o Options) (*Config, *Report) {
	l, root := open(path, o)
	return l.finish(root)
}

// Parse reads and checks text as if it were the content of the file name.
// Included files are read.
func Parse(name string, text []byte, o Options) (*Config, *Report) {
	l := newLoader(name, o)
	return l.finish(l.parse(text))
}

// Dump returns the configuration at path with includes and variables resolved
// (--dump-config). It does not ask whether the settings make sense, so that a
// file that is refused can be looked at; the Report holds an error, and the
// text is nil, only if the XML could not be resolved.
func Dump(path string, o Options) ([]byte, *Report) {
	l, root := open(path, o)
	l.report.complete()
	if l.report.Err() != nil {
		return nil, l.report
	}
	return dump(root, l.commentIncludes), l.report
}

// loader carries one configuration from files to a tree.
type loader struct {
	source  string
	options Options
	report  *Report
	// chain are the files being read, the main one first.
	chain []source
	// limit is the value of ConfigCycleDetectionThreshold so far, size what
	// has been read against it.
	limit, size int64
	// exceeded: that has been found too much, and reported.
	exceeded bool
	// commentIncludes is ConfigIncludeCommentDefault so far.
	commentIncludes bool
	elements        int
	inclusions      int
	// incomplete: something could not be read, so what is missing may have
	// stood there.
	incomplete bool
}

// source is one file of the chain of inclusions.
type source struct {
	shown    string // as messages name it
	identity string // the same for all names of a file
}

func newLoader(name string, o Options) *loader {
	if o.Environ == nil {
		o.Environ = os.LookupEnv
	}
	l := &loader{source: name, options: o, report: newReport(name), limit: ThresholdDefault}
	l.chain = []source{{shown: name, identity: l.identity(name)}}
	return l
}

// open reads the main file and resolves it.
func open(path string, o Options) (*loader, *element) {
	l := newLoader(path, o)
	text, err := readFile(l.located(path))
	if err != nil {
		l.report.add(Finding{File: path, Line: 1, Column: 1, Severity: SeverityError, ElementPath: rootName, Message: err.Error()})
		return l, nil
	}
	return l, l.parse(text)
}

// parse resolves the text of the main file; nil if that is impossible.
func (l *loader) parse(text []byte) *element {
	if int64(len(text)) > FileBytesMax {
		l.failXML(&xmlError{place{l.source, 1, 1}, rootName, tooLarge(FileBytesMax)})
		return nil
	}
	top, err := readElements(l.source, text, 0, &l.elements)
	if err != nil {
		l.failXML(err)
		return nil
	}
	root := l.root(top)
	if root == nil {
		return nil
	}
	l.size = int64(len(text))
	l.presetFrom(root)
	l.resolve(root)
	root.number(1)
	if !l.incomplete {
		l.size = max(l.size, int64(len(dump(root, l.commentIncludes))))
	}
	l.grow(0, root)
	return root
}

// root returns the one element that a main file must have.
func (l *loader) root(top *element) *element {
	var root *element
	top.children(func(e *element) {
		e.parent = nil
		switch {
		case root != nil:
			l.failXML(&xmlError{e.at, e.name, fmt.Sprintf("a second top-level element; the only one is %s of %s", root.name, root.at)})
		case e.name != rootName:
			l.failXML(&xmlError{e.at, e.name, fmt.Sprintf("%s is not the root of a configuration; expected %s", quoted(e.name), rootName)})
		}
		if root == nil {
			root = e
		}
	})
	if root == nil {
		l.failXML(&xmlError{place{l.source, 1, 1}, rootName, "the file holds no element; expected " + rootName})
	}
	if l.incomplete {
		return nil
	}
	return root
}

// presetFrom takes the settings that steer the reading itself from the main
// file before anything is included.
func (l *loader) presetFrom(root *element) {
	root.children(l.preset)
}

// preset takes e if it steers the reading. Bad values are reported later, when
// all values are.
func (l *loader) preset(e *element) {
	if e.name != thresholdName && e.name != commentDefault {
		return
	}
	text, problems := l.expand(e.value())
	if len(problems) > 0 {
		return
	}
	switch e.name {
	case thresholdName:
		if limit, err := ParseSize(text); err == nil && limit <= FileBytesMax {
			l.limit = limit
		}
	case commentDefault:
		if comment, err := ParseBool(text); err == nil {
			l.commentIncludes = comment
		}
	}
}

// finish validates the tree.
func (l *loader) finish(root *element) (*Config, *Report) {
	if root == nil {
		return nil, l.report
	}
	c := newChecker(l, root).check()
	l.report.complete()
	if l.report.Err() != nil {
		return nil, l.report
	}
	c.Source = l.source
	c.Expanded = dump(root, l.commentIncludes)
	return c, l.report
}

// fail reports an error at e that no setting turns into a warning.
func (l *loader) fail(e *element, format string, args ...any) {
	l.report.add(Finding{
		File: e.at.file, Line: e.at.line, Column: e.at.column, Severity: SeverityError,
		Message: fmt.Sprintf(format, args...), element: e, base: e,
	})
}

// failXML reports what ended the reading of the main file.
func (l *loader) failXML(err error) { l.failFile(err, nil) }

// failFile reports what ended the reading of a file that include, if not nil,
// names.
func (l *loader) failFile(err error, include *element) {
	l.incomplete = true
	var x *xmlError
	if !errors.As(err, &x) {
		panic("config: not an error of the reader: " + err.Error())
	}
	f := Finding{
		File: x.at.file, Line: x.at.line, Column: x.at.column, Severity: SeverityError,
		ElementPath: x.path, Message: x.message, element: include,
	}
	switch {
	case include != nil:
		f.Message += fmt.Sprintf(" (included from %s)", include.at)
		f.base = include.parent
		if x.path != "" {
			f.below = "/" + x.path
		}
	case x.path == "":
		f.ElementPath = rootName
	}
	l.report.add(f)
}

// grow counts n further bytes of expanded text and reports whether all so far
// fit; the first time that they don't is an error at e.
func (l *loader) grow(n int64, e *element) bool {
	l.size += n
	if l.size <= l.limit {
		return true
	}
	if !l.exceeded {
		l.exceeded = true
		l.failThreshold(e)
	}
	return false
}

func (l *loader) failThreshold(e *element) {
	l.incomplete = true
	l.fail(e, "the expanded configuration is larger than %s of %d bytes", thresholdName, l.limit)
}

// located is a path as the system takes it.
func (l *loader) located(path string) string {
	if filepath.IsAbs(path) || l.options.WorkingDirectory == "" {
		return path
	}
	return filepath.Join(l.options.WorkingDirectory, path)
}

// identity is the same for all paths to one file.
func (l *loader) identity(path string) string {
	path = l.located(path)
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return path
}

// readFile reads a file of at most FileBytesMax.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, readError(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, FileBytesMax+1))
	if err != nil {
		return nil, readError(err)
	}
	if len(text) > FileBytesMax {
		return nil, errors.New(tooLarge(FileBytesMax))
	}
	return text, nil
}

// readError drops the path, which the message around it names as the
// operator wrote it.
func readError(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("the file cannot be read: %w", err)
}

func tooLarge(limit int) string { return fmt.Sprintf("the file is larger than %d bytes", limit) }
