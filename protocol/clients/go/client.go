package reloadrouter

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/rand"
	"net"
	"os"
	"sync"
	"time"
)

const (
	// outputBatch is the size from which output goes to the socket before more is collected.
	outputBatch = 64 << 10
	// longestControl is the most bytes of PONGs that wait to be sent. Beyond: the session ends.
	longestControl = 64 << 10
)

// An owner is the part of a Publisher or a Gateway that a client calls, always under its lock.
type owner interface {
	// introduce adds to HELLO what the role has.
	introduce(*hello)
	welcomed(welcome)
	// received takes a frame that is neither HELLO nor about the connection.
	received(frame) error
	// output appends frames that are due, until there are outputBatch bytes or none is due.
	output([]byte) []byte
	// disconnected says that nothing more will be heard of what was sent.
	disconnected()
}

type hello struct {
	V        int     `json:"v"`
	Role     string  `json:"role"`
	App      string  `json:"app"`
	Token    string  `json:"token,omitempty"`
	Producer string  `json:"producer,omitempty"`
	Outcomes bool    `json:"outcomes,omitempty"`
	Acked    *uint64 `json:"acked,omitempty"`
}

type welcome struct {
	MaxBody  int    `json:"maxBody"`
	Window   int    `json:"window"`
	LastSeq  uint64 `json:"lastSeq"`
	Rejected []struct {
		Seq  uint64 `json:"seq"`
		Code string `json:"code"`
	} `json:"rejected"`
	RejectedAfter uint64 `json:"rejectedAfter"`
	Behind        uint64 `json:"behind"`
}

// A phase says where a connection is. Only the goroutine that connects and reads changes it.
type phase int

const (
	unconnected phase = iota
	opening           // HELLO is sent
	open              // WELCOME has come
	draining          // GOAWAY has come
)

// A client restores its connection, and has what publishers and gateways share.
//
//	unconnected ──► opening ──WELCOME──► open ──GOAWAY──► draining
//	     ▲             │                  │                  │
//	     └─────────────┴───────lost───────┴──────────────────┘
type client struct {
	options Options
	owner   owner
	// ctx ends with Close.
	ctx   context.Context
	close context.CancelFunc

	mu sync.Mutex
	// changed is closed, and replaced, when those who wait should look again.
	changed    chan struct{}
	hasWaiters bool
	// work is signalled when the writer should look for output.
	work      *sync.Cond
	isStarted bool
	// ended is why the client will not connect again; nil while it may.
	ended error
	// stopped is closed when ended is set.
	stopped  chan struct{}
	phase    phase
	conn     net.Conn
	control  []byte  // HELLO, PING and PONG, which go before other frames
	events   []Event // which OnEvent has not been called with yet
	sessions int
	loss     *Error // why the last connection, or attempt, has ended; nil after WELCOME
	window   int
	maxBody  int
}

func newClient(options Options, owner owner) *client {
	c := &client{options: options, owner: owner, changed: make(chan struct{}), stopped: make(chan struct{})}
	c.ctx, c.close = context.WithCancel(context.Background())
	c.work = sync.NewCond(&c.mu)
	return c
}

// Connect begins to connect, and returns when the router has accepted a session. If ctx ends before, or if
// it has no deadline and Options.ConnectLimit is over, it returns a *NotConnectedError with the last reason,
// and the client still tries, until Close. An *Error says that trying is no use.
func (c *client) Connect(ctx context.Context) error {
	if _, isLimited := ctx.Deadline(); !isLimited {
		limited, cancel := context.WithTimeout(ctx, c.options.ConnectLimit)
		defer cancel()
		ctx = limited
	}
	began := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isStarted && c.ended == nil {
		c.isStarted = true
		go c.run()
	}
	err := c.wait(ctx, func() bool { return c.sessions > 0 })
	if err != nil && c.ended == nil {
		return &NotConnectedError{c.options.Address, time.Since(began), c.loss, err}
	}
	return err
}

// Close ends the session at once. What was not flushed may be lost, unless there is an outbox.
func (c *client) Close() error {
	c.close()
	c.finish(ErrClosed)
	return nil
}

