import Basics
import CaptureFormat
import TestSupport
import Testing

@Suite("Captures as lines of JSON")
struct CaptureLineTests {
    private func line(_ record: CaptureRecord) -> String {
        var scanner = CaptureLine.scanner()
        return String(decoding: CaptureLine.text(of: record, using: &scanner), as: UTF8.self)
    }

    /// The line of a record with that body, and the line of the record that this line gives.
    private func lines(
        _ kind: CaptureKind,
        flags: UInt8 = 0,
        seq: UInt64 = 0,
        _ body: [UInt8]
    ) throws -> [String] {
        let first = body.withByteView { body in
            line(
                CaptureRecord(
                    time: 1_500,
                    connection: 3,
                    kind: kind,
                    flags: flags,
                    seq: seq,
                    body: body
                )
            )
        }
        var second = ""
        var reader = CaptureLineReader()
        try first.withByteView { text in
            try reader.record(text) { record in
                second = line(record)
                let isSame = body.withByteView { $0 == record.body }
                #expect(isSame || body.contains(0x0a), "white space may change, and nothing else")
                #expect(record.flags == flags && record.seq == seq && record.kind == kind)
            }
        }
        return [first, second]
    }

    @Test func `have a push's flags and date apart from its body`() throws {
        let date: [UInt8] = [0, 0, 1, 0xa1, 0xf0, 0x5b, 0x38, 0]
        let found = try lines(.push, flags: 3, seq: 7, date + Array(#"{"a": [1]}"#.utf8))
        #expect(found[0] == found[1])
        #expect(
            found[0] == #"{"time":1500,"connection":3,"kind":"push","urgent":true,"#
                + #""expires":1795033872384,"seq":7,"body":{"a": [1]}}"#
        )
    }

    @Test func `have a push's kinds apart from its body`() throws {
        let date: [UInt8] = [0, 0, 1, 0xa1, 0xf0, 0x5b, 0x38, 0]
        let kinds: [UInt8] = [0, 5, 1, 0x6b, 2, 0x6c, 0x22]
        let found = try lines(.push, flags: 6, seq: 7, date + kinds + Array(#"{"a":1}"#.utf8))
        #expect(found[0] == found[1])
        #expect(
            found[0] == #"{"time":1500,"connection":3,"kind":"push","expires":1795033872384,"#
                + #""kinds":["k","l\""],"seq":7,"body":{"a":1}}"#
        )
        let none = try lines(.push, flags: 4, seq: 7, [0, 0] + Array("{}".utf8))
        #expect(none[0] == none[1] && none[0].contains(#""kinds":[],"seq":7,"body":{}"#))
        let broken = try lines(.push, flags: 4, seq: 7, [0, 2, 9, 0x6b] + Array("{}".utf8))
        #expect(broken[0] == broken[1])
        #expect(broken[0].contains(#""flags":4,"seq":7,"bytes":"0002096b7b7d""#))
    }

    @Test(arguments: [CaptureKind.widgets, .timeline, .state, .request, .hello, .apps])
    func `have no date apart from a body that is not a push's`(kind: CaptureKind) throws {
        let date: [UInt8] = [0, 0, 1, 0xa1, 0xf0, 0x5b, 0x38, 0]
        let found = try lines(kind, flags: 3, seq: 7, date + Array("{}".utf8))
        #expect(found[0] == found[1])
        #expect(found[0].contains(#""flags":2,"seq":7,"bytes":"000001a1f05b38007b7d""#))
        let other = try lines(kind, flags: 2, seq: 7, Array(#"{"a":[1]}"#.utf8))
        #expect(other[0] == other[1])
        #expect(other[0].contains(#""flags":2,"seq":7,"body":{"a":[1]}"#))
    }

    @Test func `have as hex what is no JSON`() throws {
        let found = try lines(.push, flags: 2, [1, 2, 0xff])
        #expect(found[0] == found[1])
        #expect(
            found[0]
                == #"{"time":1500,"connection":3,"kind":"push","flags":2,"bytes":"0102ff"}"#
        )
        let ended = try lines(.ended, [])
        #expect(
            ended == Array(repeating: #"{"time":1500,"connection":3,"kind":"ended"}"#, count: 2)
        )
    }

    @Test func `have the number of what is lost, and app files on one line`() throws {
        let lost = try lines(.lost, CaptureRecord.lostBody(300))
        #expect(lost[0] == lost[1] && lost[0].hasSuffix(#""kind":"lost","count":300}"#))
        let apps = try lines(.apps, Array("{\n \"apps\": []\n}\n".utf8))
        #expect(apps[0] == apps[1] && apps[0].hasSuffix(#""kind":"apps","body":{  "apps": [] }}"#))
    }

    @Test func `have a header that is read again`() throws {
        let header = CaptureHeader(
            recording: 0xaa,
            number: 2,
            startedAt: -5,
            firstTime: 9,
            isRedacted: true
        )
        let text = CaptureLine.text(of: header)
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"{"capture":2,"recording":"00000000000000aa","startedAt":-5,"#
                + #""number":2,"firstTime":9,"redacted":true}"#
        )
        var reader = CaptureLineReader()
        let again = try text.withByteView { try reader.header($0) }
        #expect(again == header)
    }

    /// The lines of records that were read after a header of that version.
    private func lines(ofVersion version: Int, _ texts: [String]) throws -> [String] {
        var reader = CaptureLineReader()
        let header = #"{"capture":\#(version),"recording":"00000000000000aa","startedAt":1}"#
        _ = try header.withByteView { try reader.header($0) }
        var found: [String] = []
        for text in texts {
            try text.withByteView { try reader.record($0) { found.append(line($0)) } }
        }
        return found
    }

    @Test func `of version 1 are converted: kinds in a payload are also in front of it`() throws {
        let payload = #"{"kinds":["k","l\""],"a":1}"#
        let former = [
            #"{"time":1,"kind":"push","urgent":true,"expires":7,"seq":2,"body":\#(payload)}"#,
            #"{"time":2,"kind":"push","seq":3,"body":{"kinds":[]}}"#,
            #"{"time":3,"kind":"push","seq":4,"body":{"kinds":"k","a":{"kinds":["k"]}}}"#,
            #"{"time":4,"kind":"push","seq":5,"bytes":"5b"}"#,
            #"{"time":5,"kind":"state","body":{"kinds":["k"]}}"#,
        ]
        let converted = [
            #"{"time":1,"kind":"push","urgent":true,"expires":7,"kinds":["k","l\""],"seq":2,"#
                + #""body":\#(payload)}"#,
            #"{"time":2,"kind":"push","kinds":[],"seq":3,"body":{"kinds":[]}}"#,
        ]
        #expect(try lines(ofVersion: 1, former) == converted + former.dropFirst(2))
        #expect(try lines(ofVersion: 2, former) == former)
        #expect(try lines(ofVersion: 2, converted) == converted)
    }

    @Test(arguments: [
        (#"{"time":1}"#, "a record has time and kind"),
        (#"{"time":-1,"kind":"push"}"#, "time must be a whole number from 0"),
        (#"{"time":1,"kind":"pull"}"#, "kind must be one of ended, hello"),
        (#"{"time":1,"kind":"push","bytes":"0"}"#, "bytes must be two digits"),
        (#"{"time":1,"kind":"push","bytes":"","body":{}}"#, "one of body, bytes and count"),
        (#"{"time":1,"kind":"state","expires":1,"body":{}}"#, "only a push has expires"),
        (#"{"time":1,"kind":"state","kinds":[],"body":{}}"#, "only a push has"),
        (#"{"time":1,"kind":"push","body":[]}"#, "body must be an object"),
        (#"{"time":1,"kind":"push","flags":256}"#, "flags must be at most 255"),
        (#"{"time":1,"kind":"push","x":1}"#, "there is no member x"),
        (#"{"time":1152921504606846977,"kind":"push"}"#, "the time is too large"),
        (#"{"time":1,"kind":"push""#, "the document ends in the middle"),
    ])
    func `that are wrong are refused with a sentence`(text: String, sentence: String) throws {
        var reader = CaptureLineReader()
        var message = ""
        do {
            try text.withByteView { try reader.record($0) { _ in } }
        } catch {
            message = "\(error)"
        }
        #expect(message.hasPrefix("capture-text: ") && message.contains(sentence))
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `give the same line again, whatever the record`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = [
            "", "{}", "{\"a\":1}", "[1]", "{\"a\":{\"b\":[null]}}\r\n", "{\"é\":\"\\u0000\"}",
        ]
        for _ in 0..<500 {
            let isText = random.below(3) > 0
            let prefix = random.below(3) == 0 ? random.bytes(8) : []
            let body =
                prefix + (isText ? Array(random.pick(texts).utf8) : random.bytes(random.below(12)))
            let kind = random.pick(CaptureKind.allCases)
            let flags = kind == .push ? UInt8(random.below(256)) : 0
            let found = try lines(
                kind,
                flags: flags,
                seq: random.next() >> UInt64(random.below(64)),
                body
            )
            #expect(found[0] == found[1], "seed \(seed)")
        }
    }
}
