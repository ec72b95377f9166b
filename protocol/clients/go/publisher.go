package reloadrouter

import (
	"context"
	"encoding/binary"
	"errors"
	"sort"
	"time"
)

// chunkBytes is the size of the pieces of memory that frames of pushes share.
const chunkBytes = 64 << 10

// highestSeq is the highest number of a push.
const highestSeq = 1<<53 - 1

// A Push is one event, for the widgets that the rules of the app file find.
type Push struct {
	// Payload is a JSON object: []byte and json.RawMessage as they are, other values as encoding/json
	// writes them. The router checks it.
	Payload any
	// Urgent pushes precede others, and may use the reserved share of a budget.
	Urgent bool
	// ExpiresAt is when reloads that wait for this push alone are no longer sent; zero for never.
	ExpiresAt time.Time
	// Kinds limits the push to these kinds; nil for all, an empty list for none.
	Kinds []string
}

// Statistics are counters since the publisher was made.
type Statistics struct {
	// Queued is the number of pushes that are neither acknowledged nor rejected now.
	Queued int
	// Sent counts PUSH frames that were written, those sent again included.
	Sent uint64
	// Acknowledged counts pushes that the router has accepted.
	Acknowledged uint64
	// Rejected counts pushes that were refused.
	Rejected uint64
	// Matched counts the widgets that the acknowledged pushes matched.
	Matched uint64
	// Reconnects counts sessions after the first one.
	Reconnects int
}

// A Publisher publishes pushes, over a connection that is restored when it is lost. All methods may be
// called from any goroutine.
type Publisher struct {
	*client
	// queue[head:] are the pushes without an answer, and rejected ones between them.
	queue []pending
	head  int
	// next is the index of the first push that was not sent over this connection.
	next     int
	lastSent uint64
	nextSeq  uint64
	// live counts the queue's pushes that are not rejected, and bytes those of their frames.
	live, bytes int
	// inFlight counts pushes sent over this connection and not answered.
	inFlight   int
	chunk      []byte
	outbox     *outbox
	statistics Statistics
}

// A pending push has no answer yet; its frame is nil if it was rejected.
type pending struct {
	seq   uint64
	frame []byte
}

// NewPublisher makes a publisher and reads its outbox, if it has one. It does not connect yet.
func NewPublisher(options Options) (*Publisher, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	if options.Producer == "" {
		return nil, errors.New("reloadrouter: a publisher needs a Producer")
	}
	p := &Publisher{nextSeq: 1}
	p.client = newClient(options, p)
	if options.Outbox == "" {
		return p, nil
	}
	if p.outbox, p.queue, err = openOutbox(options.Outbox, options.App, options.Producer); err != nil {
		return nil, err
	}
	p.live = len(p.queue)
	for _, push := range p.queue {
		p.bytes += len(push.frame)
		p.nextSeq = push.seq + 1
	}
	return p, nil
}

// Push publishes a push and returns its number. It waits for the first session, and while the queue is
// full. With an outbox, the push is in the file when Push returns.
func (p *Publisher) Push(ctx context.Context, push Push) (uint64, error) {
	return p.push(push, func(bytes int) error {
		return p.wait(ctx, func() bool { return p.hasRoom(bytes) })
	})
}

// TryPush publishes a push if that is possible at once. It never waits for the network; it returns
// false before the first session and while the queue is full.
func (p *Publisher) TryPush(push Push) (seq uint64, ok bool, err error) {
	seq, err = p.push(push, func(bytes int) error {
		if !p.hasRoom(bytes) {
			return errFull
		}
		return nil
	})
	if err == errFull {
		return 0, false, nil
	}
	return seq, err == nil, err
}

var errFull = errors.New("the queue is full")

// Flush waits until the router has acknowledged or rejected every push so far.
func (p *Publisher) Flush(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := p.nextSeq
	return p.wait(ctx, func() bool { return p.firstSeq() >= last })
}

// Statistics returns the counters as they are now.
func (p *Publisher) Statistics() Statistics {
	p.mu.Lock()
	defer p.mu.Unlock()
	statistics := p.statistics
	statistics.Queued = p.live
	statistics.Reconnects = p.reconnects()
	return statistics
}

// Close ends the session at once. Pushes that were not flushed may be lost, unless there is an outbox.
func (p *Publisher) Close() error {
	p.client.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.outbox == nil {
		return nil
	}
	return p.outbox.close()
}

// push numbers a push and queues it, once wait has found that there is room.
func (p *Publisher) push(push Push, wait func(bytes int) error) (uint64, error) {
	payload, err := jsonOf(push.Payload)
	if err != nil {
		return 0, err
	}
	prefix, flags, err := push.prefix()
	if err != nil {
		return 0, err
	}
	body := len(prefix) + len(payload)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := wait(headerBytes + body); err != nil {
		return 0, err
	}
	if p.ended != nil {
		return 0, p.ended
	}
	if body > p.maxBody {
		return 0, tooLong(body, p.maxBody)
	}
	seq := p.nextSeq
	if seq > highestSeq {
		return 0, &Error{"seq-too-high", RetryNo, "the producer has no number left"}
	}
	if cap(p.chunk)-len(p.chunk) < headerBytes+body {
		p.chunk = make([]byte, 0, max(chunkBytes, headerBytes+body))
	}
	start := len(p.chunk)
	chunk := appendHeader(p.chunk, kindPush, flags, seq, body)
	chunk = append(append(chunk, prefix...), payload...)
	frame := chunk[start:len(chunk):len(chunk)]
	if p.outbox != nil {
		if err := p.outbox.append(frame); err != nil {
			return 0, err
		}
	}
	p.chunk = chunk
	p.queue = append(p.queue, pending{seq, frame})
	p.nextSeq++
	p.live++
	p.bytes += len(frame)
	p.send()
	return seq, nil
}