// wait waits under the lock, which it releases meanwhile, until isReady or the client has ended.
func (c *client) wait(ctx context.Context, isReady func() bool) error {
	for !isReady() {
		if c.ended != nil {
			return c.ended
		}
		c.hasWaiters = true
		changed := c.changed
		c.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		c.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// notify continues those who wait.
func (c *client) notify() {
	if c.hasWaiters {
		close(c.changed)
		c.changed = make(chan struct{})
		c.hasWaiters = false
	}
}

func (c *client) finish(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == nil {
		c.ended = reason
		close(c.stopped)
	}
	if c.conn != nil {
		c.conn.Close()
	}
	c.notify()
}

// reconnects counts the sessions after the first one.
func (c *client) reconnects() int {
	if c.sessions == 0 {
		return 0
	}
	return c.sessions - 1
}

// report keeps an event for deliver, under the lock.
func (c *client) report(event Event) { c.events = append(c.events, event) }

// deliver calls OnEvent with the events so far, without the lock.
func (c *client) deliver() {
	c.mu.Lock()
	events := c.events
	c.events = nil
	c.mu.Unlock()
	for _, event := range events {
		if c.ctx.Err() == nil && c.options.OnEvent != nil {
			c.options.OnEvent(event)
		}
	}
}

// run connects again and again, until the client is closed or trying is no use.
func (c *client) run() {
	random := rand.New(rand.NewSource(time.Now().UnixNano()))
	step := c.options.FirstPause
	for {
		hasOpened, err := c.session()
		if c.ctx.Err() != nil {
			return
		}
		var reason *Error
		if !errors.As(err, &reason) {
			reason = lost(err)
		}
		c.reportLoss(reason)
		if reason.Retry == RetryNo {
			c.finish(reason)
			if c.options.OnEvent != nil {
				c.options.OnEvent(Failed{reason})
			}
			return
		}
		if hasOpened {
			step = c.options.FirstPause
		}
		if reason.Retry == RetryLater || step > c.options.LongestPause {
			step = c.options.LongestPause
		}
		select {
		case <-time.After(step/2 + time.Duration(random.Int63n(int64(step/2)+1))):
		case <-c.ctx.Done():
			return
		}
		step *= 2
	}
}

// reportLoss says why a connection, or an attempt, has ended; without OnEvent, only the first of a row.
func (c *client) reportLoss(reason *Error) {
	c.mu.Lock()
	isFirst := c.loss == nil
	c.loss = reason
	c.mu.Unlock()
	if c.options.OnEvent != nil {
		c.options.OnEvent(Disconnected{reason})
	} else if isFirst {
		further := "tried again"
		if reason.Retry == RetryNo {
			further = "no further attempt"
		}
		log.Printf("reloadrouter: no session with %s: %v (%s)", c.options.Address, reason, further)
	}
}

// session makes one connection and serves it until it ends, and says whether it was ever open.
func (c *client) session() (hasOpened bool, err error) {
	conn, err := c.dial()
	if err != nil {
		return false, err
	}
	defer conn.Close()
	if err := c.begin(conn); err != nil {
		return false, err
	}
	hasWritten := make(chan struct{})
	go func() {
		c.write(conn)
		close(hasWritten)
	}()
	err = c.read(conn)
	c.deliver()
	conn.Close()
	c.mu.Lock()
	hasOpened = c.phase != opening
	c.phase, c.conn = unconnected, nil
	c.owner.disconnected()
	c.work.Signal()
	c.mu.Unlock()
	<-hasWritten
	return hasOpened, err
}

// dial tries all addresses of the router.
func (c *client) dial() (conn net.Conn, err error) {
	host, port, err := net.SplitHostPort(c.options.Address)
	if err != nil {
		return nil, broken("%s", err)
	}
	ctx, cancel := context.WithTimeout(c.ctx, c.options.ConnectTimeout)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, host)
	for _, address := range addresses {
		if conn, err = c.dialAddress(host, net.JoinHostPort(address, port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

func (c *client) dialAddress(host, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(c.ctx, c.options.ConnectTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil || c.options.Plaintext {
		return conn, err
	}
	config := &tls.Config{}
	if c.options.TLS != nil {
		config = c.options.TLS.Clone()
	}
	config.NextProtos = []string{"rr/1"}
	if config.ServerName == "" {
		config.ServerName = host
	}
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		conn.Close()
		return nil, err
	}
	return secure, nil
}

// begin makes a connection the present one, and queues its HELLO.
func (c *client) begin(conn net.Conn) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		return c.ended
	}
	hello := hello{V: 1, App: c.options.App, Token: c.options.Token}
	c.owner.introduce(&hello)
	body, err := marshal(hello)
	if err != nil {
		return broken("%s", err)
	}
	c.control = appendFrame(nil, kindHello, 0, body)
	c.phase, c.conn = opening, conn
	return nil
}

// write writes what is due until the connection is gone. After a fault it leaves it to the reader to
// find out why, since an ERROR may have arrived.
func (c *client) write(conn net.Conn) {
	bytes := c.output(nil)
	for len(bytes) > 0 {
		if _, err := conn.Write(bytes); err != nil {
			return
		}
		bytes = c.output(bytes[:0])
	}
}

// output waits for what is due, and appends it; nothing when the connection is gone.
func (c *client) output(bytes []byte) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.phase != unconnected {
		bytes = append(bytes, c.control...)
		c.control = c.control[:0]
		if c.phase == open {
			bytes = c.owner.output(bytes)
		}
		if len(bytes) > 0 {
			return bytes
		}
		c.work.Wait()
	}
	return nil
}

// read reads frames until the connection ends, and returns why it has. It sends PING when it is due.
func (c *client) read(conn net.Conn) error {
	buffer, count := make([]byte, outputBatch), 0
	heard := time.Now()
	asked := heard
	for {
		limit, due := c.options.LostAfter, asked.Add(c.options.PingAfter)
		if c.phase == opening {
			limit = c.options.WelcomeTimeout
		}
		end := heard.Add(limit)
		if c.phase != open || due.After(end) {
			due = end
		}
		conn.SetReadDeadline(due)
		n, err := conn.Read(buffer[count:])
		now := time.Now()
		if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) {
			if !now.Before(end) {
				return lost(fmt.Errorf("the router was silent for %s", limit))
			}
			c.ping()
			asked = now
			continue
		}
		count += n
		used, wrong := c.take(buffer[:count])
		c.deliver()
		if wrong != nil {
			return wrong
		}
		if err != nil {
			return err
		}
		if c.phase != opening {
			heard, asked = now, now
		}
		count = copy(buffer, buffer[used:count])
		if count == len(buffer) {
			buffer = append(buffer, make([]byte, len(buffer))...)
		}
	}
}

func (c *client) ping() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.control = appendFrame(c.control, kindPing, 0, nil)
	c.work.Signal()
}

