// Command publish pushes its arguments, or lines of standard input: each a JSON object.
//
//	publish --address localhost:7410 --plaintext --app com.mygame '{"event":"damage","character":"elf-42"}'
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	"reloadrouter"
)

func main() {
	var options reloadrouter.Options
	flag.StringVar(&options.Address, "address", "localhost:7410", "HOST:PORT of the router")
	flag.StringVar(&options.App, "app", "", "the app, as the app file names it")
	flag.StringVar(&options.Token, "token", "", "a publisher's token")
	flag.StringVar(&options.Producer, "producer", "example", "the name of this stream of pushes")
	flag.StringVar(&options.Outbox, "outbox", "", "a file that keeps pushes over a crash")
	flag.BoolVar(&options.Plaintext, "plaintext", false, "do without TLS")
	authorities := flag.String("ca", "", "a PEM file of the authority of the router's certificate")
	flag.Parse()

	var err error
	if options.TLS, err = reloadrouter.LoadTLS(*authorities, "", ""); err != nil {
		log.Fatal(err)
	}
	options.OnEvent = func(event reloadrouter.Event) {
		switch event := event.(type) {
		case reloadrouter.Disconnected:
			log.Print(event.Err)
		case reloadrouter.Rejected:
			log.Printf("push %d: %v", event.Seq, event.Err)
		}
	}
	publisher, err := reloadrouter.NewPublisher(options)
	if err != nil {
		log.Fatal(err)
	}
	defer publisher.Close()

	ctx := context.Background()
	if err := publisher.Connect(ctx); err != nil {
		log.Fatal(err)
	}
	push := func(line string) {
		if _, err := publisher.Push(ctx, reloadrouter.Push{Payload: []byte(line)}); err != nil {
			log.Fatal(err)
		}
	}
	for _, payload := range flag.Args() {
		push(payload)
	}
	if flag.NArg() == 0 {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			push(lines.Text())
		}
	}
	if err := publisher.Flush(ctx); err != nil {
		log.Fatal(err)
	}
	statistics := publisher.Statistics()
	fmt.Printf("accepted %d rejected %d matched %d\n",
		statistics.Acknowledged, statistics.Rejected, statistics.Matched)
}
