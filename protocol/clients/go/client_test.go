package reloadrouter

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A peer is the router's end of a connection, which a test plays.
type peer struct {
	t      *testing.T
	conn   net.Conn
	buffer []byte
}

// A stage is a listener to which clients connect, and their events.
type stage struct {
	t        *testing.T
	listener net.Listener
	events   chan Event
}

func newStage(t *testing.T) *stage {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return &stage{t, listener, make(chan Event, 1_000)}
}

func (s *stage) options() Options {
	return Options{
		Address: s.listener.Addr().String(), App: "com.mygame", Token: "t", Producer: "shard-7",
		Plaintext: true, FirstPause: 2 * time.Millisecond, LongestPause: 20 * time.Millisecond,
		OnEvent: func(event Event) { s.events <- event },
	}
}

// open accepts a connection and its HELLO, and answers with WELCOME.
func (s *stage) open(welcome string) (*peer, hello) {
	s.t.Helper()
	conn, err := s.listener.Accept()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	p := &peer{t: s.t, conn: conn}
	var h hello
	if err := json.Unmarshal(p.expect(kindHello).body, &h); err != nil {
		s.t.Fatal(err)
	}
	p.send(kindWelcome, 0, welcome)
	return p, h
}

func (p *peer) expect(kind byte) frame {
	p.t.Helper()
	p.conn.SetReadDeadline(time.Now().Add(60 * time.Second))
	for {
		f, size, err := decodeFrame(p.buffer, longestBody)
		if err != nil {
			p.t.Fatal(err)
		}
		if size > 0 {
			p.buffer = p.buffer[size:]
			if f.kind != kind {
				p.t.Fatalf("type %#x came, not %#x", f.kind, kind)
			}
			return f
		}
		data := make([]byte, 4_096)
		count, err := p.conn.Read(data)
		if err != nil {
			p.t.Fatal(err)
		}
		p.buffer = append(p.buffer, data[:count]...)
	}
}

func (p *peer) send(kind byte, seq uint64, body string) {
	p.conn.Write(appendFrame(nil, kind, seq, []byte(body)))
}

// next is the next event of a type.
func next[E Event](s *stage) E {
	s.t.Helper()
	for {
		select {
		case event := <-s.events:
			if event, ok := event.(E); ok {
				return event
			}
		case <-time.After(60 * time.Second):
			s.t.Fatalf("no %T came", *new(E))
		}
	}
}

const standard = `{"v":1,"session":"0","maxBody":65536,"window":8192,"lastSeq":0}`

func withTimeout(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func (s *stage) publisher(options Options) *Publisher {
	s.t.Helper()
	publisher, err := NewPublisher(options)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { publisher.Close() })
	go publisher.Connect(context.Background())
	return publisher
}

func push(t *testing.T, publisher *Publisher, n int) uint64 {
	t.Helper()
	seq, err := publisher.Push(withTimeout(t), Push{Payload: map[string]int{"n": n}})
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func TestPushWaitsForItsContext(t *testing.T) {
	s := newStage(t)
	options := s.options()
	options.QueueCount = 1
	publisher := s.publisher(options)
	s.open(standard)
	push(t, publisher, 1)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := publisher.Push(ctx, Push{Payload: struct{}{}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a push waited: %v", err)
	}
}

func TestAnOutboxIsWrittenAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "outbox")
	o, _, err := openOutbox(path, "a", "p")
	if err != nil {
		t.Fatal(err)
	}
	frame := appendFrame(nil, kindPush, 1, make([]byte, outboxSlack))
	last := appendFrame(nil, kindPush, 2, []byte(`{}`))
	for _, frame := range [][]byte{frame, last} {
		if err := o.append(frame); err != nil {
			t.Fatal(err)
		}
	}
	o.settle([]pending{{2, last}}, 1, len(last))
	if info, _ := os.Stat(path); info.Size() > 1_000 {
		t.Errorf("the file has %d bytes", info.Size())
	}
	if err := o.close(); err != nil {
		t.Error(err)
	}
	o, queue, err := openOutbox(path, "a", "p")
	if err != nil || len(queue) != 1 || queue[0].seq != 2 {
		t.Errorf("%v %v", queue, err)
	}
	o.close()
}

