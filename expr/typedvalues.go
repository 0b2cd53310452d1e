package expr

import "farad/expr/message"

// typedValueFunctions are those of 02-expressions §10.8.
var typedValueFunctions = map[string]*function{
	"TRUE_VALUE": {usage: "TRUE_VALUE()",
		apply: func(*environment, []message.Value) message.Value { return message.BoolValue(true) }},
	"FALSE_VALUE": {usage: "FALSE_VALUE()",
		apply: func(*environment, []message.Value) message.Value { return message.BoolValue(false) }},
	"NAN_VALUE": {usage: "NAN_VALUE()",
		apply: func(*environment, []message.Value) message.Value { return notANumber() }},
	"CHAR_VALUE": {argumentsMin: 1, argumentsMax: 1, usage: "CHAR_VALUE(number from 0 to 255)", apply: charValue},
}

// everyByte holds the strings that charValue returns.
var everyByte = func() (all [256]byte) {
	for i := range all {
		all[i] = byte(i)
	}
	return all
}()

// charValue is the string of one byte; NULL for what is no byte's number.
func charValue(_ *environment, a []message.Value) message.Value {
	n := a[0].Number().AsFloat()
	if !(n >= 0 && n <= 255) || n != float64(byte(n)) {
		return message.Value{}
	}
	return message.StringValue(everyByte[byte(n) : int(byte(n))+1 : int(byte(n))+1])
}
