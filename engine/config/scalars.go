package config

import (
	"cmp"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

var booleans = map[string]bool{
	"true": true, "enabled": true, "1": true, "yes": true, "on": true,
	"false": false, "disabled": false, "0": false, "no": false, "off": false,
}

// ParseBool reads a boolean: true, enabled, yes, on or 1, false, disabled, no,
// off or 0, in any case.
func ParseBool(text string) (bool, error) {
	value, ok := booleans[strings.ToLower(text)]
	if !ok {
		return false, fmt.Errorf("%s is not a boolean; expected true or enabled, false or disabled", quoted(text))
	}
	return value, nil
}

// fileMaskMax is the largest mode that chmod takes.
const fileMaskMax = 0o7777

// ParseFileMask reads an octal file mode as for chmod. The result holds the
// bits as chmod numbers them.
func ParseFileMask(text string) (fs.FileMode, error) {
	mask, err := strconv.ParseUint(text, 8, 32)
	if err != nil || mask > fileMaskMax || strings.HasPrefix(text, "+") || strings.Contains(text, "_") {
		return 0, fmt.Errorf("%s is not a file mask; expected an octal number up to 7777, such as 0640", quoted(text))
	}
	return fs.FileMode(mask), nil
}

// versionParts is how many parts of a version are compared: MAJOR, MINOR,
// FEATURE and HOTFIX. The further ones, TIMESTAMP and TAG, name a build of
// AMPS that Farad has no counterpart of.
const versionParts = 4

// versionPartsMax is how many parts a version may have.
const versionPartsMax = 6

// Version is a version as far as it is compared.
type Version [versionParts]uint32

// ParseVersion reads dotted numbers, one to six parts, of which the sixth may
// be any text. Missing parts are zero.
func ParseVersion(text string) (Version, error) {
	var v Version
	parts := strings.SplitN(text, ".", versionPartsMax+1)
	invalid := len(parts) > versionPartsMax
	for i, part := range parts {
		if i == versionPartsMax-1 {
			invalid = invalid || part == ""
			continue
		}
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || i < versionParts && n > 1<<32-1 {
			invalid = true
			break
		}
		if i < versionParts {
			v[i] = uint32(n)
		}
	}
	if invalid {
		return Version{}, fmt.Errorf("%s is not a version; expected dotted numbers such as %s", quoted(text), Level)
	}
	return v, nil
}

// Compare returns -1, 0 or 1 as v is older than, the same as or newer than w.
func (v Version) Compare(w Version) int {
	for i := range v {
		if c := cmp.Compare(v[i], w[i]); c != 0 {
			return c
		}
	}
	return 0
}
