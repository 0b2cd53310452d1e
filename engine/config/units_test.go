package config_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"farad/engine/config"
)

// 10-configuration #14
func TestOneDayIsOneIntervalHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"1d", "24h", "1440m", "86400s", "86400", "1D", "1 d", "1.0d", "86400000MS"} {
		if got, err := config.ParseInterval(text); err != nil || got != 24*time.Hour {
			t.Errorf("ParseInterval(%q) = %v, %v", text, got, err)
		}
	}
}

func TestIntervalsHaveTheirUnits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"0": 0, "1ns": 1, "250us": 250 * time.Microsecond, "0.5s": 500 * time.Millisecond,
		"1.9ns": 1, "2w": 14 * 24 * time.Hour, "10M": 10 * time.Minute, "5\n\t h": 5 * time.Hour,
		"9223372036854775807ns": math.MaxInt64, "0.1": 100 * time.Millisecond, "007": 7 * time.Second,
	} {
		if got, err := config.ParseInterval(text); err != nil || got != want {
			t.Errorf("ParseInterval(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestSizesArePowersOfTenOrOfTwoByTheirUnit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "10M": 10_000_000, "10m": 10_000_000, "2G": 2_000_000_000, "0.5T": 500_000_000_000,
		"1k": 1000, "1kb": 1024, "5MB": 5 << 20, "1GB": 1 << 30, "1 tb": 1 << 40, "1.5kb": 1536, "0.3": 0,
		"9223372036854775807": math.MaxInt64,
	} {
		if got, err := config.ParseSize(text); err != nil || got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestCountsAreWholeNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"0": 0, "12": 12, "10k": 10_000, "1.5K": 1500, "3g": 3_000_000_000} {
		if got, err := config.ParseCount(text); err != nil || got != want {
			t.Errorf("ParseCount(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestPercentagesAreReadWithAndWithoutSign(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]float64{"0": 0, "50%": 50, "12.5": 12.5, "100%": 100} {
		if got, err := config.ParsePercent(text); err != nil || got != want {
			t.Errorf("ParsePercent(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestMalformedNumbersAreRefusedWithTheirText(t *testing.T) {
	t.Parallel()
	parsers := map[string]func(string) error{
		"interval": func(s string) error { _, err := config.ParseInterval(s); return err },
		"size":     func(s string) error { _, err := config.ParseSize(s); return err },
		"count":    func(s string) error { _, err := config.ParseCount(s); return err },
		"percent":  func(s string) error { _, err := config.ParsePercent(s); return err },
	}
	bad := map[string][]string{
		"interval": {"1h30m", "1mb", "9223372036854775808ns", "1000000000000w", "1 s s", "1s "},
		"size":     {"5d", "1kib", "9223372036854775808", "9000000000t", "10 "},
		"count":    {"1.5", "1 k", "0.0001k", "9223372036854775808", "1kb"},
		"percent":  {"100.1", "101%", "50 %", "5%%"},
	}
	for kind, read := range parsers {
		for _, text := range append(bad[kind], "", "-1", "+1", "0x10", "1e3", ".5", "5.", "1.2.3", ".", "x", "1,5", "1_000", strings.Repeat("9", 65)) {
			err := read(text)
			if err == nil {
				t.Errorf("%s %q is accepted", kind, text)
			} else if !strings.Contains(err.Error(), "expected") || len(text) < 60 && !strings.Contains(err.Error(), strings.TrimSpace(text)) {
				t.Errorf("%s %q: %v", kind, text, err)
			}
		}
	}
}

func TestOverflowIsToldFromMalformed(t *testing.T) {
	t.Parallel()
	if _, err := config.ParseInterval("300y"); err == nil || !strings.Contains(err.Error(), "is not an interval") {
		t.Errorf("error %v", err)
	}
	if _, err := config.ParseInterval("99999w"); err == nil || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("error %v", err)
	}
}
