package reloadrouter

import (
	"context"
	"encoding/json"
	"time"
)

// devicesPerAttach is the most devices of one ATTACH.
const devicesPerAttach = 1_024

// A Gateway speaks for the devices of an app that hold no connection. RELOADs come as Reload events.
//
// After a reconnect it first attaches its devices again, registers those that the router has forgotten, and
// then sends again what had no answer.
type Gateway struct {
	*client
	// queue has the frames without an answer; the first next of them are sent.
	queue []*request
	next  int
	seq   uint64
	// devices are those that the gateway speaks for, with the body of WIDGETS; nil if it only attached
	// them.
	devices map[string][]byte
	// attaches counts the repeated ATTACHs without an answer. Until it is 0, only repeats are sent.
	attaches   int
	statistics Statistics
}

// A request is a frame of a gateway.
type request struct {
	kind   byte
	body   []byte
	device string // of WIDGETS
	seq    uint64 // of this connection; 0 while it is not sent
	answer []byte // the body of SCHEDULED or ATTACHED
	reason *Error // why it was refused
	// done is closed with the answer; nil for a repeat, for which no goroutine waits.
	done chan struct{}
}

// Widgets are all widgets of a device.
type Widgets struct {
	Device    string `json:"device"`
	PushToken string `json:"pushToken,omitempty"`
	// AppPushToken is the token of the app itself, for background pushes.
	AppPushToken string `json:"appPushToken,omitempty"`
	// Environment is "production", if it is empty, or "sandbox".
	Environment string   `json:"environment,omitempty"`
	Widgets     []Widget `json:"widgets"`
}

// A Widget is one widget of a device. Configuration has strings, numbers, booleans and lists of them.
type Widget struct {
	ID            string         `json:"id"`
	Kind          string         `json:"kind"`
	Family        string         `json:"family,omitempty"`
	Configuration map[string]any `json:"configuration,omitempty"`
	// PushToken is the token of a control.
	PushToken string `json:"pushToken,omitempty"`
}

// A Timeline is what a widget shows from now on. Dates are milliseconds since 1970.
type Timeline struct {
	Device   string  `json:"device"`
	Widget   string  `json:"widget"`
	Reload   uint64  `json:"reload,omitempty"`
	Because  string  `json:"because,omitempty"`
	Entries  []int64 `json:"entries"`
	Policy   any     `json:"policy"`
	OwnTimer bool    `json:"ownTimer,omitempty"`
}

// Policies of a Timeline, beside After.
const (
	Never = "never"
	AtEnd = "atEnd"
)

// After is the policy that asks for a reload at a date or later.
func After(date time.Time) any { return map[string]int64{"after": date.UnixMilli()} }

// Scheduled is the date of a widget's next reload.
type Scheduled struct {
	ReloadAt  int64  `json:"reloadAt"`
	SlotDelay int64  `json:"slotDelay"`
	Warning   string `json:"warning,omitempty"`
}

// Attached says for how many devices the gateway speaks now, and for which it does not.
type Attached struct {
	Attached int      `json:"attached"`
	Unknown  []string `json:"unknown"`
	Own      []string `json:"own"`
	Foreign  []string `json:"foreign"`
}

// NewGateway makes a gateway. It does not connect yet.
func NewGateway(options Options) (*Gateway, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	g := &Gateway{devices: map[string][]byte{}}
	g.client = newClient(options, g)
	return g, nil
}

// Widgets replaces what is stored for a device; an empty list deletes it.
func (g *Gateway) Widgets(ctx context.Context, widgets Widgets) error {
	if widgets.Widgets == nil {
		widgets.Widgets = []Widget{}
	}
	if err := g.checkRegistrations(widgets.Device); err != nil {
		return err
	}
	body, err := marshal(widgets)
	if err != nil {
		return err
	}
	if err := g.ask(ctx, kindWidgets, json.RawMessage(body), nil); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.devices[widgets.Device] = body
	if len(widgets.Widgets) == 0 {
		delete(g.devices, widgets.Device)
	}
	return nil
}

