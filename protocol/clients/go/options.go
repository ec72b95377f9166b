package reloadrouter

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"time"
)

// Options say where the router is, who the client is, and what its limits are. Zero values mean the
// defaults.
type Options struct {
	// Address is HOST, HOST:PORT or [IPv6]:PORT; the port is 7410 by default.
	Address string
	// HTTPAddress is HOST:PORT of the router's listener for publishers over HTTP (serve --publish), which History
	// asks; it may be empty otherwise.
	HTTPAddress string
	// App is the app as the app file names it.
	App string
	// Token lets the client in; it may be empty if a certificate does, or if the app is open.
	Token string
	// Producer names a publisher's stream of pushes. It has one session at a time, the newest.
	Producer string

	// TLS says whom to trust and how to prove oneself; see LoadTLS. By default the router's certificate
	// must be for the host of Address, from an authority of the system.
	TLS *tls.Config
	// Plaintext asks for plain TCP, in which a stranger can read and change everything.
	Plaintext bool

	// OnEvent is called with each Event, in order, by one goroutine. No frame is read before it returns.
	// Without it, the first failure of a row is printed with the package log.
	OnEvent func(Event)
	// Outcomes asks what became of each push; the answers are Outcome events.
	Outcomes bool
	// Outbox is the path of a file that keeps pushes until they are acknowledged, so that they survive
	// a crash of the program.
	Outbox string

	// QueueCount is the most pushes that are neither acknowledged nor rejected; 16,384 by default.
	// Beyond: Push waits, TryPush returns false. For a gateway, the most frames without an answer.
	QueueCount int
	// Registrations is the most devices that a gateway remembers, to speak for them again after a
	// reconnect; 65,536 by default. Beyond: Widgets and Attach return an error.
	Registrations int
	// QueueBytes is the most bytes of these pushes; 16 MiB by default.
	QueueBytes int

	// ConnectLimit is how long Connect waits for the first session if its context has no deadline; 10 s by
	// default.
	ConnectLimit time.Duration
	// ConnectTimeout limits connecting to each address; 10 s by default.
	ConnectTimeout time.Duration
	// WelcomeTimeout limits the time from there until WELCOME; 10 s by default.
	WelcomeTimeout time.Duration
	// PingAfter is the silence after which the client sends PING; 15 s by default.
	PingAfter time.Duration
	// LostAfter is the silence after which the connection counts as lost; 45 s by default.
	LostAfter time.Duration
	// FirstPause is the longest that the first pause before a reconnect may be; 100 ms by default. It
	// doubles with each attempt.
	FirstPause time.Duration
	// LongestPause is the longest that any pause may be; 5 s by default.
	LongestPause time.Duration
}

// withDefaults returns the options with defaults in the place of zero values.
func (o Options) withDefaults() (Options, error) {
	if o.Address == "" || o.App == "" {
		return o, errors.New("reloadrouter: Options need an Address and an App")
	}
	address, err := parseAddress(o.Address)
	if err != nil {
		return o, err
	}
	o.Address = address
	orDefault(&o.QueueCount, 16_384)
	orDefault(&o.Registrations, 65_536)
	orDefault(&o.QueueBytes, 16<<20)
	orDefault(&o.ConnectLimit, 10*time.Second)
	orDefault(&o.ConnectTimeout, 10*time.Second)
	orDefault(&o.WelcomeTimeout, 10*time.Second)
	orDefault(&o.PingAfter, 15*time.Second)
	orDefault(&o.LostAfter, 45*time.Second)
	orDefault(&o.FirstPause, 100*time.Millisecond)
	orDefault(&o.LongestPause, 5*time.Second)
	return o, nil
}

func orDefault[Number int | time.Duration](value *Number, standard Number) {
	if *value <= 0 {
		*value = standard
	}
}

// LoadTLS reads PEM files: the authorities that may have signed the router's certificate, and the
// client's own certificate and key. Empty paths mean the system's authorities, and no certificate.
func LoadTLS(authorities, certificate, key string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if authorities != "" {
		pem, err := os.ReadFile(authorities)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s has no certificate", authorities)
		}
	}
	if certificate != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
