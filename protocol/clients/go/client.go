package reloadrouter

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"net"
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
	welcomed(welcome) []Event
	// received takes a frame that is neither HELLO nor about the connection.
	received(frame) ([]Event, error)
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
}

// A client restores its connection, and has what publishers and gateways share.
//
//	pausing ──► dialing ──► HELLO sent ──WELCOME──► open ──GOAWAY──► draining
//	   ▲           │             │                   │                   │
//	   └───────────┴─────────────┴───────lost────────┴───────────────────┘
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
	isStarted  bool
	// ended is why the client will not connect again; nil while it may.
	ended error
	// stopped is closed when ended is set.
	stopped  chan struct{}
	link     *link
	sessions int
	window   int
	maxBody  int
}

// A link is one connection, from its HELLO on.
type link struct {
	conn    net.Conn
	control []byte // HELLO, PING and PONG, which go before other frames
	// wake has an element when the writer, if it waits, should look for output.
	wake       chan struct{}
	isWaiting  bool
	isOpen     bool // WELCOME has come
	isDraining bool
	timer      *time.Timer
	began      time.Time
	heard      time.Time
	pinged     time.Time
	reason     error // why this side has closed it
}

func newClient(options Options, owner owner) *client {
	c := &client{options: options, owner: owner, changed: make(chan struct{}), stopped: make(chan struct{})}
	c.ctx, c.close = context.WithCancel(context.Background())
	return c
}

// Connect begins to connect, and returns when the router has accepted a session. If ctx ends before,
// the client still tries, until Close. An *Error says that trying is no use.
func (c *client) Connect(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.isStarted && c.ended == nil {
		c.isStarted = true
		go c.run()
	}
	return c.wait(ctx, func() bool { return c.sessions > 0 })
}

