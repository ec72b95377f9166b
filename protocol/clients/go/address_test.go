package reloadrouter

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestAddressesAreReadAsCommandsReadThem(t *testing.T) {
	for text, expected := range map[string]string{
		"router.example": "router.example:7410", "router.example:1": "router.example:1", "127.0.0.1": "127.0.0.1:7410",
		"[::1]:65535": "[::1]:65535", "[::1]": "[::1]:7410", "::1": "[::1]:7410", "2001:db8::7410": "[2001:db8::7410]:7410",
	} {
		if found, err := parseAddress(text); err != nil || found != expected {
			t.Errorf("%q: %q, %v", text, found, err)
		}
	}
	for _, text := range []string{"", ":7410", "a:", "a:0", "a:65536", "a:http", "a:-1", "a:+1", "[::1", "[::1]7410",
		"[a]:1", "a:1:2", "https://a:1", "a/b", "a b:1", "u@a:1"} {
		if found, err := parseAddress(text); err == nil {
			t.Errorf("%q is taken as %q", text, found)
		}
	}
}

func TestDatesOfTimelinesInAnotherUnitAreRefused(t *testing.T) {
	gateway, err := NewGateway(Options{Address: "localhost", App: "a", Plaintext: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, timeline := range []Timeline{
		{Entries: []int64{1_795_000_000}, Policy: Never}, {Entries: []int64{0}, Policy: AtEnd},
		{Policy: After(time.UnixMilli(1_795_000_000))}, {Policy: After(time.Time{})},
	} {
		if _, err := gateway.Timeline(context.Background(), timeline); err == nil {
			t.Errorf("%v is taken", timeline)
		}
	}
}

func TestConnectEndsWithoutADeadlineToo(t *testing.T) {
	publisher, err := NewPublisher(Options{
		Address: "127.0.0.1:1", App: "a", Producer: "p", Plaintext: true, ConnectLimit: 50 * time.Millisecond,
		OnEvent: func(Event) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer publisher.Close()
	err = publisher.Connect(context.Background())
	var reason *NotConnectedError
	if !errors.As(err, &reason) || !errors.Is(err, context.DeadlineExceeded) || reason.Cause == nil {
		t.Fatalf("%v", err)
	}
}
