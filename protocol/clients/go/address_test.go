package reloadrouter

import (
	"context"
	"errors"
	"testing"
	"time"
)

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
