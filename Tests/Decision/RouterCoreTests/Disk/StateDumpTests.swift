import Basics
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("The dump of the table")
struct StateDumpTests {
    /// The lines of records, in the order of their keys.
    private func lines(_ records: [(TableKey, [UInt8])]) throws -> [DumpLine] {
        var dump = StateDump()
        var lines: [DumpLine] = []
        for (key, body) in records.sorted(by: { $0.0 < $1.0 }) {
            try body.withByteView { view throws(StoreError) in
                try dump.add(key, bytes: view) { lines.append($0) }
            }
        }
        try dump.finish { lines.append($0) }
        return lines
    }

    private func texts(_ records: [(TableKey, [UInt8])]) throws -> [String] {
        try lines(records).map { String(decoding: $0.text, as: UTF8.self) }
    }

    private func record(
        _ type: StateRecord,
        _ number: UInt32 = 0,
        part: UInt16 = 0,
        epoch: UInt32 = 1,
        _ body: (inout StoreWriter) -> Void
    ) -> (TableKey, [UInt8]) {
        var writer = StoreWriter()
        body(&writer)
        let key = TableKey(type: type.rawValue, number: number, part: part, epoch: epoch)
        return (key, writer.bytes.array)
    }

    private func manifest(_ epoch: UInt32) -> (TableKey, [UInt8]) {
        record(.manifest, epoch: epoch) { writer in
            writer.put(12 as UInt64)
            writer.put(0xab as UInt64)
            writer.put(StateRecord.version)
        }
    }

    private static let appFile =
        #"{"apps":[{"app":"game","publisherTokens":["hush"],"kinds":[{"kind":"k"}]}]}"#

    private var catalog: (TableKey, [UInt8]) {
        record(.catalog) { writer in
            writer.put(varint: 1)
            writer.put(counted: "game")
            writer.put(varint: 1)
            writer.put(varint: 0)
            writer.put(counted: "k")
            writer.put(varint: 1)
            writer.put(varint: 0)
            writer.put(counted: "")
            writer.put(counted: Self.appFile)
        }
    }

    private func registration(_ number: UInt32, epoch: UInt32 = 1) -> (TableKey, [UInt8]) {
        record(.registration, number, epoch: epoch) { writer in
            writer.put(varint: 0)
            writer.put(counted: "d-1")
            writer.put(true)
            writer.put(counted: "hush")
            writer.put(varint: 1)
            writer.put(varint: 8)
            writer.put(varint: 0)
            writer.put(counted: "w")
            writer.put(13 as UInt32)
            "{\"a\":[1,\n 2]}".withByteView { writer.put(raw: $0) }
        }
    }

