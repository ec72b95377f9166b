package reloadrouter

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// Types of frames.
const (
	kindHello     = 0x01
	kindWelcome   = 0x02
	kindPing      = 0x03
	kindPong      = 0x04
	kindPush      = 0x10
	kindAck       = 0x11
	kindReject    = 0x12
	kindOutcome   = 0x13
	kindWidgets   = 0x20
	kindTimeline  = 0x21
	kindState     = 0x22
	kindRequest   = 0x23
	kindAttach    = 0x24
	kindReload    = 0x30
	kindScheduled = 0x31
	kindDetached  = 0x32
	kindAttached  = 0x33
	kindError     = 0x7e
	kindGoAway    = 0x7f
)

const (
	headerBytes = 16
	// firstIgnored is the first type of those that are passed over when they are not known.
	firstIgnored = 0x40
	// longestBody is the longest body of a frame that a router may send.
	longestBody = 512 << 10
	// longestIdentifier is the most bytes of an app, a producer, a device or a kind.
	longestIdentifier = 128

	flagUrgent  = 0x01
	flagExpires = 0x02
	flagKinds   = 0x04
)

// A frame is one message of the protocol. Its body is part of the buffer that it was decoded from.
type frame struct {
	kind, flags byte
	seq         uint64
	body        []byte
}

func appendHeader(to []byte, kind, flags byte, seq uint64, bodyBytes int) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(headerBytes-4+bodyBytes))
	to = append(to, kind, flags, 0, 0)
	return binary.BigEndian.AppendUint64(to, seq)
}

func appendFrame(to []byte, kind byte, seq uint64, body []byte) []byte {
	return append(appendHeader(to, kind, 0, seq, len(body)), body...)
}

// decodeFrame returns the frame at the beginning of data and its size, which is 0 while it is
// incomplete.
func decodeFrame(data []byte, maxBody int) (f frame, size int, err error) {
	if len(data) < 4 {
		return f, 0, nil
	}
	length := int64(binary.BigEndian.Uint32(data))
	if length < headerBytes-4 || length > int64(headerBytes-4+maxBody) {
		return f, 0, broken("frame-length: a frame announces %d bytes", length)
	}
	if int64(len(data)) < 4+length {
		return f, 0, nil
	}
	size = int(4 + length)
	f = frame{data[4], data[5], binary.BigEndian.Uint64(data[8:]), data[headerBytes:size]}
	return f, size, nil
}

// frame returns a push as a frame whose seq is still 0: the date and the kinds precede the payload.
func (p *Push) frame() ([]byte, error) {
	payload, err := jsonOf(p.Payload)
	if err != nil {
		return nil, err
	}
	data := make([]byte, headerBytes, headerBytes+16+len(payload))
	var flags byte
	if p.Urgent {
		flags |= flagUrgent
	}
	if !p.ExpiresAt.IsZero() {
		flags |= flagExpires
		ms := p.ExpiresAt.UnixMilli()
		if err := checkDate(ms, "ExpiresAt"); err != nil {
			return nil, err
		}
		data = binary.BigEndian.AppendUint64(data, uint64(ms))
	}
	if p.Kinds != nil {
		flags |= flagKinds
		start := len(data)
		data = append(data, 0, 0)
		for _, kind := range p.Kinds {
			if kind == "" || len(kind) > longestIdentifier {
				return nil, &Error{"identifier-invalid", RetryNo, fmt.Sprintf("%q is no kind", kind)}
			}
			data = append(append(data, byte(len(kind))), kind...)
		}
		names := len(data) - start - 2
		if names > 0xffff {
			return nil, tooLong(names, 0xffff)
		}
		binary.BigEndian.PutUint16(data[start:], uint16(names))
	}
	data = append(data, payload...)
	appendHeader(data[:0], kindPush, flags, 0, len(data)-headerBytes)
	return data, nil
}

// jsonOf returns a payload as JSON: bytes as they are, other values as encoding/json writes them.
func jsonOf(payload any) ([]byte, error) {
	switch payload := payload.(type) {
	case []byte:
		return payload, nil
	case json.RawMessage:
		return payload, nil
	}
	return marshal(payload)
}

// marshal writes JSON without the escapes that only HTML needs, which would make bodies longer.
func marshal(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), err
}
