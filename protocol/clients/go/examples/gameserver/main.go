// Command gameserver is a game that publishes what happens to its characters.
package main

import (
	"context"
	"log"
	"os"
	"time"

	"reloadrouter"
)

func main() {
	certificates, err := reloadrouter.LoadTLS(os.Getenv("RELOAD_CA"), "", "") // by default the system's
	if err != nil {
		log.Fatal(err)
	}
	publisher, err := reloadrouter.NewPublisher(reloadrouter.Options{
		Address:   os.Getenv("RELOAD_ADDRESS"), // HOST:PORT
		TLS:       certificates,
		Plaintext: os.Getenv("RELOAD_PLAINTEXT") == "1",
		App:       "com.mygame",
		Token:     os.Getenv("RELOAD_TOKEN"),
		Producer:  "shard-7",        // each server of the game has a name of its own
		Outbox:    "shard-7.outbox", // keeps pushes if the server crashes
		OnEvent:   func(event reloadrouter.Event) { log.Printf("%T%+v", event, event) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer publisher.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := publisher.Connect(ctx); err != nil {
		log.Fatal(err)
	}
	for frame := 0; frame < 60; frame++ { // the loop of the game, which never waits for the network
		if frame%20 == 0 {
			damage := map[string]any{"event": "damage", "character": "elf-42", "amount": frame}
			if _, ok, err := publisher.TryPush(reloadrouter.Push{Payload: damage}); err != nil || !ok {
				log.Print("not pushed: ", err) // without an error, the queue is full
			}
		}
		time.Sleep(time.Second / 60)
	}
	if err := publisher.Flush(ctx); err != nil {
		log.Print(err) // the outbox keeps what is not acknowledged
	}
}
