package expr_test

import (
	"strconv"
	"testing"
	"time"

	"farad/expr"
	"farad/expr/message"
)

var wholeContext = &expr.Context{
	Topic: []byte("orders"), CorrelationID: []byte("c-1"), Bookmark: []byte("7|3|"), SOWKey: []byte("k"), SOWKeyHash: 1 << 63, ClientName: []byte("pricer"),
	RemoteAddress: []byte("10.0.0.1:4711"), User: []byte("ann"), ClientVersion: []byte("1.2"), InstanceName: []byte("one"), GroupName: []byte("desk"),
	LastUpdated: 1733011200.25, LastRead: 2.5, Leases: 3, LastLeased: 4.5,
}

func TestFunctionsOfTheContext(t *testing.T) {
	t.Parallel()
	body := []byte(`{"a":"orders"}`)
	unknown := expr.NewScratch()
	known := expr.NewScratch()
	known.Context = wholeContext
	for expression, want := range map[string]string{
		`TOPIC_NAME()`: "orders", `CORRELATION_ID()`: "c-1", `BOOKMARK()`: "7|3|", `SOW_KEY()`: "k", `SOW_KEY_HASH()`: "9223372036854775808", `CLIENT_NAME()`: "pricer",
		`REMOTE_ADDRESS()`: "10.0.0.1:4711", `USER()`: "ann", `CLIENT_VERSION()`: "1.2", `AMPS_INSTANCE_NAME()`: "one", `AMPS_GROUP_NAME()`: "desk",
		`LAST_UPDATED()`: "1733011200.25", `LAST_READ()`: "2.5", `LEASE_COUNT()`: "3", `LAST_LEASED()`: "4.5", `message_size()`: "14",
		`TOPIC_NAME() = /a`: "true", `CONCAT(USER(), '@', TOPIC_NAME())`: "ann@orders",
	} {
		f := compile(t, expression)
		if got := text(f.Eval(message.JSON{}, body, known)); got != want {
			t.Errorf("%s is %s, not %s", expression, got, want)
		}
		if f.Deterministic() == (expression == `LAST_READ()`) {
			t.Errorf("%s: deterministic %v", expression, f.Deterministic())
		}
		if expression == `message_size()` || len(expression) > 22 || expression == `TOPIC_NAME() = /a` {
			continue
		}
		if got := text(f.Eval(message.JSON{}, body, unknown)); got != "NULL" {
			t.Errorf("%s without a context is %s", expression, got)
		}
	}
	m := expr.NewMatcher(message.JSON{})
	m.Add(1, compile(t, `TOPIC_NAME() = 'orders' AND USER() = 'ann'`))
	m.Add(2, compile(t, `TOPIC_NAME() = 'trades'`))
	if ids := m.Match(body, known); len(ids) != 1 || ids[0] != 1 {
		t.Errorf("matched %v", ids)
	}
	if ids := m.Match(body, unknown); len(ids) != 0 {
		t.Errorf("matched %v without a context", ids)
	}
}

func TestLegacyFunctions(t *testing.T) {
	t.Parallel()
	s := expr.NewScratch()
	const when = 1264413840 // 2010-01-25 10:04 UTC
	for expression, want := range map[string]string{
		`YEAR(1264413840)`: "2010", `MONTH(1264413840)`: "1", `DAY(1264413840.5)`: "25", `DATE_UTC(1264413840)`: "1264377600", `DATE_UTC(-1)`: "-86400",
		`YEAR('x')`: "NaN", `YEAR(NULL)`: "NULL", `YEAR(1e20)`: "NULL", `DATE_UTC(/t)`: "1264377600",
	} {
		f := compile(t, expression)
		if got := text(f.Eval(message.JSON{}, []byte(`{"t":1264413840}`), s)); got != want {
			t.Errorf("%s is %s, not %s", expression, got, want)
		}
	}
	local := time.Unix(when, 0)
	midnight := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.Local).Unix()
	if got := text(compile(t, `DATE(/t)`).Eval(message.JSON{}, []byte(`{"t":1264413840}`), s)); got != strconv.FormatInt(midnight, 10) {
		t.Errorf("DATE is %s, not %d", got, midnight)
	}
	for _, expression := range []string{`TODAY_UTC() % 86400 = 0`, `TODAY_UTC() <= UNIX_TIMESTAMP()`, `TODAY() <= UNIX_TIMESTAMP()`, `UNIX_TIMESTAMP() - TODAY() < 2 * 86400`} {
		if !compile(t, expression).Match(message.JSON{}, []byte(`{}`), s) {
			t.Errorf("%s is not true", expression)
		}
	}
	_, offset := time.Now().Zone()
	if got := text(compile(t, `TIMEZONEOFFSET()`).Eval(message.JSON{}, []byte(`{}`), s)); got != strconv.Itoa(offset) {
		t.Errorf("TIMEZONEOFFSET is %s, not %d", got, offset)
	}
	if !compile(t, `TODAY() > 0`).Deterministic() {
		t.Error("TODAY counts as not deterministic")
	}
}
