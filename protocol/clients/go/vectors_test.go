package reloadrouter

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
)

type goldenFrame struct {
	Name  string
	Hex   string
	Frame struct {
		Kind    byte   `json:"type"`
		Flags   byte   `json:"flags"`
		Seq     string `json:"seq"`
		Body    string `json:"body"`
		BodyHex string `json:"bodyHex"`
	}
}

func (g goldenFrame) body(t *testing.T) []byte {
	if g.Frame.BodyHex != "" {
		return bytesOf(t, g.Frame.BodyHex)
	}
	return []byte(g.Frame.Body)
}

func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readVectors(t *testing.T, name string, to any) {
	t.Helper()
	data, err := os.ReadFile("../../vectors/" + name)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func goldenFrames(t *testing.T) map[string]goldenFrame {
	var list []goldenFrame
	readVectors(t, "frames.json", &list)
	frames := map[string]goldenFrame{}
	for _, golden := range list {
		frames[golden.Name] = golden
	}
	return frames
}

func TestGoldenFramesAreDecodedAndEncoded(t *testing.T) {
	frames := goldenFrames(t)
	if len(frames) < 40 {
		t.Fatalf("only %d frames", len(frames))
	}
	for name, golden := range frames {
		data := bytesOf(t, golden.Hex)
		f, size, err := decodeFrame(data, longestBody)
		if err != nil || size != len(data) {
			t.Errorf("%s: %d of %d bytes, %v", name, size, len(data), err)
			continue
		}
		if f.kind != golden.Frame.Kind || f.flags != golden.Frame.Flags ||
			strconv.FormatUint(f.seq, 10) != golden.Frame.Seq || !bytes.Equal(f.body, golden.body(t)) {
			t.Errorf("%s: decoded as %+v", name, f)
		}
		again := append(appendHeader(nil, f.kind, f.flags, f.seq, len(f.body)), f.body...)
		if !bytes.Equal(again, data) {
			t.Errorf("%s: encoded as %x", name, again)
		}
		for cut := 0; cut < len(data); cut++ {
			if _, size, err := decodeFrame(data[:cut], longestBody); size != 0 || err != nil {
				t.Fatalf("%s: %d bytes are taken for a frame: %v", name, cut, err)
			}
		}
	}
}

func TestLengthsThatNoFrameHasAreRefused(t *testing.T) {
	var list []struct{ Name, Hex, Error string }
	readVectors(t, "malformed.json", &list)
	count := 0
	for _, malformed := range list {
		data := bytesOf(t, malformed.Hex)
		length := binary.BigEndian.Uint32(data)
		if malformed.Error != "frame-length" || length >= 12 && length <= 12+65_536 {
			continue
		}
		count++
		if _, _, err := decodeFrame(data, 65_536); err == nil || !strings.Contains(err.Error(), malformed.Error) {
			t.Errorf("%s: %v", malformed.Name, err)
		}
	}
	if count < 3 {
		t.Errorf("only %d lengths", count)
	}
}
