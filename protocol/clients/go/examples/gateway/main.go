// Command gateway speaks for one device, and prints and answers each RELOAD that comes for it. An app's
// backend would send a WidgetKit push to the device instead, and pass on the timeline that its app makes.
//
//	gateway HOST PORT APP TOKEN
//
// It uses plain TCP.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"

	"reloadrouter"
)

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: gateway HOST PORT APP TOKEN")
	}
	ctx := context.Background()
	ended := make(chan error, 1)
	var gateway *reloadrouter.Gateway
	var err error
	gateway, err = reloadrouter.NewGateway(reloadrouter.Options{
		Address: net.JoinHostPort(os.Args[1], os.Args[2]), App: os.Args[3], Token: os.Args[4], Plaintext: true,
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