// take deals with all whole frames in data, and returns how many bytes they have.
func (c *client) take(data []byte) (used int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.ended == nil {
		f, size, err := decodeFrame(data[used:], longestBody)
		if err != nil || size == 0 {
			return used, err
		}
		used += size
		if err := c.takeFrame(f); err != nil {
			return used, err
		}
	}
	return used, c.ended
}

func (c *client) takeFrame(f frame) error {
	switch {
	case f.kind == kindError:
		return refusal(f.body)
	case f.kind == kindPing:
		if len(c.control) > longestControl {
			return broken("PINGs come faster than their PONGs can be sent")
		}
		c.control = appendFrame(c.control, kindPong, f.seq, nil)
		c.work.Signal()
	case f.kind == kindGoAway && c.phase == open:
		c.phase = draining
	case f.kind == kindPong || f.kind >= firstIgnored:
	case f.kind == kindWelcome && c.phase == opening:
		return c.welcome(f.body)
	case c.phase == opening || f.kind == kindWelcome:
		return broken("a frame of type %#02x came out of turn", f.kind)
	default:
		return c.owner.received(f)
	}
	return nil
}

func (c *client) welcome(body []byte) error {
	var w welcome
	if err := json.Unmarshal(body, &w); err != nil || w.Window < 1 || w.MaxBody < 1 {
		return broken("WELCOME: %s", body)
	}
	c.phase, c.window, c.maxBody = open, w.Window, w.MaxBody
	c.sessions++
	c.loss = nil
	c.report(Connected{w.LastSeq, w.RejectedAfter})
	c.owner.welcomed(w)
	c.work.Signal()
	c.notify()
	return nil
}
