import Basics
import CaptureFormat
import RouterCore
import TestSupport
import Testing

@testable import CaptureTools
@testable import RouterSimulation

/// A capture that a test writes line by line.
struct CaptureScript {
    private struct Record {
        var time: RecordedTime
        var connection: UInt32
        var kind: CaptureKind
        var body: String
    }

    private var records: [Record] = []
    private var seqs: [UInt64] = []
    private var lastSeq: [UInt32: UInt64] = [:]

    /// - Parameters:
    ///   - milliseconds: since the capture began.
    ///   - connection: on which it came.
    ///   - kind: what it is.
    ///   - body: as on the wire.
    mutating func add(
        _ milliseconds: UInt64,
        _ connection: UInt32,
        _ kind: CaptureKind,
        _ body: String
    ) {
        var seq: UInt64 = 0
        if kind == .hello {
            lastSeq[connection] = connection == CaptureScript.publisher ? lastSeq[connection] : 0
        } else if connection != 0 {
            seq = (lastSeq[connection] ?? 0) + 1
            lastSeq[connection] = seq
        }
        records.append(
            Record(
                time: RecordedTime(rawValue: milliseconds * 1_000),
                connection: connection,
                kind: kind,
                body: body
            )
        )
        seqs.append(seq)
    }

    static var gateway: UInt32 { 7 }
    static var publisher: UInt32 { 9 }

