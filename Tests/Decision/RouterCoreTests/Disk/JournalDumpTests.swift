import Basics
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("The dump of a journal record")
struct JournalDumpTests {
    /// The entries of a record with one entry.
    private func text(_ entry: InputTag, _ body: (inout StoreWriter) -> Void) throws -> String {
        let line = try Dump.line { writer in
            writer.put(entry.rawValue)
            body(&writer)
        }
        #expect(line.problem == nil)
        let text = String(decoding: line.text, as: UTF8.self)
        let list = try #require(text.firstIndex(of: "["))
        return String(text[list...].dropFirst().dropLast(2))
    }

    @Test("says what is in each kind of entry")
    func everyKind() throws {
        let clock = try text(.clock) { writer in
            writer.put(signed: 5)
            writer.put(signed: 1_000)
            for number in [7, 5, 1_000, 0] as [Int64] { writer.put(number) }
        }
        #expect(clock == #"{"entry":"clock","monotonic":5,"wall":1000,"schedule":7}"#)
        let session = try text(.session) { writer in
            writer.put(varint: 3)
            writer.put(2 as UInt8)
            writer.put(varint: 1)
            writer.put(counted: "d-\"1\"")
        }
        #expect(
            session
                == #"{"entry":"session","connection":3,"role":"device","app":1,"device":"d-\"1\""}"#
        )
        let ended = try text(.ended) { $0.put(varint: 300) }
        #expect(ended == #"{"entry":"ended","connection":300}"#)
        let attached = try text(.attached) { writer in
            writer.put(varint: 1)
            writer.put(varint: 2)
        }
        #expect(attached == #"{"entry":"attached","connection":1,"device":2}"#)
        let confirmed = try text(.confirmed) { $0.put(varint: 2) }
        #expect(confirmed == #"{"entry":"confirmed","device":2}"#)
        let reported = try text(.reported) { writer in
            writer.put(varint: 1)
            writer.put(0x20 as UInt8)
            writer.put(counted: #"{"device":"d","pushToken":"hush","widgets":[]}"#)
        }
        #expect(
            reported
                == #"{"entry":"reported","app":1,"type":"WIDGETS","#
                + #""body":{"device":"d","pushToken":"(secret)","widgets":[]}}"#
        )
        let batch = try text(.batch) { writer in
            for number in [1, 20, 3] as [UInt64] { writer.put(varint: number) }
        }
        #expect(batch == #"{"entry":"batch","producer":1,"lastSeq":20,"bursts":3}"#)
        let fannedOut = try text(.fannedOut) { $0.put(varint: 8_192) }
        #expect(fannedOut == #"{"entry":"fannedOut","count":8192}"#)
        let paused = try text(.paused) { writer in
            writer.put(varint: 2)
            writer.put(true)
        }
        #expect(paused == #"{"entry":"paused","app":2,"isPaused":true}"#)
        let slots = try text(.slots) { writer in
            writer.put(varint: 3)
            writer.put(varint: 2)
            writer.put(signed: 1_000)
            writer.put(signed: -1)
        }
        #expect(slots == #"{"entry":"slots","kind":3,"dates":[1000,-1]}"#)
        let forgotten = try text(.forgotten) {
            for number in [2, 7, 300] as [UInt64] { $0.put(varint: number) }
        }
        #expect(forgotten == #"{"entry":"forgotten","producers":[7,300]}"#)
        let expired = try text(.expired) { writer in
            writer.put(varint: 2)
            writer.put(8 as UInt32)
            writer.put(9 as UInt32)
        }
        #expect(expired == #"{"entry":"expired","widgets":[8,9]}"#)
        #expect(
            try text(.delivered) { $0.put(4 as UInt32) } == #"{"entry":"delivered","device":4}"#
        )
        for (entry, name) in [
            (InputTag.permits, "permits"), (.passed, "passed"), (.restarted, "restarted"),
        ] {
            #expect(try text(entry) { _ in } == "{\"entry\":\"\(name)\"}")
        }
    }

    @Test("shows matches push by push, with the payload of those that have fields")
    func matches() throws {
        let matches = try text(.matched) { writer in
            writer.put(varint: 6)
            writer.put(true)
            writer.put(varint: 3)
            writer.put(varint: 0)
            writer.put(true)
            writer.put(5 as UInt8)
            for number in [1, 2] as [UInt64] { writer.put(varint: number) }
            writer.put(signed: -1)
            writer.put(counted: "{\"a\":\n1}")
            writer.put(varint: 2)
            writer.put(10 as UInt32)
            writer.put(11 as UInt32)
            writer.put(varint: 1)
            writer.put(false)
            writer.put(varint: 1)
            writer.put(12 as UInt32)
        }
        let first =
            #"{"push":0,"isUrgent":true,"isVoid":false,"burst":1,"reloadsSince":2,"#
            + #""voidAt":-1,"payload":{"a": 1},"widgets":[10,11]}"#
        let second = #"{"push":1,"widgets":[12]}"#
        #expect(
            matches
                == #"{"entry":"matched","producer":6,"areTaken":true,"matches":["#
                + first + "," + second + "]}"
        )
    }

    @Test("reveals no secret: neither push tokens nor tokens of apps")
    func secrets() throws {
        let frame = try text(.frame) { writer in
            writer.put(varint: 3)
            writer.put(0x20 as UInt8)
            writer.put(
                counted:
                    "{\"device\":\"d\",\n \"push\\u0054oken\":\"hush\", \"appPushToken\":\"hush\","
                    + "\"widgets\":[ {\"id\":\"c\", \"pushToken\":\"hush\"}, 1]}"
            )
        }
        #expect(
            frame
                == #"{"entry":"frame","connection":3,"type":"WIDGETS","#
                + #""body":{"device":"d","pushToken":"(secret)","appPushToken":"(secret)","#
                + #""widgets":[{"id":"c","pushToken":"(secret)"},1]}}"#
        )
        let apps = try text(.apps) { writer in
            writer.put(
                counted: #"{"apps":[{"app":"a","deviceTokens":["hush"],"kinds":[{"kind":"k"}]}]}"#
            )
        }
        #expect(
            apps
                == #"{"entry":"apps","bytes":69,"apps":[{"app":"a","kinds":["k"]}]}"#
        )
    }

    @Test("has what comes before a break, and says where that is")
    func broken() throws {
        let line = try Dump.line { writer in
            writer.put(InputTag.permits.rawValue)
            writer.put(99 as UInt8)
        }
        #expect(line.problem?.code == .corrupt)
        let text = String(decoding: line.text, as: UTF8.self)
        #expect(text.hasPrefix(#"{"journal":7,"bytes":34,"entries":[{"entry":"permits"}],"#))
        #expect(text.contains(#""problem":"store-corrupt","message":"journal record 7: there is"#))
    }

    @Test("is a line of JSON for whatever a router writes, and whatever becomes of that")
    func fuzz() throws {
        var kinds = Set<String>()
        for seed in 1...6 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            for body in try Dump.journalBodies(seed: seed) {
                let line = try line(body)
                #expect(line.problem == nil, "seed \(seed): \(line.problem!)")
                try Dump.expectLine(line)
                let text = String(decoding: line.text, as: UTF8.self)
                for part in text.split(separator: #"{"entry":""#).dropFirst() {
                    kinds.insert(String(part.prefix { $0 != "\"" }))
                }
                if generator.below(4) > 0 { continue }
                try Dump.expectLines(ofBroken: body, &generator) { try self.line($0) }
            }
        }
        let all = (0...UInt8.max).compactMap(InputTag.init).map { "\($0)" }
        // There is no gateway, whose connections are attached to devices, no operator, nobody who
        // is idle for two weeks or longer, no push that is rejected, nothing over HTTP, of which
        // `RequestKeyTests` and `DeviceReportTests` have the lines, and no push by APNs.
        let wanted = Set(all).subtracting([
            "attached", "paused", "slots", "forgotten", "rejected", "withdrawn", "request",
            "answered", "keys", "reported", "apnsEnded", "confirmed", "removed", "revoked",
            // Several partitions: see `HomeInputTests`.
            "forwarded", "evaluated", "accepted", "settled", "lent", "borrowed", "revision",
        ])
        #expect(kinds == wanted, "only \(kinds.sorted()) were there")
    }

    private func line(_ body: [UInt8]) throws -> DumpLine {
        try Dump.line { writer in body.withByteView { writer.put(raw: $0) } }
    }
}

