// Command publish pushes its arguments, or lines of standard input: each a JSON object.
//
//	RELOAD_ADDRESS=localhost:7410 RELOAD_TOKEN=… publish '{"event":"damage","character":"elf-42"}'
//
// RELOAD_CA is a PEM file of the authority of the router's certificate, if it is none of the system's;
// RELOAD_PLAINTEXT=1 asks for plain TCP.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"

	"reloadrouter"
)

func main() {
	certificates, err := reloadrouter.LoadTLS(os.Getenv("RELOAD_CA"), "", "")
	if err != nil {
		log.Fatal(err)
	}
	publisher, err := reloadrouter.NewPublisher(reloadrouter.Options{
		Address:   os.Getenv("RELOAD_ADDRESS"), // HOST:PORT
		TLS:       certificates,
		Plaintext: os.Getenv("RELOAD_PLAINTEXT") == "1",
		App:       "com.mygame",
		Token:     os.Getenv("RELOAD_TOKEN"),
		Producer:  "example",
		OnEvent: func(event reloadrouter.Event) {
			switch event := event.(type) {
			case reloadrouter.Disconnected:
				log.Print(event.Err)
			case reloadrouter.Rejected:
				log.Printf("push %d: %v", event.Seq, event.Err)
			}
		},
	})
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
	for _, payload := range os.Args[1:] {
		push(payload)
	}
	if len(os.Args) == 1 {
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
