// Package config turns a configuration file in XML into a typed, validated
// Config (10-configuration).
//
// In come the text of the file, the files that it includes and the variables
// it refers to. Out go a Config, or a Report that says everything that is
// wrong and where. The package opens the configuration files and nothing else:
// no port, no data, no network, so that checking a file changes nothing. It
// must never know what the server does with a setting.
//
// The way of a file, in the order of 10-configuration §2.1:
//
//	reader.go     bytes to a tree of elements with their places
//	include.go    Include elements are replaced by what they name
//	variables.go  ${NAME} is replaced in texts and attributes
//	structure.go  unknown, repeated, misplaced and not yet provided elements
//	instance.go, transport.go, logging.go, tuning.go
//	              elements to typed values
//	dump.go       the tree as XML again
//
// What the package knows of elements stands in two tables: schema.go, what
// this version of Farad provides, and lacking.go, what it does not provide.
package config
