package reloadrouter

import (
	"encoding/json"
	"fmt"
)

// Retry says whether the same is accepted when it is tried again.
type Retry string

// The values of Retry. A value that is none of these means RetryNo.
const (
	// RetryNo means: change the sender, its token or the app file first.
	RetryNo Retry = "no"
	// RetryLater means: the same may be accepted later.
	RetryLater Retry = "later"
	// RetryReconnect means: the same is accepted over a new connection.
	RetryReconnect Retry = "reconnect"
)

// An Error says why a session has ended, why a push is refused, or why a call has failed.
type Error struct {
	// Code is the protocol's code, such as "token-invalid". It is empty for faults of the network,
	// "protocol-broken" if the peer is no router, "limit-reached", and "closed" after Close.
	Code    string `json:"code"`
	Retry   Retry  `json:"retry"`
	Message string `json:"message"`
}

// ErrClosed is the error of calls after Close.
var ErrClosed = &Error{"closed", RetryNo, "the client is closed"}

func (e *Error) Error() string {
	if e.Code == "" {
		return e.Message
	}
	return e.Code + ": " + e.Message
}

func broken(format string, values ...any) *Error {
	return &Error{"protocol-broken", RetryNo, fmt.Sprintf(format, values...)}
}

func limitReached(limit string) *Error {
	return &Error{"limit-reached", RetryNo, "the limit of " + limit + " is reached"}
}

func lost(reason error) *Error {
	return &Error{"", RetryReconnect, reason.Error()}
}

func tooLong(bytes, limit int) *Error {
	return &Error{"frame-length", RetryNo, fmt.Sprintf("a body has %d bytes; the router takes %d", bytes, limit)}
}

// refusal reads the body of ERROR or REJECT.
func refusal(body []byte) *Error {
	var e Error
	if err := json.Unmarshal(body, &e); err != nil || e.Code == "" {
		return broken("a refusal has no code")
	}
	if e.Retry != RetryLater && e.Retry != RetryReconnect {
		e.Retry = RetryNo
	}
	return &e
}