// Attach makes the gateway speak for devices whose widgets are stored, as after a restart of its program.
// Many devices take several frames.
func (g *Gateway) Attach(ctx context.Context, devices []string) (all Attached, err error) {
	if err := g.Connect(ctx); err != nil {
		return all, err
	}
	if err := g.checkRegistrations(devices...); err != nil {
		return all, err
	}
	for len(devices) > 0 {
		g.mu.Lock()
		count := g.attachable(devices)
		g.mu.Unlock()
		var part Attached
		if err := g.ask(ctx, kindAttach, map[string][]string{"devices": devices[:count]}, &part); err != nil {
			return all, err
		}
		g.remember(devices[:count], part)
		all.Attached += part.Attached
		all.Unknown = append(all.Unknown, part.Unknown...)
		all.Own = append(all.Own, part.Own...)
		all.Foreign = append(all.Foreign, part.Foreign...)
		devices = devices[count:]
	}
	return all, nil
}

// Timeline says what a widget shows. It returns when the next reload is, nil if none has a date.
func (g *Gateway) Timeline(ctx context.Context, timeline Timeline) (scheduled *Scheduled, err error) {
	if timeline.Entries == nil {
		timeline.Entries = []int64{}
	}
	for _, date := range timeline.Entries {
		if err := checkDate(date, "an entry"); err != nil {
			return nil, err
		}
	}
	if policy, hasDate := timeline.Policy.(map[string]int64); hasDate {
		if err := checkDate(policy["after"], "the date of the policy"); err != nil {
			return nil, err
		}
	}
	err = g.ask(ctx, kindTimeline, timeline, &scheduled)
	return scheduled, err
}

// State reports what changed about a device: a value that encoding/json writes as a STATE.
func (g *Gateway) State(ctx context.Context, state any) error {
	return g.ask(ctx, kindState, state, nil)
}

// Request asks for a reload of a device's widgets of a kind, or of all if kind is empty.
func (g *Gateway) Request(ctx context.Context, device, kind string) error {
	body := map[string]string{"device": device}
	if kind != "" {
		body["kind"] = kind
	}
	return g.ask(ctx, kindRequest, body, nil)
}

func (g *Gateway) checkRegistrations(devices ...string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	count := len(g.devices)
	for _, device := range devices {
		if _, isKnown := g.devices[device]; !isKnown {
			count++
		}
	}
	if count > g.options.Registrations {
		return limitReached("Registrations")
	}
	return nil
}

// remember keeps the devices for which the gateway speaks after an ATTACH, or will when their own sessions
// have ended.
func (g *Gateway) remember(devices []string, answer Attached) {
	g.mu.Lock()
	defer g.mu.Unlock()
	others := map[string]bool{}
	for _, device := range append(answer.Unknown, answer.Foreign...) {
		others[device] = true
	}
	for _, device := range devices {
		if _, isKnown := g.devices[device]; !isKnown && !others[device] {
			g.devices[device] = nil
		}
	}
}

// attachable returns how many of the devices fit into one frame; at least one.
func (g *Gateway) attachable(devices []string) int {
	bytes := len(`{"devices":[]}`)
	for count, device := range devices {
		bytes += len(device) + len(`"",`)
		if count > 0 && (bytes > g.maxBody || count == devicesPerAttach) {
			return count
		}
	}
	return len(devices)
}

// Statistics returns the counters as they are now.
func (g *Gateway) Statistics() Statistics {
	g.mu.Lock()
	defer g.mu.Unlock()
	statistics := g.statistics
	statistics.Queued = len(g.queue)
	statistics.Reconnects = g.reconnects()
	return statistics
}

// ask sends a frame, waits for its answer, and reads what came with it.
func (g *Gateway) ask(ctx context.Context, kind byte, value, answer any) error {
	body, err := marshal(value)
	if err != nil {
		return err
	}
	r := &request{kind: kind, body: body, done: make(chan struct{})}
	if err := g.enqueue(ctx, r); err != nil {
		return err
	}
	select {
	case <-r.done:
	case <-g.stopped:
		return g.ended
	case <-ctx.Done():
		return ctx.Err()
	}
	if r.reason == nil && r.answer != nil && answer != nil {
		return json.Unmarshal(r.answer, answer)
	}
	if r.reason != nil {
		return r.reason
	}
	return nil
}

func (g *Gateway) enqueue(ctx context.Context, r *request) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.wait(ctx, func() bool { return g.sessions > 0 && len(g.queue) < g.options.QueueCount })
	switch {
	case err != nil:
		return err
	case g.ended != nil:
		return g.ended
	case len(r.body) > g.maxBody:
		return tooLong(len(r.body), g.maxBody)
	}
	g.queue = append(g.queue, r)
	g.work.Signal()
	return nil
}

