package expr

import (
	"slices"
	"strings"
)

// function is an entry of the registry that the parser looks calls up in.
type function struct {
	argumentsMin, argumentsMax int
	usage                      string
	make                       func(arguments []node) node
}

// functions are the known ones, by name in upper case.
var functions = map[string]function{
	"IF": {3, 3, "IF(condition, value, otherwise)", func(a []node) node { return &conditional{a[0], a[1], a[2]} }},
}

func functionNames() string {
	names := make([]string, 0, len(functions))
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
