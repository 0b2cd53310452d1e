package config

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"farad/expr/message"
)

// messageTypes reads the declared message types (10-configuration §5.4), in
// order: a composite may name what stands before it.
func (c *checker) messageTypes() {
	c.config.Types = message.NewTypes()
	section := c.root.first("MessageTypes")
	if section == nil {
		return
	}
	var names taken
	for _, e := range section.named("MessageType") {
		if !e.unambiguous() {
			continue
		}
		before := c.problems
		var d message.Definition
		if name, ok := c.required(e, "Name"); ok {
			d.Name = c.name(name)
			if other := names.by(d.Name, name); other != nil {
				c.problem(name, "%s is also the name of the message type at %s", quoted(d.Name), other.at)
			}
		}
		module, ok := c.required(e, "Module")
		if ok {
			d.Module = module.value()
			if l, isLacking := lacking(module, d.Module); isLacking {
				c.refuse(module, l.security, l.message())
			}
		}
		settings := c.typeSettings(e, &d)
		if c.problems == before && d.Name != "" && d.Module != "" {
			c.define(e, module, d, settings)
		}
	}
}

// typeSettings are the elements of a declaration that its module reads.
func (c *checker) typeSettings(e *element, d *message.Definition) []*element {
	var settings []*element
	e.children(func(s *element) {
		path := s.schemaPath()
		if _, provided := schema[path]; !provided || schema[path].ignored != "" || s.broken {
			return
		}
		value := s.value()
		switch s.name {
		case "Name", "Module":
			return
		case "Type":
			if d.Module != "protobuf" {
				c.notice(s, "accepted and ignored (obsolete for module %s)", d.Module)
				return
			}
		case "ProtoPath":
			alias, directory, found := strings.Cut(value, ";")
			if !found {
				alias, directory = "", value
			}
			value = alias + ";" + c.absolute(directory)
		}
		d.Settings = append(d.Settings, message.Setting{Name: s.name, Value: value})
		settings = append(settings, s)
	})
	return settings
}

// absolute is what a relative path of the configuration refers to.
func (c *checker) absolute(path string) string {
	if path == "" || filepath.IsAbs(path) || c.options.WorkingDirectory == "" {
		return path
	}
	return filepath.Join(c.options.WorkingDirectory, path)
}

// define adds a type, or reports why there is none at the element that is at
// fault.
func (c *checker) define(e, module *element, d message.Definition, settings []*element) {
	err := c.config.Types.Define(d)
	if err == nil {
		return
	}
	at := e
	var fault *message.DefinitionError
	switch {
	case errors.As(err, &fault) && fault.Setting >= 0:
		at = settings[fault.Setting]
	case !slices.Contains(message.Modules(), d.Module):
		at = module
	}
	c.problem(at, "%v", err)
}