func (g *Gateway) introduce(h *hello) { h.Role = "gateway" }

// welcomed attaches the devices again, before anything else is sent.
func (g *Gateway) welcomed(welcome) {
	names := make([]string, 0, len(g.devices))
	for name := range g.devices {
		names = append(names, name)
	}
	var repeats []*request
	for len(names) > 0 {
		count := g.attachable(names)
		if body, err := marshal(map[string][]string{"devices": names[:count]}); err == nil {
			repeats = append(repeats, &request{kind: kindAttach, body: body})
		}
		names = names[count:]
	}
	g.attaches = len(repeats)
	g.queue = append(repeats, g.queue...)
}

func (g *Gateway) output(bytes []byte) []byte {
	for g.next < len(g.queue) && g.next < g.window && len(bytes) < outputBatch {
		r := g.queue[g.next]
		if g.attaches > 0 && r.done != nil {
			break
		}
		g.next++
		g.seq++
		g.statistics.Sent++
		r.seq = g.seq
		bytes = appendFrame(bytes, r.kind, r.seq, r.body)
	}
	return bytes
}

// disconnected drops repeats, which the next session makes anew.
func (g *Gateway) disconnected() {
	g.next, g.seq, g.attaches = 0, 0, 0
	var queue []*request
	for _, r := range g.queue {
		if r.done != nil {
			r.seq, r.answer = 0, nil
			queue = append(queue, r)
		}
	}
	g.queue = queue
}

func (g *Gateway) received(f frame) error {
	switch f.kind {
	case kindAck:
		for g.next > 0 && g.queue[0].seq <= f.seq {
			g.statistics.Acknowledged++
			g.settle(0)
		}
	case kindReject, kindScheduled, kindAttached:
		for index, r := range g.queue[:g.next] {
			if r.seq == f.seq {
				return g.answered(index, r, f)
			}
		}
	case kindReload:
		reload := Reload{Seq: f.seq}
		if err := json.Unmarshal(f.body, &reload); err != nil {
			return broken("RELOAD: %s", err)
		}
		g.report(reload)
	case kindDetached:
		var detached Detached
		if err := json.Unmarshal(f.body, &detached); err != nil {
			return broken("DETACHED: %s", err)
		}
		if detached.Reason != "session" {
			delete(g.devices, detached.Device)
		}
		g.report(detached)
	default:
		return broken("a frame of type %#02x is not for a gateway", f.kind)
	}
	return nil
}

// answered keeps an answer for the goroutine that waits, or deals with it if it is a repeat's.
func (g *Gateway) answered(index int, r *request, f frame) error {
	switch {
	case f.kind == kindReject:
		r.reason = refusal(f.body)
		g.statistics.Rejected++
		g.settle(index)
		if r.kind == kindWidgets && r.done == nil {
			delete(g.devices, r.device)
			g.report(Detached{r.device, r.reason.Code})
		}
	case r.kind == kindAttach && r.done == nil:
		var answer Attached
		if err := json.Unmarshal(f.body, &answer); err != nil {
			return broken("ATTACHED: %s", err)
		}
		for _, name := range answer.Unknown {
			if body := g.devices[name]; body != nil {
				// Before the frames that are not sent yet.
				repeat := &request{kind: kindWidgets, body: body, device: name}
				g.queue = append(g.queue[:g.next:g.next], append([]*request{repeat}, g.queue[g.next:]...)...)
			} else {
				delete(g.devices, name)
				g.report(Detached{name, "unknown"})
			}
		}
		g.work.Signal()
	default:
		r.answer = append([]byte(nil), f.body...)
	}
	return nil
}

// settle removes the request at an index of the queue.
func (g *Gateway) settle(index int) {
	r := g.queue[index]
	if r.done != nil {
		close(r.done)
	} else if r.kind == kindAttach {
		g.attaches--
	}
	if index == 0 {
		g.queue[0], g.queue = nil, g.queue[1:]
	} else {
		g.queue = append(g.queue[:index], g.queue[index+1:]...)
	}
	g.next--
	g.notify()
	g.work.Signal()
}
