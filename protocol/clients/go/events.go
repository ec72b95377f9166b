package reloadrouter

import "encoding/json"

// An Event is one of Connected, Disconnected, Failed, Rejected, Lost, Outcome, Reload and Detached.
type Event interface{ isEvent() }

// Connected says that the router has accepted a session.
type Connected struct {
	// LastSeq is the highest push that the router had accepted before.
	LastSeq uint64
	// RejectedAfter says above which push the router still knew all rejected ones, if it has forgotten
	// some since this client last heard from it. Forgotten ones count as acknowledged.
	RejectedAfter uint64
}

// Disconnected says that a connection, or an attempt to make one, has ended. Another attempt follows
// unless Err.Retry is RetryNo.
type Disconnected struct{ Err *Error }

// Failed says that the client makes no further attempt.
type Failed struct{ Err *Error }

// Rejected says that the router has refused a push. It is not sent again.
type Rejected struct {
	Seq uint64
	Err *Error
}

// Lost says that the router has lost the pushes From to Through, which it had answered: its store was replaced
// by an older one. The publisher does not have them any more, either.
type Lost struct{ From, Through uint64 }

// Outcome says what became of a push; Body is the frame's JSON. A Seq of 0 is about the app.
type Outcome struct {
	Seq  uint64
	Body json.RawMessage
}

// Reload names widgets of a device that are to be reloaded. The answer is a Timeline for each.
type Reload struct {
	Seq     uint64                     `json:"-"`
	Device  string                     `json:"device"`
	Kinds   []string                   `json:"kinds"`
	Widgets []string                   `json:"widgets"`
	Cause   string                     `json:"cause"`
	Values  map[string]json.RawMessage `json:"values,omitempty"`
}

// Detached says that the gateway no longer speaks for a device, and why: the reason of DETACHED; or after a
// reconnect "unknown", or the code with which the router refused the device's widgets.
type Detached struct {
	Device string `json:"device"`
	Reason string `json:"reason"`
}

func (Connected) isEvent()    {}
func (Disconnected) isEvent() {}
func (Failed) isEvent()       {}
func (Rejected) isEvent()     {}
func (Lost) isEvent()         {}
func (Outcome) isEvent()      {}
func (Reload) isEvent()       {}
func (Detached) isEvent()     {}
