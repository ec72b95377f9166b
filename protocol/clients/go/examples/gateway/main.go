// Command gateway speaks for one device, and prints and answers each RELOAD that comes for it. An app's
// backend would send a WidgetKit push to the device instead, and pass on the timeline that its app makes.
//
//	RELOAD_ADDRESS=localhost:7410 RELOAD_TOKEN=… gateway
//
// RELOAD_CA is a PEM file of the authority of the router's certificate, if it is none of the system's;
// RELOAD_PLAINTEXT=1 asks for plain TCP.
package main

import (
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
	ctx := context.Background()
	ended := make(chan error, 1)
	var gateway *reloadrouter.Gateway
	gateway, err = reloadrouter.NewGateway(reloadrouter.Options{
		Address:   os.Getenv("RELOAD_ADDRESS"), // HOST:PORT
		TLS:       certificates,
		Plaintext: os.Getenv("RELOAD_PLAINTEXT") == "1",
		App:       "com.mygame",
		Token:     os.Getenv("RELOAD_TOKEN"),
		OnEvent: func(event reloadrouter.Event) {
			switch event := event.(type) {
			case reloadrouter.Reload:
				go answer(ctx, gateway, event)
			case reloadrouter.Disconnected:
				log.Print(event.Err)
			case reloadrouter.Failed:
				ended <- event.Err
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer gateway.Close()

	if err := gateway.Connect(ctx); err != nil {
		log.Fatal(err)
	}
	widget := reloadrouter.Widget{ID: "w1", Kind: "com.mygame.character-detail",
		Configuration: map[string]any{"character": "elf-42"}}
	err = gateway.Widgets(ctx, reloadrouter.Widgets{Device: "d-1", Widgets: []reloadrouter.Widget{widget}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("registered")
	log.Fatal(<-ended)
}

func answer(ctx context.Context, gateway *reloadrouter.Gateway, reload reloadrouter.Reload) {
	for _, widget := range reload.Widgets {
		fmt.Println(reload.Device, widget)
		_, err := gateway.Timeline(ctx, reloadrouter.Timeline{
			Device: reload.Device, Widget: widget, Reload: reload.Seq, Policy: reloadrouter.Never})
		if err != nil {
			log.Print(err)
		}
	}
}
