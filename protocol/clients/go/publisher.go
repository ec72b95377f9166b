package reloadrouter

import (
	"context"
	"encoding/binary"
	"errors"
	"sort"
	"time"
)

// highestSeq is the highest number of a push.
const highestSeq = 1<<53 - 1

// A Push is one event, for the widgets that the rules of the app file find.
type Push struct {
	// Payload is a JSON object: []byte and json.RawMessage as they are, other values as encoding/json
	// writes them. The router checks it.
	Payload any
	// Urgent pushes precede others, and may use the reserved share of a budget.
	Urgent bool
	// ExpiresAt is when reloads that wait for this push alone are no longer sent; zero for never. A date before
	// 2001 or after 9999 is refused: it was made from a number in another unit.
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
	// queue has the pushes without an answer, and rejected ones between them.
	queue []pending
	// next is the index of the first push that was not sent over this connection.
	next     int
	lastSent uint64
	nextSeq  uint64
	// known is the last push of which the router knows, by what it has said; acked is what HELLO has said of it.
	known, acked uint64
	// live counts the queue's pushes that are not rejected, and bytes those of their frames.
	live, bytes int
	// inFlight counts pushes sent over this connection and not answered.
	inFlight   int
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
	p.known = p.firstSeq() - 1
	return p, nil
}

// Push publishes a push and returns its number. It waits for the first session, and while the queue is
// full. With an outbox, the push is in the file when Push returns.
func (p *Publisher) Push(ctx context.Context, push Push) (uint64, error) {
	frame, err := push.frame()
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.wait(ctx, func() bool { return p.hasRoom(len(frame)) }); err != nil {
		return 0, err
	}
	return p.add(frame)
}

// TryPush publishes a push if that is possible at once. It never waits for the network; it returns
// false before the first session and while the queue is full.
func (p *Publisher) TryPush(push Push) (seq uint64, ok bool, err error) {
	frame, err := push.frame()
	if err != nil {
		return 0, false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended == nil && !p.hasRoom(len(frame)) {
		return 0, false, nil
	}
	seq, err = p.add(frame)
	return seq, err == nil, err
}

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

// add numbers a frame and queues it; there is room.
func (p *Publisher) add(frame []byte) (uint64, error) {
	if p.ended != nil {
		return 0, p.ended
	}
	if body := len(frame) - headerBytes; body > p.maxBody {
		return 0, tooLong(body, p.maxBody)
	}
	seq := p.nextSeq
	if seq > highestSeq {
		return 0, &Error{"seq-too-high", RetryNo, "the producer has no number left"}
	}
	binary.BigEndian.PutUint64(frame[8:], seq)
	if p.outbox != nil {
		if err := p.outbox.append(frame); err != nil {
			return 0, err
		}
	}
	p.queue = append(p.queue, pending{seq, frame})
	p.nextSeq++
	p.live++
	p.bytes += len(frame)
	p.work.Signal()
	return seq, nil
}

func (p *Publisher) hasRoom(bytes int) bool {
	return p.sessions > 0 && p.live < p.options.QueueCount &&
		(p.live == 0 || p.bytes+bytes <= p.options.QueueBytes)
}

// firstSeq is the number of the first push without an answer, or of the next one.
func (p *Publisher) firstSeq() uint64 {
	if len(p.queue) > 0 {
		return p.queue[0].seq
	}
	return p.nextSeq
}

func (p *Publisher) introduce(h *hello) {
	h.Role, h.Producer, h.Outcomes = "publisher", p.options.Producer, p.options.Outcomes
	// At first all rejections are asked for, so that no push gets the number of one that an earlier
	// run has had rejected.
	p.acked = 0
	if p.sessions > 0 || p.live > 0 {
		p.acked = p.firstSeq() - 1
		if p.known < p.acked {
			p.acked = p.known
		}
	}
	acked := p.acked
	h.Acked = &acked
}

// welcomed settles what the router knows, and begins to send the rest.
func (p *Publisher) welcomed(w welcome) {
	if w.Behind > 0 && w.Behind <= p.acked {
		p.known = p.acked - w.Behind
		p.report(Lost{p.known + 1, p.acked})
	}
	last := w.LastSeq
	for _, push := range w.Rejected {
		if push.Seq > last {
			last = push.Seq
		}
		reason := &Error{push.Code, RetryNo, "the REJECT was lost with its connection"}
		p.reject(push.Seq, reason)
	}
	p.knows(last)
	p.settle(w.LastSeq)
	if p.nextSeq <= last {
		p.nextSeq = last + 1
	}
	// An operator may have lowered the limit.
	for _, push := range p.queue {
		if body := len(push.frame) - headerBytes; body > w.MaxBody {
			p.reject(push.seq, tooLong(body, w.MaxBody))
		}
	}
	p.settle(0)
}

// knows notes that the router knows of a push.
func (p *Publisher) knows(seq uint64) {
	if p.known < seq {
		p.known = seq
	}
}

func (p *Publisher) received(f frame) error {
	if f.seq > p.lastSent {
		return broken("an answer to push %d, and the last one sent is %d", f.seq, p.lastSent)
	}
	switch f.kind {
	case kindAck:
		if len(f.body) >= 4 {
			p.statistics.Matched += uint64(binary.BigEndian.Uint32(f.body))
		}
		p.knows(f.seq)
		p.settle(f.seq)
	case kindReject:
		p.knows(f.seq)
		p.reject(f.seq, refusal(f.body))
		p.settle(0)
	case kindOutcome:
		p.report(Outcome{f.seq, append([]byte(nil), f.body...)})
	default:
		return broken("a frame of type %#02x is not for a publisher", f.kind)
	}
	return nil
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
	p.next, p.inFlight, p.lastSent = 0, 0, 0
}

// reject marks a push that is in the queue as rejected; it stays until those before it are settled.
func (p *Publisher) reject(seq uint64, reason *Error) {
	index := sort.Search(len(p.queue), func(i int) bool { return p.queue[i].seq >= seq })
	if index < len(p.queue) && p.queue[index].seq == seq && p.queue[index].frame != nil {
		p.remove(index)
		p.statistics.Rejected++
		p.report(Rejected{seq, reason})
	}
}

// settle removes the pushes up to a number, which the router has accepted unless they are rejected,
// and rejected ones that follow.
func (p *Publisher) settle(seq uint64) {
	for len(p.queue) > 0 && (p.queue[0].seq <= seq || p.queue[0].frame == nil) {
		if p.queue[0].frame != nil {
			p.remove(0)
			p.statistics.Acknowledged++
		}
		p.queue = p.queue[1:]
		if p.next > 0 {
			p.next--
		}
	}
	if p.outbox != nil {
		p.outbox.settle(p.queue, p.live, p.bytes)
	}
	p.notify()
	p.work.Signal()
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