/// What both tests of dumps share.
enum Dump {
    /// The line of record 7, the body of which `body` writes.
    static func line(_ body: (inout StoreWriter) -> Void) throws -> DumpLine {
        var writer = StoreWriter()
        let start = JournalRecord.begin(&writer)
        body(&writer)
        _ = JournalRecord.end(&writer, from: start, position: 7, parent: 0)
        var reader = StoreReader(writer.bytes)
        return JournalDump.line(of: try JournalRecord.read(&reader))
    }

    /// A line is JSON, and on one line, whatever it is of.
    static func expectLine(_ line: DumpLine) throws {
        #expect(!line.text.contains(0x0a))
        var scanner = JSONScanner(depthLimit: 64)
        do {
            try line.text.withByteView { view throws(JSONError) in
                try validateJSON(view, using: &scanner)
            }
        } catch {
            Issue.record("\(error) in \(String(decoding: line.text, as: UTF8.self))")
        }
    }

    /// Each prefix, or some of them if there are many, and some bytes changed.
    static func expectLines(
        ofBroken body: [UInt8],
        _ generator: inout SeededGenerator,
        _ line: ([UInt8]) throws -> DumpLine
    ) throws {
        if body.isEmpty { return }
        for _ in 0..<20 {
            try expectLine(line(Array(body.prefix(generator.below(body.count)))))
            var broken = body
            for _ in 0...generator.below(3) {
                broken[generator.below(body.count)] = UInt8(generator.below(256))
            }
            try expectLine(line(broken))
            broken[generator.below(body.count)] ^= UInt8(1 << generator.below(8))
            try expectLine(line(broken))
        }
    }

    /// The journal of a simulated router, and of its restarts.
    static func journalBodies(seed: UInt64) throws -> [[UInt8]] {
        let simulation = SchedulingSimulation(
            seed: seed,
            store: { StoreRun(limits: $0, seed: seed) }
        )
        let run = try #require(simulation.harness.router.store as? StoreRun)
        var bodies: [UInt64: [UInt8]] = [:]
        for _ in 1...200 {
            simulation.act()
            try run.store.replay(from: 1) { records throws(StoreError) in
                var reader = StoreReader(records)
                while !reader.isAtEnd {
                    let record = try JournalRecord.read(&reader)
                    bodies[record.position] = record.body.array
                }
            }
        }
        #expect(simulation.problem == nil, "seed \(seed)")
        return bodies.sorted { $0.key < $1.key }.map(\.value)
    }
}
