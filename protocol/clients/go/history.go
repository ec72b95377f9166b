package reloadrouter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

const (
	// longestHistory is the most bytes of an answer that History reads. Beyond: an error.
	longestHistory = 1 << 20
	// historyWidgets is the most widgets of a page.
	historyWidgets = 64
)

// A History says what has become of a push so far: it is a page of at most 64 of the widgets that it matches.
type History struct {
	// Matched is how many widgets the push matches, and At when it came, in milliseconds since 1970.
	Matched int   `json:"matched"`
	At      int64 `json:"at"`
	// Outcomes has how many of all its widgets have each outcome, and Kinds how many each kind; in the first page.
	Outcomes map[string]int  `json:"outcomes"`
	Kinds    map[string]int  `json:"kinds"`
	Widgets  []HistoryWidget `json:"widgets"`
	// Next is what the next page is asked for after; nil if there is none.
	Next *int `json:"next"`
}

// A HistoryWidget says what became of a push for a widget.
type HistoryWidget struct {
	Device string `json:"device"`
	Widget string `json:"widget"`
	Kind   string `json:"kind"`
	// Outcome is what its reload waits for now, until Until if that is known, or how it has ended, at At: one of
	// the reasons of the protocol, "ready", "undecided" or "unknown". First is what it was when the push came.
	Outcome string `json:"outcome"`
	At      int64  `json:"at"`
	Until   int64  `json:"until"`
	First   string `json:"first"`
	// Why is for people.
	Why string `json:"why"`
}

// History asks the router's listener for publishers (Options.HTTPAddress) what has become of the push with a
// number, after the widget at a position: the Next of the page before, or nil for the first page. The session need
// not be open. An *Error with the code "push-unknown" says that no such push was accepted, and "push-forgotten"
// that the router does not keep it any more.
func (p *Publisher) History(ctx context.Context, seq uint64, after *int) (*History, error) {
	if p.options.HTTPAddress == "" {
		return nil, errors.New("reloadrouter: Options.HTTPAddress names no listener for publishers")
	}
	scheme := "https"
	if p.options.Plaintext {
		scheme = "http"
	}
	address := fmt.Sprintf("%s://%s/v1/apps/%s/pushes/%s/%d?limit=%d", scheme, p.options.HTTPAddress,
		url.PathEscape(p.options.App), url.PathEscape(p.options.Producer), seq, historyWidgets)
	if after != nil {
		address += fmt.Sprintf("&after=%d", *after)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if p.options.Token != "" {
		request.Header.Set("Authorization", "Bearer "+p.options.Token)
	}
	// Questions are rare: none of them keeps a connection.
	transport := &http.Transport{TLSClientConfig: p.options.TLS.Clone(), DisableKeepAlives: true}
	answer, err := (&http.Client{Transport: transport, CheckRedirect: follow}).Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, lost(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, longestHistory))
	if err != nil {
		return nil, lost(err)
	}
	var history History
	if answer.StatusCode != http.StatusOK {
		return nil, problemOf(answer.StatusCode, body)
	}
	if err := json.Unmarshal(body, &history); err != nil {
		return nil, broken("a history: %s", err)
	}
	return &history, nil
}

// follow follows no redirect, which could lead the token elsewhere.
func follow(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// problemOf is the error that an answer over HTTP says.
func problemOf(status int, body []byte) *Error {
	var problem struct {
		Code   string `json:"code"`
		Detail string `json:"detail"`
	}
	if json.Unmarshal(body, &problem) != nil || problem.Code == "" {
		problem.Code, problem.Detail = fmt.Sprintf("status-%d", status), "the answer is none of a router"
	}
	retry := RetryNo
	if status == http.StatusTooManyRequests || status >= 500 {
		retry = RetryLater
	}
	return &Error{problem.Code, retry, problem.Detail}
}