    @Test("names types, apps and kinds, and reveals no secret")
    func names() throws {
        let found = try texts([manifest(1), catalog, registration(3)])
        #expect(
            found == [
                #"{"table":"manifest","number":0,"checkpoint":1,"bytes":20,"position":12,"#
                    + #""checksum":"ab","version":\#(StateRecord.version)}"#,
                #"{"table":"catalog","number":0,"checkpoint":1,"bytes":89,"apps":["game"],"#
                    + #""kinds":[{"app":0,"kind":"k"}],"origins":[{"app":0,"origin":""}],"#
                    + #""appFile":{"bytes":75,"apps":[{"app":"game","kinds":["k"]}]}}"#,
                #"{"table":"registration","number":3,"checkpoint":1,"bytes":33,"appNumber":0,"#
                    + #""app":"game","device":"d-1","pushToken":"(secret)","widgets":[{"number":8,"#
                    + #""kindNumber":0,"kind":"k","id":"w","configuration":{"a":[1,  2]}}]}"#,
            ]
        )
    }

    @Test("marks what is no part of the newest checkpoint")
    func leftOver() throws {
        let records = [
            manifest(2), manifest(1), registration(3, epoch: 2), registration(3), registration(4),
        ]
        let found = try texts(records)
        #expect(found.map { $0.contains("isLeftOver") } == [false, true, false, true, false])
    }

    @Test("says that a device is gone, and what is no record at all")
    func gone() throws {
        #expect(
            try texts([manifest(1), record(.registration, 5) { _ in }]).suffix(1)
                == [#"{"table":"registration","number":5,"checkpoint":1,"bytes":0,"isGone":true}"#]
        )
        let key = TableKey(type: 77, number: 1, epoch: 1)
        let found = try #require(try lines([(key, [1])]).first)
        #expect(found.problem?.code == .corrupt)
        try Dump.expectLine(found)
    }

    // MARK: Long records

    /// A record of producers that is as long as so many parts.
    private func parts(_ count: Int, epoch: UInt32 = 1) -> [(TableKey, [UInt8])] {
        let limit = StateRecord.partLimit
        let name = String(repeating: "n", count: limit / 2)
        var writer = StoreWriter()
        writer.put(varint: UInt64(count * 2))
        for _ in 0..<count * 2 {
            writer.put(varint: 1)
            writer.put(counted: name)
            writer.put(varint: 4)
            writer.put(signed: 5)
            writer.put(varint: 6)
            writer.put(varint: 0)
            writer.put(varint: 0)
        }
        let bytes = writer.bytes.array
        return stride(from: 0, to: bytes.count, by: limit).enumerated().map { part, start in
            record(.producers, 0, part: UInt16(part), epoch: epoch) { writer in
                Array(bytes[start..<min(start + limit, bytes.count)]).withByteView {
                    writer.put(raw: $0)
                }
            }
        }
    }

    @Test("puts the parts of a long record together")
    func long() throws {
        let found = try lines(parts(2) + parts(1, epoch: 2) + [registration(1)])
        #expect(found.count == 3 && found.allSatisfy { $0.problem == nil })
        #expect(found[1].text.count > 2 * StateRecord.partLimit)
    }

    @Test("says which part is missing, and continues with the next record", arguments: 0..<3)
    func missingPart(part: Int) throws {
        var records = parts(2)
        records.remove(at: part)
        let found = try lines(parts(1, epoch: 2) + records + [registration(1)])
        #expect(found.first?.problem == nil && found.last?.problem == nil)
        #expect(found.dropFirst().dropLast().allSatisfy { $0.problem?.code == .corrupt })
        #expect(found.count > 2)
    }

    @Test func `The pushes to a device are in a line`() throws {
        var game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf")])
        game.push("elf")
        let push = try #require(game.take())
        let image = StateImage(game.harness.router)
        let records = image.records.filter { $0.key.type == StateRecord.pushes.rawValue }
        let line = try #require(try lines(records.map { ($0.key, $0.value) }).first)
        let text = String(decoding: line.text, as: UTF8.self)
        #expect(line.problem == nil)
        #expect(text.contains(#""lastPush":\#(push.number)"#) && !text.contains("c0ffee"))
    }

    // MARK: Everything

    @Test(
        "is a line of JSON for each record that a router writes, and whatever becomes of that",
        arguments: Array(1...6) as [UInt64]
    )
    func fuzz(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let simulation = SchedulingSimulation(seed: seed, keepsJournal: true)
        for _ in 1...200 { simulation.act() }
        #expect(simulation.problem == nil, "seed \(seed)")
        let image = StateImage(simulation.harness.router.router)
        let records = image.records.map { ($0.key, $0.value) }
        for line in try lines(records) {
            #expect(line.problem == nil, "seed \(seed): \(line.problem!)")
            try Dump.expectLine(line)
        }
        // No manifest, no key of a request, of which `RequestKeyTests` has the lines, no push, and
        // only one partition.
        #expect(Set(records.map(\.0.type)).count == StateRecord.allCases.count - 4)
        for (key, body) in records + [manifest(1)] {
            try Dump.expectLines(ofBroken: body, &generator) { body in
                try #require(try lines([(key, body)]).first)
            }
        }
        // Numbers that no page has.
        for type in StateRecord.allCases {
            let key = TableKey(type: type.rawValue, number: .max, epoch: 1)
            for (_, body) in records where generator.below(8) == 0 {
                for line in try lines([(key, body)]) { try Dump.expectLine(line) }
            }
        }
    }
}