    /// An app "a", a gateway and a publisher.
    init(kinds: String) {
        add(0, 0, .apps, #"{"apps":[{"app":"a","kinds":["# + kinds + "]}]}")
        add(0, Self.gateway, .hello, #"{"v":1,"role":"gateway","app":"a"}"#)
        add(
            0,
            Self.publisher,
            .hello,
            #"{"v":1,"role":"publisher","app":"a","producer":"p"}"#
        )
    }

    /// A device with a widget that shows a character.
    mutating func device(_ name: String, _ kind: String, _ character: String) {
        let widget =
            #"{"id":"w1","kind":"\#(kind)","configuration":{"character":"\#(character)"}}"#
        add(1, Self.gateway, .widgets, #"{"device":"\#(name)","widgets":[\#(widget)]}"#)
    }

    mutating func push(_ milliseconds: UInt64, _ payload: String) {
        add(milliseconds, Self.publisher, .push, payload)
    }

    func play(into play: CapturePlay) throws {
        for (record, seq) in zip(records, seqs) {
            try record.body.withByteView { body in
                try play.play(
                    CaptureRecord(
                        time: record.time,
                        connection: record.connection,
                        kind: record.kind,
                        seq: seq,
                        body: body
                    )
                )
            }
        }
    }

    /// What the router does, line by line.
    func lines(_ catalog: AppCatalog? = nil) throws -> [String] {
        var lines: [String] = []
        let options = CapturePlayOptions(startedAt: 1_000_000_000_000, catalog: catalog)
        let play = CapturePlay(options) { event, time in
            guard let line = event.line(at: time) else { return }
            lines.append(String(decoding: line, as: UTF8.self))
        }
        try self.play(into: play)
        play.finish()
        return lines
    }
}

/// All lines of a burst, as one number, and what was played.
private func play(
    _ shape: BurstShape,
    _ options: BurstOptions,
    hashKey: HashKey = .ofRuntime
) throws -> (UInt64, CapturePlayCounts) {
    var generator = BurstGenerator(shape, options: options)
    var sum: UInt64 = 0
    var playOptions = CapturePlayOptions(startedAt: generator.header.startedAt)
    playOptions.hashKey = hashKey
    let play = CapturePlay(playOptions) { event, time in
        guard let line = event.line(at: time) else { return }
        sum = line.withByteView { stableHash($0, seed: sum) }
    }
    while let record = generator.next() { try play.play(record) }
    return (sum, play.finish())
}

@Suite("A capture played through the router")
struct CapturePlayTests {
    private let character =
        #"{"kind":"k","match":{"character":["${configuration.character}"]},"#

    @Test func `leads to the RELOADs that a live router sends, at their times`() throws {
        var script = CaptureScript(kinds: character + #""debounce":{"wait":2,"longest":9}}"#)
        script.device("d1", "k", "x")
        script.device("d2", "k", "y")
        script.push(5_000, #"{"character":"x"}"#)
        script.push(6_000, #"{"character":"x"}"#)
        let lines = try script.lines()
        #expect(
            lines == [
                decision(5_000, "debounced", "push", until: 7_000),
                decision(6_000, "debounced", "push", until: 8_000),
                #"{"at":1000008000,"app":"a","reload":1,"device":"d1","kinds":["k"],"#
                    + #""widgets":["w1"],"cause":"push"}"#,
            ]
        )
    }

    private func decision(
        _ at: Int,
        _ reason: String,
        _ cause: String,
        until: Int? = nil
    ) -> String {
        #"{"at":\#(1_000_000_000 + at),"app":"a","device":"d1","widget":"w1","kind":"k","#
            + #""decision":"\#(reason)","cause":"\#(cause)""#
            + (until.map { #","until":\#(1_000_000_000 + $0)}"# } ?? "}")
    }

    @Test func `reports what is refused, and continues`() throws {
        var script = CaptureScript(kinds: character + #""budget":"unlimited"}"#)
        script.add(1, 7, .widgets, #"{"device":"d1","widgets":[{"id":"w","kind":"z"}]}"#)
        script.device("d1", "k", "x")
        script.add(2, 3, .hello, #"{"v":1,"role":"gateway","app":"b"}"#)
        script.add(2, 44, .widgets, #"{"device":"d1","widgets":[]}"#)
        script.push(3, #"{"character":"x"}"#)
        let lines = try script.lines()
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix(#"{"at":1000000001,"connection":7,"reject":1,"code":"kind-"#))
        #expect(lines[1].hasPrefix(#"{"at":1000000002,"connection":3,"error":"app-unknown""#))
        #expect(lines[2].hasPrefix(#"{"at":1000000003,"app":"a","reload":1,"#))
    }

    @Test func `answers a RELOAD of its own with the TIMELINE that answered one then`() throws {
        var script = CaptureScript(kinds: character + #""budget":"unlimited"}"#)
        script.device("d1", "k", "x")
        script.push(1_000, #"{"character":"x"}"#)
        script.add(
            2_000,
            7,
            .timeline,
            #"{"reload": 99 ,"device":"d1","widget":"w1","entries":[],"policy":"never"}"#
        )
        // What was answered is not sent again when the device comes on another session.
        script.add(3_000, 8, .hello, #"{"v":1,"role":"device","app":"a","device":"d1"}"#)
        let answered = try script.lines()
        #expect(answered.filter { $0.contains("\"reload\"") }.count == 1)
    }

    @Test func `repeats what was not answered to a new session`() throws {
        var script = CaptureScript(kinds: character + #""budget":"unlimited"}"#)
        script.device("d1", "k", "x")
        script.push(1_000, #"{"character":"x"}"#)
        script.add(3_000, 8, .hello, #"{"v":1,"role":"device","app":"a","device":"d1"}"#)
        let repeated = try script.lines()
        #expect(repeated.filter { $0.contains("\"reload\"") }.count == 2)
    }

    @Test func `meets dates, also after the last record`() throws {
        var script = CaptureScript(kinds: character + #""spread":"none"}"#)
        script.device("d1", "k", "x")
        script.add(
            2_000,
            7,
            .timeline,
            #"{"device":"d1","widget":"w1","entries":[],"policy":{"after":1000600000}}"#
        )
        let lines = try script.lines()
        #expect(lines.last?.hasPrefix(#"{"at":1000600000,"app":"a","reload":1,"#) == true)
        #expect(lines.last?.contains(#""cause":"after""#) == true)
    }

    @Test(arguments: BurstShape.allCases)
    func `of a burst is the same twice, and nothing is refused`(_ shape: BurstShape) throws {
        var options = shape.defaults
        options.devices = 300
        options.apps = min(options.apps, 50)
        options.producers = min(options.producers, 50)
        options.gateways = min(options.gateways, 4)
        options.basePerSecond = 10
        options.peakFactor = min(options.peakFactor, 20)
        options.seconds = 20
        options.peakSeconds = min(options.peakSeconds, 5)
        options.hasBudgets = true
        let first = try play(shape, options)
        #expect(first == (try play(shape, options)))
        let counts = first.1
        #expect(counts.rejected == 0 && counts.failed == 0 && counts.orphans == 0)
        #expect(counts.pushes > 100 && counts.reloads > 0 && counts.pending == 0)
        // Whatever the tables' key is, which is another one in each process.
        let key = HashKey(low: 1, high: 2)
        #expect(key != .ofRuntime)
        #expect(first == (try play(shape, options, hashKey: key)))
        options.seed = 2
        #expect(first.0 != (try play(shape, options)).0)
    }

    @Test func `is refused where its app file is none, or time makes a leap`() throws {
        let play = CapturePlay(CapturePlayOptions(startedAt: 0)) { _, _ in }
        for (time, kind) in [(0, CaptureKind.apps), (RecordedTime.max, .lost)] {
            #expect(throws: CaptureError.self) {
                try "[]".withByteView {
                    try play.play(CaptureRecord(time: time, connection: 0, kind: kind, body: $0))
                }
            }
        }
    }
}
