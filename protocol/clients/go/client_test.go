package reloadrouter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

func (p *peer) ack(seq uint64) { p.send(kindAck, seq, "\x00\x00\x00\x01") }

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

func TestPushesAboveLastSeqAreSentAgainAfterACut(t *testing.T) {
	s := newStage(t)
	publisher := s.publisher(s.options())
	router, h := s.open(standard)
	if h.Acked == nil || *h.Acked != 0 || h.Producer != "shard-7" || h.Role != "publisher" {
		t.Errorf("%+v", h)
	}
	for n := 1; n <= 5; n++ {
		if seq := push(t, publisher, n); seq != uint64(n) {
			t.Errorf("push %d got the number %d", n, seq)
		}
		router.expect(kindPush)
	}
	router.send(kindReject, 2, `{"code":"payload-kinds","retry":"no","message":""}`)
	router.ack(1)
	if rejected := next[Rejected](s); rejected.Seq != 2 || rejected.Err.Code != "payload-kinds" {
		t.Errorf("%+v", rejected)
	}
	router.conn.Close()
	router, h = s.open(`{"maxBody":65536,"window":8192,"lastSeq":3,"rejected":[{"seq":4,"code":"x"}]}`)
	if h.Acked == nil || (*h.Acked != 0 && *h.Acked != 2) {
		t.Errorf("acked is %v", h.Acked)
	}
	if f := router.expect(kindPush); f.seq != 5 || string(f.body) != `{"n":5}` {
		t.Errorf("%d %s came", f.seq, f.body)
	}
	router.ack(5)
	if err := publisher.Flush(withTimeout(t)); err != nil {
		t.Error(err)
	}
	statistics := publisher.Statistics()
	if statistics.Rejected != 2 || statistics.Acknowledged != 3 || statistics.Queued != 0 || statistics.Reconnects != 1 {
		t.Errorf("%+v", statistics)
	}
}

func TestTheNumberOfARejectionOfAnEarlierRunIsNotUsed(t *testing.T) {
	s := newStage(t)
	publisher := s.publisher(s.options())
	s.open(`{"maxBody":65536,"window":8192,"lastSeq":2,"rejected":[{"seq":1,"code":"x"},{"seq":3,"code":"x"}]}`)
	if seq := push(t, publisher, 1); seq != 4 {
		t.Errorf("its number is %d", seq)
	}
	if statistics := publisher.Statistics(); statistics.Rejected != 0 {
		t.Errorf("%+v", statistics)
	}
}

func TestPushWaitsForRoomAndItsContext(t *testing.T) {
	s := newStage(t)
	options := s.options()
	options.QueueCount = 2
	publisher := s.publisher(options)
	if _, ok, err := publisher.TryPush(Push{Payload: struct{}{}}); ok || err != nil {
		t.Errorf("a push was accepted before the first session: %v", err)
	}
	router, _ := s.open(standard)
	push(t, publisher, 1)
	push(t, publisher, 2)
	if _, ok, err := publisher.TryPush(Push{Payload: struct{}{}}); ok || err != nil {
		t.Errorf("a third push was accepted: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := publisher.Push(ctx, Push{Payload: struct{}{}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a push waited: %v", err)
	}
	router.expect(kindPush)
	router.ack(1)
	if seq := push(t, publisher, 3); seq != 3 {
		t.Errorf("its number is %d", seq)
	}
}

func TestAFatalErrorEndsWhatWaits(t *testing.T) {
	s := newStage(t)
	publisher := s.publisher(s.options())
	router, _ := s.open(standard)
	push(t, publisher, 1)
	router.expect(kindPush)
	router.send(kindError, 0, `{"code":"token-revoked","retry":"no","message":"a sentence"}`)
	var reason *Error
	if err := publisher.Flush(withTimeout(t)); !errors.As(err, &reason) || reason.Code != "token-revoked" {
		t.Error(err)
	}
	next[Failed](s)
	if _, err := publisher.Push(withTimeout(t), Push{Payload: struct{}{}}); !errors.As(err, &reason) {
		t.Error(err)
	}
}

func TestALowerMaxBodyRejectsWhatWaits(t *testing.T) {
	s := newStage(t)
	publisher := s.publisher(s.options())
	router, _ := s.open(standard)
	if _, err := publisher.Push(withTimeout(t), Push{Payload: map[string]string{"text": string(make([]byte, 200))}}); err != nil {
		t.Fatal(err)
	}
	router.conn.Close()
	s.open(`{"maxBody":100,"window":8192,"lastSeq":0}`)
	if rejected := next[Rejected](s); rejected.Seq != 1 || rejected.Err.Code != "frame-length" {
		t.Errorf("%+v", rejected)
	}
	if err := publisher.Flush(withTimeout(t)); err != nil {
		t.Error(err)
	}
}

func TestAnOutboxOutlivesItsPublisher(t *testing.T) {
	s := newStage(t)
	options := s.options()
	options.Outbox = filepath.Join(t.TempDir(), "outbox")
	publisher := s.publisher(options)
	router, _ := s.open(standard)
	for n := 1; n <= 3; n++ {
		push(t, publisher, n)
		router.expect(kindPush)
	}
	publisher.Close()
	file, _ := os.OpenFile(options.Outbox, os.O_APPEND|os.O_WRONLY, 0)
	file.Write([]byte{0, 0, 0, 50, kindPush}) // A push that was cut off.
	file.Close()

	publisher = s.publisher(options)
	router, h := s.open(`{"maxBody":65536,"window":8192,"lastSeq":1}`)
	if h.Acked == nil || *h.Acked != 0 {
		t.Errorf("acked is %v", h.Acked)
	}
	for n := uint64(2); n <= 3; n++ {
		if f := router.expect(kindPush); f.seq != n || string(f.body) != fmt.Sprintf(`{"n":%d}`, n) {
			t.Errorf("%d %s came", f.seq, f.body)
		}
	}
	router.ack(3)
	if err := publisher.Flush(withTimeout(t)); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(options.Outbox); err != nil || info.Size() != 0 {
		t.Errorf("the file has %d bytes: %v", info.Size(), err)
	}
	if seq := push(t, publisher, 4); seq != 4 {
		t.Errorf("its number is %d", seq)
	}
	publisher.Close()
	options.Producer = "shard-8"
	if _, err := NewPublisher(options); err == nil {
		t.Error("another producer opened the outbox")
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

func TestCloseEndsTheConnection(t *testing.T) {
	s := newStage(t)
	publisher := s.publisher(s.options())
	router, _ := s.open(standard)
	next[Connected](s)
	publisher.Close()
	if _, err := io.ReadAll(router.conn); err != nil {
		t.Error(err)
	}
	if _, err := publisher.Push(withTimeout(t), Push{Payload: struct{}{}}); err != ErrClosed {
		t.Error(err)
	}
}

func TestPingsAreAnsweredWithTheirNumber(t *testing.T) {
	s := newStage(t)
	s.publisher(s.options())
	router, _ := s.open(standard)
	router.send(kindPing, 1<<64-1, "")
	if f := router.expect(kindPong); f.seq != 1<<64-1 {
		t.Errorf("the number is %d", f.seq)
	}
}
