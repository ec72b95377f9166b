package reloadrouter

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
)

// outboxSlack is how many bytes of settled pushes the file may have beyond those of unsettled ones
// before it is written anew.
const outboxSlack = 16 << 20

// An outbox is a file of pushes that have no answer yet. It begins with a HELLO frame that names the app
// and the producer; the PUSH frames follow. A frame that is cut off at the end was never accepted.
//
// A write is with the operating system when append returns, so it survives the end of the program. A
// goroutine syncs the file in batches for the loss of power.
type outbox struct {
	path   string
	header []byte
	size   int64
	dirty  chan struct{}

	// mu guards what the syncing goroutine uses.
	mu     sync.Mutex
	file   *os.File
	failed error // of a sync: nothing is accepted after it
}

// openOutbox opens or makes the file, and returns the pushes in it.
func openOutbox(path, app, producer string) (*outbox, []pending, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, err
	}
	body, err := marshal(hello{V: 1, Role: "publisher", App: app, Producer: producer})
	if err != nil {
		return nil, nil, err
	}
	o := &outbox{path: path, file: file, header: appendFrame(nil, kindHello, 0, body), dirty: make(chan struct{}, 1)}
	queue, err := o.load()
	if err == nil {
		err = syncFolder(path)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	go o.syncBatches()
	return o, queue, nil
}

func (o *outbox) load() (queue []pending, err error) {
	data, err := os.ReadFile(o.path)
	if err != nil {
		return nil, err
	}
	last, used := uint64(0), 0
	for {
		f, size, err := decodeFrame(data[used:], math.MaxInt32)
		if err != nil || size == 0 {
			break
		}
		if used == 0 && string(data[:size]) != string(o.header) {
			return nil, fmt.Errorf("%s is the outbox of another producer, or none", o.path)
		}
		if used > 0 {
			// Earlier versions for Java and C# wrote other frames, too.
			if f.kind == kindPush {
				if f.seq <= last {
					break
				}
				queue = append(queue, pending{f.seq, data[used : used+size]})
				last = f.seq
			}
		}
		used += size
	}
	// Else it is empty, or was cut while its head was written.
	if used == 0 && !bytes.HasPrefix(o.header, data) {
		return nil, fmt.Errorf("%s is the outbox of another producer, or none", o.path)
	}
	o.size = int64(used)
	return queue, o.file.Truncate(o.size)
}

// append writes a push. After an error, the file is as it was before.
func (o *outbox) append(frame []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed != nil {
		return o.failed
	}
	if o.size == 0 {
		frame = append(append([]byte(nil), o.header...), frame...)
	}
	if _, err := o.file.WriteAt(frame, o.size); err != nil {
		o.file.Truncate(o.size)
		return err
	}
	o.size += int64(len(frame))
	select {
	case o.dirty <- struct{}{}:
	default:
	}
	return nil
}

// settle empties the file if no push is left, and writes it anew if most of it is settled.
func (o *outbox) settle(queue []pending, live, bytes int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var err error
	switch {
	case live == 0 && o.size > 0:
		if err = o.file.Truncate(0); err == nil {
			o.size = 0
		}
	case o.size > 2*int64(bytes)+outboxSlack:
		err = o.rewrite(queue)
	}
	if err != nil && o.failed == nil {
		o.failed = err
	}
}

func (o *outbox) rewrite(queue []pending) error {
	data := append([]byte(nil), o.header...)
	for _, push := range queue {
		data = append(data, push.frame...)
	}
	file, err := os.OpenFile(o.path+".new", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err = file.Write(data); err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = os.Rename(o.path+".new", o.path)
	}
	if err != nil {
		file.Close()
		return err
	}
	o.file.Close()
	o.file, o.size = file, int64(len(data))
	return syncFolder(o.path)
}

// syncBatches syncs what was written since it last did, until the outbox is closed.
func (o *outbox) syncBatches() {
	for range o.dirty {
		o.mu.Lock()
		file := o.file
		o.mu.Unlock()
		err := file.Sync()
		o.mu.Lock()
		// A file that was written anew meanwhile is synced.
		if err != nil && file == o.file && o.failed == nil {
			o.failed = err
		}
		o.mu.Unlock()
	}
}

func (o *outbox) close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed == fs.ErrClosed {
		return nil
	}
	o.failed = fs.ErrClosed
	close(o.dirty)
	err := o.file.Sync()
	o.file.Close()
	return err
}

// syncFolder makes the name of a file durable.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
