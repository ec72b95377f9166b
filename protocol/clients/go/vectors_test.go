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
	"time"
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

func TestPushesAreTheGoldenOnes(t *testing.T) {
	potion := json.RawMessage(`{"event":"healing-potion","character":"elf-42","amount":25}`)
	date := time.UnixMilli(1_795_000_000_000)
	board := []string{"com.mygame.leaderboard"}
	pushes := map[string]Push{
		"push":                {Payload: potion},
		"push-empty":          {Payload: struct{}{}},
		"push-urgent":         {Payload: potion, Urgent: true},
		"push-expires":        {Payload: potion, ExpiresAt: date},
		"push-urgent-expires": {Payload: potion, Urgent: true, ExpiresAt: date},
		"push-kinds":          {Payload: potion, Kinds: board},
		"push-kinds-two":      {Payload: potion, Kinds: append(board, "com.mygame.character-detail")},
		"push-kinds-none":     {Payload: potion, Kinds: []string{}},
		"push-kinds-member":   {Payload: map[string]int{"kinds": 7}},
		"push-all-flags":      {Payload: potion, Urgent: true, ExpiresAt: date, Kinds: board},
	}
	frames := goldenFrames(t)
	for name, push := range pushes {
		golden := frames[name]
		data, err := push.frame()
		if err != nil {
			t.Fatal(err)
		}
		seq, _ := strconv.ParseUint(golden.Frame.Seq, 10, 64)
		binary.BigEndian.PutUint64(data[8:], seq)
		if hex.EncodeToString(data) != golden.Hex {
			t.Errorf("%s: %x", name, data)
		}
	}
}

func TestKindsStandBeforeThePayload(t *testing.T) {
	push := Push{Payload: []byte("{}"), ExpiresAt: time.UnixMilli(1_795_000_000_000), Kinds: []string{"a", "naïve"}}
	data, err := push.frame()
	if err != nil || data[5] != flagExpires|flagKinds ||
		string(data[headerBytes:]) != "\x00\x00\x01\xa1\xee\x56\x5e\x00\x00\x09\x01a\x06naïve{}" {
		t.Errorf("%x %v", data, err)
	}
	for _, kinds := range [][]string{{""}, {strings.Repeat("k", 129)}} {
		push.Kinds = kinds
		if _, err := push.frame(); err == nil {
			t.Errorf("%q is taken for a kind", kinds)
		}
	}
}

func TestHellosAreTheGoldenOnes(t *testing.T) {
	frames := goldenFrames(t)
	acked := uint64(120)
	hellos := map[string]hello{
		"hello-publisher": {V: 1, Role: "publisher", App: "com.mygame", Token: "t", Producer: "shard-7"},
		"hello-outcomes":  {V: 1, Role: "publisher", App: "com.mygame", Token: "t", Producer: "shard-7", Outcomes: true},
		"hello-acked":     {V: 1, Role: "publisher", App: "com.mygame", Token: "t", Producer: "shard-7", Acked: &acked},
		"hello-gateway":   {V: 1, Role: "gateway", App: "a"},
	}
	for name, hello := range hellos {
		body, err := marshal(hello)
		if err != nil || hex.EncodeToString(appendFrame(nil, kindHello, 0, body)) != frames[name].Hex {
			t.Errorf("%s: %s %v", name, body, err)
		}
	}
}

func TestMalformedHeadersAreRefused(t *testing.T) {
	var list []struct{ Name, Hex, Error string }
	readVectors(t, "malformed.json", &list)
	count := 0
	for _, malformed := range list {
		if !strings.HasPrefix(malformed.Error, "frame-") || malformed.Error == "frame-unexpected" {
			continue
		}
		data := bytesOf(t, malformed.Hex)
		if len(data) > 4 && data[4] >= firstIgnored && data[4] != kindError && data[4] != kindGoAway {
			continue // A type of tomorrow, which the router refuses and a client passes over.
		}
		count++
		_, _, err := decodeFrame(data, 65_536)
		if err == nil || !strings.Contains(err.Error(), malformed.Error) {
			t.Errorf("%s: %v", malformed.Name, err)
		}
	}
	if count < 10 {
		t.Errorf("only %d headers", count)
	}
}

func TestUnknownTypesOfTomorrowAreFrames(t *testing.T) {
	f, size, err := decodeFrame(bytesOf(t, "0000000d41ff12340000000000000001ff"), longestBody)
	if err != nil || size != 17 || f.kind != 0x41 {
		t.Errorf("%+v %d %v", f, size, err)
	}
}
