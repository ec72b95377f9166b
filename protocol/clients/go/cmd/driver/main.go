// Command driver lets the conformance suite control a Publisher: it reads a JSON object a line and prints
// a JSON object a line.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"reloadrouter"
)

type command struct {
	Do          string          `json:"do"`
	Host        string          `json:"host"`
	Port        int             `json:"port"`
	App         string          `json:"app"`
	Token       string          `json:"token"`
	Producer    string          `json:"producer"`
	Queue       int             `json:"queue"`
	Outbox      string          `json:"outbox"`
	CA          string          `json:"ca"`
	Certificate string          `json:"certificate"`
	Key         string          `json:"key"`
	BackoffMs   []int64         `json:"backoffMs"`
	PingMs      int64           `json:"pingMs"`
	TimeoutMs   int64           `json:"timeoutMs"`
	Payload     json.RawMessage `json:"payload"`
	Urgent      bool            `json:"urgent"`
	ExpiresAt   *int64          `json:"expiresAt"`
	Kinds       []string        `json:"kinds"`
	Outcomes    bool            `json:"outcomes"`
	Silent      bool            `json:"silent"`
	WaitMs      *int64          `json:"waitMs"`
	HTTPAddress string          `json:"httpAddress"`
	Seq         uint64          `json:"seq"`
	After       *int            `json:"after"`
}

var output sync.Mutex

func say(message map[string]any) {
	line, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	output.Lock()
	defer output.Unlock()
	fmt.Println(string(line))
}

func ms(count int64) time.Duration { return time.Duration(count) * time.Millisecond }

func report(event reloadrouter.Event) {
	switch event := event.(type) {
	case reloadrouter.Connected:
		say(map[string]any{"event": "connected", "lastSeq": event.LastSeq})
	case reloadrouter.Disconnected:
		say(map[string]any{"event": "disconnected", "code": code(event.Err), "retry": event.Err.Retry})
	case reloadrouter.Rejected:
		say(map[string]any{"event": "rejected", "seq": event.Seq, "code": event.Err.Code})
	case reloadrouter.Lost:
		say(map[string]any{"event": "lost", "from": event.From, "through": event.Through})
	case reloadrouter.Outcome:
		say(map[string]any{"event": "outcome", "seq": event.Seq, "outcome": event.Body})
	case reloadrouter.Failed:
		say(map[string]any{"event": "failed", "code": code(event.Err)})
	}
}

func code(err *reloadrouter.Error) any {
	if err.Code == "" {
		return nil
	}
	return err.Code
}

// address is the host with the port, which it may have already.
func address(c command) string {
	port := strconv.Itoa(c.Port)
	if c.Port == 0 || strings.HasSuffix(c.Host, ":"+port) {
		return c.Host
	}
	if strings.HasPrefix(c.Host, "[") {
		return c.Host + ":" + port
	}
	return net.JoinHostPort(c.Host, port)
}

func connect(c command) (*reloadrouter.Publisher, error) {
	options := reloadrouter.Options{
		Address: address(c), App: c.App, Token: c.Token, Outcomes: c.Outcomes,
		Producer: c.Producer, Plaintext: c.CA == "", OnEvent: report, Outbox: c.Outbox,
		QueueCount: c.Queue, PingAfter: ms(c.PingMs), LostAfter: ms(c.TimeoutMs),
		ConnectTimeout: ms(c.TimeoutMs), WelcomeTimeout: ms(c.TimeoutMs), HTTPAddress: c.HTTPAddress,
	}
	if c.Silent {
		options.OnEvent = nil
	}
	if len(c.BackoffMs) == 2 {
		options.FirstPause, options.LongestPause = ms(c.BackoffMs[0]), ms(c.BackoffMs[1])
	}
	if c.CA != "" {
		config, err := reloadrouter.LoadTLS(c.CA, c.Certificate, c.Key)
		if err != nil {
			return nil, err
		}
		options.TLS = config
	}
	publisher, err := reloadrouter.NewPublisher(options)
	if err != nil {
		return nil, err
	}
	if c.WaitMs == nil {
		go publisher.Connect(context.Background())
		return publisher, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), ms(*c.WaitMs))
	defer cancel()
	return publisher, publisher.Connect(ctx)
}

func pushOf(c command) reloadrouter.Push {
	var payload bytes.Buffer
	if err := json.Compact(&payload, c.Payload); err != nil {
		panic(err)
	}
	push := reloadrouter.Push{Payload: payload.Bytes(), Urgent: c.Urgent, Kinds: c.Kinds}
	if c.ExpiresAt != nil {
		push.ExpiresAt = time.UnixMilli(*c.ExpiresAt)
	}
	return push
}

// answer returns what is printed for a command.
func answer(publisher *reloadrouter.Publisher, c command) (map[string]any, error) {
	switch c.Do {
	case "push":
		seq, err := publisher.Push(context.Background(), pushOf(c))
		return map[string]any{"pushed": seq}, err
	case "tryPush":
		seq, ok, err := publisher.TryPush(pushOf(c))
		if err == nil && !ok {
			return map[string]any{"full": true}, nil
		}
		return map[string]any{"pushed": seq}, err
	case "flush":
		ctx, cancel := context.WithTimeout(context.Background(), ms(c.TimeoutMs))
		defer cancel()
		return map[string]any{"flushed": publisher.Flush(ctx) == nil}, nil
	case "history":
		history, err := publisher.History(context.Background(), c.Seq, c.After)
		var refused *reloadrouter.Error
		if errors.As(err, &refused) {
			return map[string]any{"refused": map[string]any{"code": code(refused), "retry": refused.Retry}}, nil
		}
		return map[string]any{"history": history}, err
	case "statistics":
		s := publisher.Statistics()
		return map[string]any{"statistics": map[string]any{"queued": s.Queued, "sent": s.Sent,
			"acknowledged": s.Acknowledged, "rejected": s.Rejected, "matched": s.Matched, "reconnects": s.Reconnects}}, nil
	case "close":
		return map[string]any{"closed": true}, publisher.Close()
	}
	return nil, fmt.Errorf("%q is no command", c.Do)
}

func main() {
	var publisher *reloadrouter.Publisher
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c command
		err := json.Unmarshal(lines.Bytes(), &c)
		var said map[string]any
		switch {
		case err != nil:
		case c.Do == "connect":
			publisher, err = connect(c)
		case publisher == nil:
			err = fmt.Errorf("%q came before a successful connect", c.Do)
		default:
			said, err = answer(publisher, c)
		}
		if err != nil {
			said = map[string]any{"error": err.Error()}
		}
		if said != nil {
			say(said)
		}
		if c.Do == "close" {
			return
		}
	}
}