func TestAGatewaySpeaksForDevices(t *testing.T) {
	s := newStage(t)
	gateway, err := NewGateway(s.options())
	if err != nil {
		t.Fatal(err)
	}
	defer gateway.Close()
	ctx := withTimeout(t)
	scheduled, attached := make(chan *Scheduled), make(chan Attached)
	go func() {
		if err := gateway.Connect(ctx); err != nil {
			t.Error(err)
		}
		widgets := Widgets{Device: "d-1", Widgets: []Widget{{ID: "w1", Kind: "k", Configuration: map[string]any{"a": 1}}}}
		if err := gateway.Widgets(ctx, widgets); err != nil {
			t.Error(err)
		}
		var reason *Error
		if err := gateway.Request(ctx, "d-2", ""); !errors.As(err, &reason) || reason.Code != "device-unknown" {
			t.Errorf("REQUEST for an unknown device: %v", err)
		}
		answer, err := gateway.Timeline(ctx, Timeline{Device: "d-1", Widget: "w1", Reload: 17, Policy: AtEnd})
		if err != nil {
			t.Error(err)
		}
		scheduled <- answer
		all, err := gateway.Attach(ctx, make([]string, 1_500))
		if err != nil {
			t.Error(err)
		}
		attached <- all
	}()

	router, h := s.open(`{"maxBody":65536,"window":8192}`)
	if h.Role != "gateway" || h.Producer != "" {
		t.Errorf("%+v", h)
	}
	if f := router.expect(kindWidgets); f.seq != 1 ||
		string(f.body) != `{"device":"d-1","widgets":[{"id":"w1","kind":"k","configuration":{"a":1}}]}` {
		t.Errorf("%d %s", f.seq, f.body)
	}
	router.send(kindAck, 1, "")
	router.expect(kindRequest)
	router.send(kindReject, 2, `{"code":"device-unknown","retry":"no","message":""}`)
	router.expect(kindTimeline)
	router.send(kindReload, 17, `{"device":"d-1","kinds":["k"],"widgets":["w1"],"cause":"push","values":{"w1":{"hp":30}}}`)
	if reload := next[Reload](s); reload.Seq != 17 || reload.Device != "d-1" || string(reload.Values["w1"]) != `{"hp":30}` {
		t.Errorf("%+v", reload)
	}
	// The answer is lost with the connection: after its device, the frame is sent again.
	router.conn.Close()
	router, _ = s.open(`{"maxBody":65536,"window":8192}`)
	if f := router.expect(kindAttach); string(f.body) != `{"devices":["d-1"]}` {
		t.Errorf("%s", f.body)
	}
	router.send(kindAttached, 1, `{"attached":0,"unknown":["d-1"]}`)
	router.send(kindAck, 1, "")
	router.expect(kindWidgets)
	if f := router.expect(kindTimeline); f.seq != 3 ||
		string(f.body) != `{"device":"d-1","widget":"w1","reload":17,"entries":[],"policy":"atEnd"}` {
		t.Errorf("%d %s", f.seq, f.body)
	}
	router.send(kindScheduled, 3, `{"device":"d-1","widget":"w1","reloadAt":5000,"slotDelay":7}`)
	router.send(kindAck, 3, "")
	if answer := <-scheduled; answer == nil || answer.ReloadAt != 5000 || answer.SlotDelay != 7 {
		t.Errorf("%+v", answer)
	}
	for n := uint64(4); n <= 5; n++ {
		router.expect(kindAttach)
		router.send(kindAttached, n, `{"attached":1,"unknown":["d-9"]}`)
		router.send(kindAck, n, "")
	}
	if all := <-attached; all.Attached != 2 || len(all.Unknown) != 2 {
		t.Errorf("%+v", all)
	}
	// A device that was only attached is not known any more.
	router.conn.Close()
	router, _ = s.open(`{"maxBody":65536,"window":8192}`)
	router.expect(kindAttach)
	router.send(kindAttached, 1, `{"attached":1,"unknown":[""]}`)
	router.send(kindAck, 1, "")
	if detached := next[Detached](s); detached.Device != "" || detached.Reason != "unknown" {
		t.Errorf("%+v", detached)
	}
	router.send(kindDetached, 0, `{"device":"d-1","reason":"session"}`)
	if detached := next[Detached](s); detached.Device != "d-1" || detached.Reason != "session" {
		t.Errorf("%+v", detached)
	}
}
