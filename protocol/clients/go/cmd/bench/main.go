// Command bench pushes small payloads over one connection, and prints how long it took.
//
//	bench HOST PORT APP TOKEN PRODUCER COUNT
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"reloadrouter"
)

// cpuTime is the processor time that this process has used.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func main() {
	if len(os.Args) != 7 {
		log.Fatal("usage: bench HOST PORT APP TOKEN PRODUCER COUNT")
	}
	count, err := strconv.Atoi(os.Args[6])
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	publisher, err := reloadrouter.NewPublisher(reloadrouter.Options{
		Address: net.JoinHostPort(os.Args[1], os.Args[2]), App: os.Args[3], Token: os.Args[4],
		Producer: os.Args[5], Plaintext: true, Outbox: os.Getenv("OUTBOX"),
	})
	if err == nil {
		err = publisher.Connect(ctx)
	}
	if err != nil {
		log.Fatal(err)
	}
	begun, used := time.Now(), cpuTime()
	for number := 0; number < count; number++ {
		payload := fmt.Sprintf(`{"event":"healing-potion","character":"elf-%d","amount":25}`, number%1000)
		push := reloadrouter.Push{Payload: json.RawMessage(payload)}
		if _, err := publisher.Push(ctx, push); err != nil {
			log.Fatal(err)
		}
	}
	if err := publisher.Flush(ctx); err != nil {
		log.Fatal(err)
	}
	seconds, cpu := time.Since(begun).Seconds(), (cpuTime() - used).Seconds()
	fmt.Printf("{\"pushes\":%d,\"seconds\":%.3f,\"cpuSeconds\":%.3f}\n", count, seconds, cpu)
	publisher.Close()
}