// hasRoom is true if a frame may be queued, and also if it can never be, so that nothing waits for it.
func (p *Publisher) hasRoom(bytes int) bool {
	if p.ended != nil {
		return true
	}
	return p.sessions > 0 && p.live < p.options.QueueCount &&
		(p.live == 0 || p.bytes+bytes <= p.options.QueueBytes)
}

// firstSeq is the number of the first push without an answer, or of the next one.
func (p *Publisher) firstSeq() uint64 {
	if p.head < len(p.queue) {
		return p.queue[p.head].seq
	}
	return p.nextSeq
}

func (p *Publisher) introduce(h *hello) {
	h.Role, h.Producer, h.Outcomes = "publisher", p.options.Producer, p.options.Outcomes
	// At first all rejections are asked for, so that no push gets the number of one that an earlier
	// run has had rejected.
	var acked uint64
	if p.sessions > 0 || p.live > 0 {
		acked = p.firstSeq() - 1
	}
	h.Acked = &acked
}

// welcomed settles what the router knows, and begins to send the rest.
func (p *Publisher) welcomed(w welcome) (events []Event) {
	p.next, p.inFlight, p.lastSent = p.head, 0, 0
	last := w.LastSeq
	for _, push := range w.Rejected {
		if push.Seq > last {
			last = push.Seq
		}
		reason := &Error{push.Code, RetryNo, "the REJECT was lost with its connection"}
		events = append(events, p.reject(push.Seq, reason)...)
	}
	p.settle(w.LastSeq)
	if p.nextSeq <= last {
		p.nextSeq = last + 1
	}
	// An operator may have lowered the limit.
	for _, push := range p.queue[p.head:] {
		if body := len(push.frame) - headerBytes; body > w.MaxBody {
			events = append(events, p.reject(push.seq, tooLong(body, w.MaxBody))...)
		}
	}
	p.settle(0)
	return events
}

func (p *Publisher) received(f frame) ([]Event, error) {
	if f.seq > p.lastSent {
		return nil, broken("an answer to push %d, and the last one sent is %d", f.seq, p.lastSent)
	}
	switch f.kind {
	case kindAck:
		if len(f.body) >= 4 {
			p.statistics.Matched += uint64(binary.BigEndian.Uint32(f.body))
		}
		p.settle(f.seq)
	case kindReject:
		events := p.reject(f.seq, refusal(f.body))
		p.settle(0)
		return events, nil
	case kindOutcome:
		return []Event{Outcome{f.seq, append([]byte(nil), f.body...)}}, nil
	default:
		return nil, broken("a frame of type %#02x is not for a publisher", f.kind)
	}
	return nil, nil
}

func (p *Publisher) output(bytes []byte) []byte {
	for p.next < len(p.queue) && p.inFlight < p.window && len(bytes) < outputBatch {
		push := p.queue[p.next]
		p.next++
		if push.frame == nil {
			continue
		}
		bytes = append(bytes, push.frame...)
		p.lastSent = push.seq
		p.inFlight++
		p.statistics.Sent++
	}
	return bytes
}

func (p *Publisher) disconnected() {
	p.next, p.inFlight, p.lastSent = p.head, 0, 0
}

// reject marks a push that is in the queue as rejected; it stays until those before it are settled.
func (p *Publisher) reject(seq uint64, reason *Error) []Event {
	waiting := p.queue[p.head:]
	index := sort.Search(len(waiting), func(i int) bool { return waiting[i].seq >= seq })
	if index == len(waiting) || waiting[index].seq != seq || waiting[index].frame == nil {
		return nil
	}
	p.remove(p.head + index)
	p.statistics.Rejected++
	return []Event{Rejected{seq, reason}}
}

// settle removes the pushes up to a number, which the router has accepted unless they are rejected,
// and rejected ones that follow.
func (p *Publisher) settle(seq uint64) {
	for p.head < len(p.queue) && (p.queue[p.head].seq <= seq || p.queue[p.head].frame == nil) {
		if p.queue[p.head].frame != nil {
			p.remove(p.head)
			p.statistics.Acknowledged++
		}
		p.head++
	}
	if p.next < p.head {
		p.next = p.head
	}
	if p.head == len(p.queue) || p.head >= 4_096 && 2*p.head >= len(p.queue) {
		count := copy(p.queue, p.queue[p.head:])
		for index := count; index < len(p.queue); index++ {
			p.queue[index] = pending{}
		}
		p.queue, p.next, p.head = p.queue[:count], p.next-p.head, 0
	}
	if p.outbox != nil {
		p.outbox.settle(p.queue[p.head:], p.live, p.bytes)
	}
	p.notify()
	p.send()
}

// remove drops the frame of a push that is settled.
func (p *Publisher) remove(index int) {
	p.bytes -= len(p.queue[index].frame)
	p.live--
	if index < p.next {
		p.inFlight--
	}
	p.queue[index].frame = nil
}

func max(a, b int) int {
	if a > b {
		return a
	}
	return b
}
