import Basics
import CaptureFiles
import CaptureFormat
import StoreFormat
import TestSupport
import Testing

@Suite("Cutting and merging")
struct CaptureCutTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes a recording with these records, times in seconds.
    private func write(
        _ name: String,
        recording: UInt64 = 1,
        startedAt: RecordedDate = 1_000_000_000,
        redacted: Bool = false,
        _ records: [(Double, UInt32, CaptureKind, UInt64, String)]
    ) throws {
        var header = CaptureHeader(recording: recording, startedAt: startedAt)
        header.isRedacted = redacted
        var file = try CaptureFile(path: folder.path(name), header: header)
        for (time, connection, kind, seq, text) in records {
            try text.withByteView { body in
                try file.put(
                    CaptureRecord(
                        time: RecordedTime(rawValue: UInt64(time * 1_000_000)),
                        connection: connection,
                        kind: kind,
                        seq: seq,
                        body: body
                    )
                )
            }
        }
        try file.close()
    }

    private func lines(_ name: String) throws -> [String] {
        try read(CaptureReader(paths: [folder.path(name)]))
    }

    private func cut(_ name: String, _ from: Double, _ to: Double) throws -> [String] {
        let reader = try CaptureReader(paths: [folder.path(name)])
        let result = try CaptureCut.copy(
            reader,
            from: RecordedTime(rawValue: UInt64(from * 1_000_000)),
            to: RecordedTime(rawValue: UInt64(to * 1_000_000)),
            output: folder.path("cut")
        )
        let lines = try lines("cut")
        #expect(lines.count == result.records + result.restated)
        return lines
    }

    private static let gateway = #"{"v":1,"role":"gateway","app":"a"}"#
    private static let publisher = #"{"v":1,"role":"publisher","app":"a","producer":"p"}"#

    private static func widgets(_ device: String, _ ids: [String]) -> String {
        let list = ids.map { #"{"id":"\#($0)","kind":"k"}"# }.joined(separator: ",")
        return #"{"device":"\#(device)","widgets":[\#(list)]}"#
    }

    @Test func `a part begins with what holds there`() throws {
        let (gateway, publisher) = (Self.gateway, Self.publisher)
        try write(
            "a",
            [
                (0, 0, .apps, 0, #"{"apps":[{"app":"a"}]}"#),
                (1, 1, .hello, 0, gateway),
                (1, 1, .widgets, 1, Self.widgets("d-1", ["w1", "w2"])),
                (1, 1, .widgets, 2, Self.widgets("d-2", ["w1"])),
                (1, 1, .widgets, 3, Self.widgets("d-3", ["w1"])),
                (
                    2, 1, .timeline, 4,
                    #"{"device":"d-1","widget":"w1","reload":7,"entries":[],"policy":"never"}"#
                ),
                (
                    2, 1, .timeline, 5,
                    #"{"device":"d-1","widget":"w2","entries":[1],"policy":"atEnd"}"#
                ),
                (3, 1, .state, 6, #"{"device":"d-1","foreground":true,"media":null}"#),
                (
                    3, 1, .state, 7,
                    #"{"device":"d-1","foreground":false,"location":"significant-change"}"#
                ),
                (4, 1, .widgets, 8, Self.widgets("d-1", ["w1"])),
                (4, 1, .widgets, 9, Self.widgets("d-3", [])),
                (5, 2, .hello, 0, publisher),
                (5, 2, .push, 1, "{}"),
                (6, 1, .ended, 0, ""),
                (7, 3, .hello, 0, gateway),
                (7, 3, .state, 4, #"{"device":"d-2","visible":["w1"]}"#),
                (8, 2, .push, 2, #"{"in":1}"#),
                (9, 2, .push, 3, #"{"in":2}"#),
                (10, 2, .push, 4, #"{"after":1}"#),
            ]
        )
        let lines = try cut("a", 8, 10)
        #expect(
            lines == [
                #"0 0 apps 0 0 {"apps":[{"app":"a"}]}"#,
                // Connection 1 is free: a gateway tells what was told in the session that is over.
                "0 1 hello 0 0 " + gateway,
                "0 1 widgets 0 1 " + Self.widgets("d-1", ["w1"]),
                #"0 1 timeline 0 2 {"device":"d-1","widget":"w1","entries":[],"policy":"never"}"#,
                #"0 1 state 0 3 {"device":"d-1","foreground":false,"media":null}"#,
                "0 1 widgets 0 4 " + Self.widgets("d-2", ["w1"]),
                #"0 1 state 0 5 {"device":"d-2","visible":["w1"]}"#,
                "0 1 ended 0 0 ",
                "0 2 hello 0 0 " + publisher,
                "0 3 hello 0 0 " + gateway,
                #"0 3 state 0 4 {"device":"d-2","visible":["w1"]}"#,
                #"0 2 push 0 2 {"in":1}"#,
                #"1000000 2 push 0 3 {"in":2}"#,
            ]
        )
        let header = try CaptureReader(paths: [folder.path("cut")]).header
        #expect(header.startedAt == 1_008_000_000, "the wall clock stays")
    }

    @Test func `devices whose ids look alike are two`() throws {
        try write(
            "a",
            [
                (0, 1, .hello, 0, Self.gateway),
                (1, 1, .widgets, 1, Self.widgets("\u{e9}", ["w1"])),
                (1, 1, .widgets, 2, Self.widgets("e\u{301}", ["w1"])),
            ]
        )
        #expect(try cut("a", 2, 3).count { $0.contains("widgets") } == 2)
    }

    @Test func `apps whose ids look alike are two`() throws {
        let gateways = ["caf\u{e9}", "cafe\u{301}"].map { app in
            #"{"v":1,"role":"gateway","app":"\#(app)"}"#
        }
        try write(
            "a",
            [
                (0, 1, .hello, 0, gateways[0]), (0, 2, .hello, 0, gateways[1]),
                (1, 1, .widgets, 1, Self.widgets("d", ["w1"])),
                (1, 2, .widgets, 1, Self.widgets("d", ["w2"])),
                (2, 1, .ended, 0, ""), (2, 2, .ended, 0, ""),
            ]
        )
        #expect(try cut("a", 3, 4).count { $0.contains("hello") } == 2)
    }

    @Test func `a device of several sessions is restated in the order of time`() throws {
        let gateway = Self.gateway
        func timeline(_ widget: String) -> String {
            #"{"device":"d-1","widget":"\#(widget)","entries":[],"policy":"never"}"#
        }
        try write(
            "a",
            [
                (0, 1, .hello, 0, gateway), (0, 2, .hello, 0, gateway),
                (1, 2, .widgets, 7, Self.widgets("d-1", ["w1", "w2"])),
                (2, 2, .timeline, 8, timeline("w1")), (3, 1, .timeline, 5, timeline("w2")),
                (4, 1, .widgets, 6, Self.widgets("d-2", ["w1"])),
                (5, 1, .state, 7, #"{"device":"d-2","foreground":true}"#),
                (6, 1, .widgets, 8, Self.widgets("d-2", ["w1"])),
            ]
        )
        #expect(
            try cut("a", 8, 10) == [
                // Connection 3 is free.
                "0 3 hello 0 0 " + gateway,
                "0 3 widgets 0 1 " + Self.widgets("d-1", ["w1", "w2"]),
                "0 3 timeline 0 2 " + timeline("w1"), "0 3 timeline 0 3 " + timeline("w2"),
                // A state that was sent before the widgets is none of them when it is repeated.
                "0 3 widgets 0 4 " + Self.widgets("d-2", ["w1"]),
                #"0 3 state 0 5 {"device":"d-2","foreground":true}"#,
                "0 3 ended 0 0 ", "0 1 hello 0 0 " + gateway, "0 2 hello 0 0 " + gateway,
                // Both devices spoke last on connection 1.
                "0 1 timeline 0 5 " + timeline("w2"),
                #"0 1 state 0 7 {"device":"d-2","foreground":true}"#,
                "0 1 widgets 0 8 " + Self.widgets("d-2", ["w1"]),
            ]
        )
    }

    @Test func `a gateway still speaks for the devices that it has attached`() throws {
        let gateway = Self.gateway
        let (first, second) = (Self.widgets("d-1", ["w1"]), Self.widgets("d-2", ["w1"]))
        try write(
            "a",
            [
                (0, 1, .hello, 0, gateway), (1, 1, .widgets, 1, first),
                (1, 1, .widgets, 2, second), (2, 1, .ended, 0, ""), (3, 1, .hello, 0, gateway),
                (4, 1, .attach, 1, #"{"devices":["d-1","d-2","d-9"]}"#),
            ]
        )
        #expect(
            try cut("a", 8, 10) == [
                "0 2 hello 0 0 " + gateway, "0 2 widgets 0 1 " + first,
                "0 2 widgets 0 2 " + second, "0 2 ended 0 0 ", "0 1 hello 0 0 " + gateway,
                #"0 1 attach 0 1 {"devices":["d-1","d-2"]}"#,
            ]
        )
    }

    @Test func `a cut at the beginning changes nothing but the number`() throws {
        try write(
            "a",
            [
                (0, 1, .hello, 0, Self.publisher), (1, 1, .push, 1, "{}"), (2, 1, .ended, 0, ""),
            ]
        )
        #expect(try cut("a", 0, 100) == lines("a"))
    }

    @Test func `recordings are joined by the wall clock, with connections of their own`() throws {
        let (gateway, publisher) = (Self.gateway, Self.publisher)
        let apps = #"{"apps":[]}"#
        try write(
            "a",
            recording: 1,
            startedAt: 2_000_000,
            [
                (0, 0, .apps, 0, apps), (0, 1, .hello, 0, publisher), (1, 1, .push, 1, "{}"),
                (5, 1, .push, 2, "{}"),
            ]
        )
        try write(
            "b",
            recording: 2,
            startedAt: 0,
            [
                (0, 0, .apps, 0, apps), (1, 1, .hello, 0, gateway), (2.5, 1, .ended, 0, ""),
                (4, 1, .hello, 0, gateway),
            ]
        )
        let readers = try CaptureReader.recordings(of: ["a", "b"].map(folder.path))
        #expect(try CaptureMerge.merge(readers, output: folder.path("ab")) == 9)
        #expect(
            try lines("ab") == [
                "0 0 apps 0 0 " + apps, "1000000 1 hello 0 0 " + gateway,
                "2000000 2 hello 0 0 " + publisher, "2500000 1 ended 0 0 ",
                "3000000 2 push 0 1 {}", "4000000 1 hello 0 0 " + gateway,
                "4000000 1 ended 0 0 ", "7000000 2 push 0 2 {}", "7000000 2 ended 0 0 ",
            ]
        )
    }

    @Test func `recordings with other app files are not joined`() throws {
        try write("a", recording: 1, [(0, 0, .apps, 0, #"{"apps":[]}"#)])
        try write("b", recording: 2, [(0, 0, .apps, 0, #"{"apps":[{}]}"#)])
        try write("c", recording: 3, redacted: true, [(0, 0, .apps, 0, #"{"apps":[]}"#)])
        for (name, words) in [("b", "differs from that of"), ("c", "is redacted")] {
            let readers = try CaptureReader.recordings(of: ["a", name].map(folder.path))
            let error = #expect(throws: CaptureError.self) {
                try CaptureMerge.merge(readers, output: folder.path("ab"))
            }
            #expect(error?.code == .foreign && error?.message.contains(words) == true)
            #expect(!(try folder.names().contains("ab")), "nothing unfinished is left")
        }
    }

    @Test func `no file is written over`() throws {
        try write("a", [(0, 1, .push, 1, "{}")])
        try folder.write([1], "cut")
        let error = #expect(throws: CaptureError.self) { try cut("a", 0, 1) }
        #expect(error?.code == .exists)
        #expect(try folder.bytes("cut") == [1])
    }
}
