package reloadrouter

import (
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

const defaultPort = "7410"

// The beginning of 2001 and the end of 9999, in milliseconds since 1970: others are dates in another unit.
const firstDate, lastDate = 978_307_200_000, 253_402_300_799_999

// parseAddress returns HOST, HOST:PORT, [IPv6]:PORT or a bare IPv6 address as HOST:PORT.
func parseAddress(text string) (string, error) {
	host, port := text, defaultPort
	switch isBracketed := strings.HasPrefix(text, "["); {
	case net.ParseIP(text) != nil:
	case isBracketed && strings.HasSuffix(text, "]"):
		host = text[1 : len(text)-1]
	case strings.Contains(text, ":"):
		var err error
		if host, port, err = net.SplitHostPort(text); err != nil {
			return "", invalidAddress(text)
		}
	}
	number, err := strconv.ParseUint(port, 10, 16)
	isIPv6 := strings.Contains(host, ":")
	if host == "" || strings.ContainsAny(host, "/@[] ") || err != nil ||
		isIPv6 && net.ParseIP(host) == nil || !isIPv6 && strings.HasPrefix(text, "[") {
		return "", invalidAddress(text)
	}
	if number == 0 {
		return "", fmt.Errorf("reloadrouter: the port of the address %q is not from 1 to 65535", text)
	}
	return net.JoinHostPort(host, port), nil
}

func invalidAddress(text string) error {
	return fmt.Errorf("reloadrouter: %q is no address of a router: HOST, HOST:PORT or [IPv6]:PORT", text)
}

// checkDate refuses a date that looks like one in another unit.
func checkDate(ms int64, name string) error {
	if ms < firstDate || ms > lastDate {
		return fmt.Errorf(
			"reloadrouter: %s is %d, which is no date from 2001 to 9999 in milliseconds since 1970", name, ms)
	}
	return nil
}

// A NotConnectedError says that the router has not accepted a session in time. The client still tries.
type NotConnectedError struct {
	Address string
	// Waited is how long Connect has waited.
	Waited time.Duration
	// Cause is why the last attempt has failed; nil if none has ended.
	Cause *Error
	// ended is how the context has.
	ended error
}

func (e *NotConnectedError) Error() string {
	reason := "no attempt has ended yet"
	if e.Cause != nil {
		reason = e.Cause.Error()
	}
	return fmt.Sprintf("no session with %s within %s: %s", e.Address, e.Waited.Round(time.Millisecond), reason)
}

// Unwrap returns the error of the context: context.DeadlineExceeded, or context.Canceled.
func (e *NotConnectedError) Unwrap() error { return e.ended }