// Close ends the session at once. What was not flushed may be lost, unless there is an outbox.
func (c *client) Close() error {
	c.close()
	c.mu.Lock()
	defer c.mu.Unlock()
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
	if c.ended == nil {
		c.ended = reason
		close(c.stopped)
	}
	if c.link != nil {
		c.link.conn.Close()
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

// send makes the writer look for output.
func (c *client) send() {
	if c.link != nil {
		c.link.signal()
	}
}

func (l *link) signal() {
	if l.isWaiting {
		l.isWaiting = false
		l.wake <- struct{}{}
	}
}

func (c *client) emit(events ...Event) {
	for _, event := range events {
		if c.ctx.Err() == nil {
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
		c.emit(Disconnected{reason})
		if reason.Retry == RetryNo {
			c.mu.Lock()
			c.finish(reason)
			c.mu.Unlock()
			c.emit(Failed{reason})
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

// session makes one connection and serves it until it ends, and says whether it was ever open.
func (c *client) session() (hasOpened bool, err error) {
	conn, err := c.dial()
	if err != nil {
		return false, err
	}
	defer conn.Close()
	now := time.Now()
	l := &link{conn: conn, wake: make(chan struct{}, 1), began: now, heard: now}
	if err := c.begin(l); err != nil {
		return false, err
	}
	hasWritten := make(chan struct{})
	go func() {
		c.write(l)
		close(hasWritten)
	}()
	err = c.read(l)
	conn.Close()
	c.mu.Lock()
	c.link = nil
	c.owner.disconnected()
	l.timer.Stop()
	l.signal()
	if l.reason != nil {
		err = l.reason
	}
	hasOpened = l.isOpen
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
func (c *client) begin(l *link) error {
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
	l.control = appendFrame(nil, kindHello, 0, body)
	l.timer = time.AfterFunc(c.options.WelcomeTimeout, func() { c.watch(l) })
	c.link = l
	return nil
}

// watch ends a connection that has been silent for too long, and otherwise sends PING when it is due.
func (c *client) watch(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link != l {
		return
	}
	now := time.Now()
	limit := c.options.LostAfter
	if !l.isOpen {
		limit = c.options.WelcomeTimeout
		l.heard = l.began
	}
	left := limit - now.Sub(l.heard)
	if left <= 0 {
		l.reason = lost(fmt.Errorf("the router was silent for %s", limit))
		l.conn.Close()
		return
	}
	if l.isOpen && !l.isDraining {
		last := l.heard
		if l.pinged.After(last) {
			last = l.pinged
		}
		pause := c.options.PingAfter - now.Sub(last)
		if pause <= 0 {
			l.pinged, pause = now, c.options.PingAfter
			l.control = appendFrame(l.control, kindPing, 0, nil)
			l.signal()
		}
		if pause < left {
			left = pause
		}
	}
	l.timer.Reset(left)
}

// write writes what is due until the connection is gone. After a fault it leaves it to the reader to
// find out why, since an ERROR may have arrived.
func (c *client) write(l *link) {
	var bytes []byte
	for {
		c.mu.Lock()
		for {
			if c.link != l {
				c.mu.Unlock()
				return
			}
			bytes = append(bytes[:0], l.control...)
			l.control = l.control[:0]
			if l.isOpen && !l.isDraining {
				bytes = c.owner.output(bytes)
			}
			if len(bytes) > 0 {
				break
			}
			l.isWaiting = true
			c.mu.Unlock()
			<-l.wake
			c.mu.Lock()
		}
		c.mu.Unlock()
		if _, err := l.conn.Write(bytes); err != nil {
			return
		}
	}
}

// read reads frames until the connection ends, and returns why it has.
func (c *client) read(l *link) error {
	buffer, count := make([]byte, outputBatch), 0
	for {
		n, err := l.conn.Read(buffer[count:])
		count += n
		if n > 0 {
			used, events, err := c.take(l, buffer[:count])
			c.emit(events...)
			if err != nil {
				return err
			}
			count = copy(buffer, buffer[used:count])
			if count == len(buffer) {
				buffer = append(buffer, make([]byte, len(buffer))...)
			}
		}
		if err != nil {
			return err
		}
	}
}

// take deals with all whole frames in data, and returns how many bytes they have.
func (c *client) take(l *link, data []byte) (used int, events []Event, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l.heard = time.Now()
	for c.ended == nil {
		f, size, err := decodeFrame(data[used:], longestBody)
		if err != nil || size == 0 {
			return used, events, err
		}
		used += size
		more, err := c.takeFrame(l, f)
		events = append(events, more...)
		if err != nil {
			return used, events, err
		}
	}
	return used, events, c.ended
}

func (c *client) takeFrame(l *link, f frame) ([]Event, error) {
	switch {
	case f.kind == kindError:
		return nil, refusal(f.body)
	case f.kind == kindPing:
		if len(l.control) > longestControl {
			return nil, broken("PINGs come faster than their PONGs can be sent")
		}
		l.control = appendFrame(l.control, kindPong, f.seq, nil)
		l.signal()
	case f.kind == kindGoAway:
		l.isDraining = true
	case f.kind == kindPong || f.kind >= firstIgnored:
	case f.kind == kindWelcome && !l.isOpen:
		return c.open(l, f.body)
	case !l.isOpen || f.kind == kindWelcome:
		return nil, broken("a frame of type %#02x came out of turn", f.kind)
	default:
		return c.owner.received(f)
	}
	return nil, nil
}

func (c *client) open(l *link, body []byte) ([]Event, error) {
	var w welcome
	if err := json.Unmarshal(body, &w); err != nil || w.Window < 1 || w.MaxBody < 1 {
		return nil, broken("WELCOME: %s", body)
	}
	l.isOpen = true
	l.timer.Reset(c.options.PingAfter)
	c.window, c.maxBody = w.Window, w.MaxBody
	c.sessions++
	events := append([]Event{Connected{w.LastSeq, w.RejectedAfter}}, c.owner.welcomed(w)...)
	l.signal()
	c.notify()
	return events, nil
}
