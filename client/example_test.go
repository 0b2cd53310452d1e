package client_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"farad/client"
	"farad/netio/wire"
)

func ExampleParseURI() {
	u, err := client.ParseURI("tcp://ann:secret@localhost:9007/amps/json?tcp_nodelay=true")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(u)
	fmt.Println(u.Address, u.MessageType)
	_, err = client.ParseURI("wss://localhost:9007/amps")
	fmt.Println(err)
	// Output:
	// tcp://ann@localhost:9007/amps/json
	// localhost:9007 json
	// uri "wss://localhost:9007/amps": the scheme wss is not provided by this version, use tcp
}

// Publish a few messages and make sure that the server has processed them.
func ExampleClient_Publish() {
	ctx := context.Background()
	c, err := client.Dial(ctx, "tcp://localhost:9007/amps/json", client.WithName("publisher"))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	for i := range 1000 {
		if err := c.Publish("orders", fmt.Appendf(nil, `{"id":%d}`, i)); err != nil {
			log.Fatal(err)
		}
	}
	if err := c.Flush(ctx); err != nil {
		log.Fatal(err)
	}
}

// Subscribe with a handler, and tell a wrong filter from other errors.
func ExampleClient_Subscribe() {
	ctx := context.Background()
	c, err := client.Dial(ctx, "tcp://localhost:9007/amps/json", client.WithHeartbeat(10*time.Second))
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	feed, err := c.Subscribe(ctx, client.Subscription{Topic: "^(orders|fills)$", Filter: "/price > 100"},
		func(m *client.Message) { fmt.Printf("%s %s\n", m.Topic(), m.Body) })
	switch {
	case errors.Is(err, client.ErrBadFilter):
		log.Fatal("correct the filter: ", err)
	case err != nil:
		log.Fatal(err)
	}
	<-time.After(time.Minute)
	if err := feed.Unsubscribe(ctx); err != nil {
		log.Fatal(err)
	}
}

// Read messages in a loop; leaving it unsubscribes.
func ExampleClient_Messages() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := client.Dial(ctx, "tcp://localhost:9007/amps/json")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	count := 0
	for m, err := range c.Messages(ctx, client.Subscription{Topic: "orders"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(m.Body))
		if count++; count == 10 {
			break
		}
	}
}

// Wait for the acknowledgement of one message.
func ExampleClient_PublishSync() {
	ctx := context.Background()
	c, err := client.Dial(ctx, "tcp://localhost:9007/amps/json")
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	ack, err := c.PublishSync(ctx, client.Publication{
		Topic: "orders", Body: []byte(`{"id":7}`), Acks: wire.AckProcessed,
	})
	var refused *client.CommandError
	if errors.As(err, &refused) {
		log.Fatalf("the server refused the order: %s", refused.Reason)
	}
	fmt.Println(ack.Success)
}
