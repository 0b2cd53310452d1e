package expr

import (
	"slices"
	"strings"

	"farad/expr/message"
)

// function is an entry of the registry that the parser looks calls up in. It
// has either make, which builds a node of its own, or apply, for a call over
// scalar values.
type function struct {
	argumentsMin, argumentsMax int
	usage                      string
	make                       func(arguments []node) node

	// apply makes the result of the arguments' values. It may keep none of
	// them, but may return a part of one's text. It sees no NULL unless
	// takesNull is set: any NULL argument makes the result NULL.
	apply     func(e *environment, a []message.Value) message.Value
	takesNull bool

	// volatile marks a function that is not deterministic (02-expressions §9).
	volatile bool

	// fresh marks a function whose outcome depends on more than its arguments,
	// so that a call is never replaced by its outcome.
	fresh bool

	// pattern is the place of the argument whose literals are lexed as those
	// behind LIKE, and replacement of the one that may hold \1 to \9; 0 for
	// none, since neither ever stands first.
	pattern, replacement int
}

// argumentsUnlimited is for functions over any number of values; NodesMax
// bounds them.
const argumentsUnlimited = NodesMax

// functions are the known ones, by name in upper case.
var functions = registry(
	conditionalFunctions,
	stringComparisonFunctions,
	stringFunctions,
	regexFunctions,
	numericFunctions,
	trigonometricFunctions,
	extremeFunctions,
	timeFunctions,
	geospatialFunctions,
	checksumFunctions,
	arrayFunctions,
	typedValueFunctions,
	contextFunctions,
	legacyFunctions,
)

// conditionalFunctions are those of 02-expressions §10.1.
var conditionalFunctions = map[string]*function{
	"IF": {argumentsMin: 3, argumentsMax: 3, usage: "IF(condition, value, otherwise)",
		make: func(a []node) node { return &conditional{a[0], a[1], a[2]} }},
	"COALESCE": {argumentsMin: 1, argumentsMax: argumentsUnlimited, usage: "COALESCE(value, ...)",
		make: func(a []node) node { return &coalesce{a} }},
}

// registry joins families of functions; a name that stands in two is a mistake
// of this package.
func registry(families ...map[string]*function) map[string]*function {
	all := map[string]*function{}
	for _, family := range families {
		for name, f := range family {
			if all[name] != nil || (f.make == nil) == (f.apply == nil) {
				panic("expr: function " + name + " is defined twice or not at all")
			}
			all[name] = f
		}
	}
	return all
}

func functionNames() string {
	names := make([]string, 0, len(functions))
	for name := range functions {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
