// Package reloadrouter publishes pushes to a ReloadRouter, and speaks for devices as a gateway.
//
// A Publisher numbers each push, keeps it until the router has acknowledged it, and sends it again after
// a lost connection. So each push takes effect once, although it may be sent more than once.
//
//	publisher, err := reloadrouter.NewPublisher(reloadrouter.Options{
//		Address: "router.example:7410", App: "com.mygame", Token: token, Producer: "shard-7",
//	})
//	err = publisher.Connect(ctx)
//	seq, err := publisher.Push(ctx, reloadrouter.Push{Payload: map[string]any{"event": "damage"}})
//	err = publisher.Flush(ctx)
//	publisher.Close()
package reloadrouter
