import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// Requests over HTTP that are sent again must have no effect again, whatever part of them a crash
/// has left applied.
@Suite("Keys of requests")
struct RequestKeyTests {
    private static let day: Int64 = 24 * 3_600_000

    private static func key(_ number: UInt64, content: UInt32 = 0) -> RequestKey {
        RequestKey(high: number &* 0x9e37_79b9_7f4a_7c15, low: UInt32(number), content: content)
    }

    /// A publisher over HTTP.
    private func open(_ harness: RouterHarness, app: String = "game") throws -> ConnectionSlot {
        let slot = harness.open()
        harness.close(slot)
        let producer = "(http)"
        _ = try harness.router.openPublisher(slot, app: app, producer: producer, now: harness.now)
        return slot
    }

    /// Begins a request, and pushes some of its lines.
    @discardableResult
    private func begin(
        _ harness: RouterHarness,
        on slot: ConnectionSlot,
        key: RequestKey,
        firstSeq: UInt64,
        pushing lines: ClosedRange<UInt64>,
        payload: String = "{}"
    ) -> RequestProgress? {
        let now = harness.now
        let known = harness.router.beginRequest(slot, key: key, firstSeq: firstSeq, now: now)
        for line in lines { harness.push(slot, firstSeq + line - 1, payload) }
        _ = harness.step()
        return known
    }

    private func end(_ harness: RouterHarness, on slot: ConnectionSlot, lines: Int) {
        harness.router.endRequest(slot, lines: lines, now: harness.now)
    }

    private func progress(_ harness: RouterHarness, _ key: RequestKey) -> RequestProgress? {
        harness.router.progress(of: key)
    }

    /// A router that is recovered from the state of another one.
    private func recovered(from harness: RouterHarness) throws -> Router {
        try recovered(StateImage(harness.router).records, journal: [], from: harness)
    }

    /// A router that is recovered from a journal alone.
    private func recovered(journal: [UInt8], from harness: RouterHarness) throws -> Router {
        try recovered([:], journal: [journal], from: harness)
    }

    private func recovered(
        _ records: [TableKey: [UInt8]],
        journal: [[UInt8]],
        from harness: RouterHarness
    ) throws -> Router {
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, records, journal)
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: harness.router.limits,
            seed: 1
        )
        _ = try router.recover(from: store)
        return router
    }

    @Test("are known with what became of their pushes, to a replica and after a restart, too")
    func answered() throws {
        let harness = RouterHarness()
        harness.keepJournal(.game)
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.character("w", "kit")])
        let slot = try open(harness)
        #expect(progress(harness, Self.key(1)) == nil)
        let payload = #"{"character":"kit"}"#
        begin(harness, on: slot, key: Self.key(1), firstSeq: 1, pushing: 1...3, payload: payload)
        #expect(progress(harness, Self.key(1))?.isAnswered == false)
        end(harness, on: slot, lines: 3)
        let known = try #require(progress(harness, Self.key(1, content: 9)))
        #expect(known.isAnswered && known.key == Self.key(1))
        #expect(known.lines == 3 && known.accepted == 3 && known.matched == 3)
        let again = try recovered(from: harness)
        let found = again.progress(of: Self.key(1))
        #expect(found == known)
        _ = harness.step()
        #expect(harness.replica?.difference(from: harness.router) == nil)
        harness.checkInvariants()
    }

    @Test("whose requests a crash has left in part applied say which lines are left")
    func partly() throws {
        let harness = RouterHarness(catalog: AppCatalog(apps: []))
        harness.router.install(.game, source: AppCatalog.game.source)
        let slot = try open(harness)
        harness.push(slot, 7, "{}")
        _ = harness.step()
        begin(harness, on: slot, key: Self.key(1), firstSeq: 8, pushing: 1...2)
        harness.push(slot, 10, "[")
        _ = harness.step()
        harness.router = try recovered(from: harness)
        let known = try #require(progress(harness, Self.key(1)))
        #expect(known.lines == 2 && known.accepted == 2 && !known.isAnswered)
        #expect(known.rejected.isEmpty, "the line after the last accepted one is judged again")
        let next = try open(harness)
        #expect(
            begin(harness, on: next, key: Self.key(1), firstSeq: 8, pushing: 3...4) == known
        )
        end(harness, on: next, lines: 4)
        let all = try #require(progress(harness, Self.key(1)))
        #expect(all.isAnswered && all.accepted == 4 && all.lines == 4)
        harness.checkInvariants()
    }

    @Test("end after all lines that are known of, although the request has fewer")
    func fewerLines() throws {
        let harness = RouterHarness()
        harness.keepJournal(.game)
        let slot = try open(harness)
        begin(harness, on: slot, key: Self.key(1), firstSeq: 1, pushing: 1...3)
        end(harness, on: slot, lines: 2)
        let known = try #require(progress(harness, Self.key(1)))
        #expect(known.isAnswered && known.lines == 3 && known.accepted == 3)
        harness.checkInvariants()
    }

    @Test("keep the refused lines, and are not kept if no line was accepted")
    func refused() throws {
        let harness = RouterHarness()
        harness.keepJournal(.game)
        let slot = try open(harness)
        begin(harness, on: slot, key: Self.key(1), firstSeq: 1, pushing: 1...2, payload: "[")
        end(harness, on: slot, lines: 2)
        #expect(progress(harness, Self.key(1)) == nil)
        begin(harness, on: slot, key: Self.key(2), firstSeq: 3, pushing: 1...1, payload: "[")
        harness.push(slot, 4, "{}")
        harness.router.refuseLine(slot, seq: 5, now: harness.now)
        _ = harness.step()
        end(harness, on: slot, lines: 3)
        let known = try #require(progress(harness, Self.key(2)))
        #expect(known.accepted == 1 && known.lines == 3)
        #expect(known.rejected.map(\.line) == [1, 3])
        #expect(known.rejected.map(\.code) == [.payloadNotJSON, .frameLength])
        let again = try recovered(from: harness)
        let found = again.progress(of: Self.key(2))
        #expect(found == known)
        harness.checkInvariants()
    }

    @Test("keep the refused lines in their order, although the driver refuses some beforehand")
    func refusedBeforehand() throws {
        let harness = RouterHarness()
        harness.keepJournal(.game)
        let slot = try open(harness)
        _ = harness.router.beginRequest(slot, key: Self.key(1), firstSeq: 1, now: harness.now)
        harness.router.refuseLine(slot, seq: 2, now: harness.now)
        harness.push(slot, 1, "[")
        harness.push(slot, 3, "{}")
        _ = harness.step()
        end(harness, on: slot, lines: 3)
        let known = try #require(progress(harness, Self.key(1)))
        #expect(known.rejected.map(\.line) == [1, 2])
        #expect(known.rejected.map(\.code) == [.payloadNotJSON, .frameLength])
        _ = harness.step()
        #expect(harness.replica?.difference(from: harness.router) == nil)
    }

    @Test("of very many refused lines name the first ones")
    func manyRefused() throws {
        let harness = RouterHarness()
        let slot = try open(harness)
        harness.router.startJournal()
        _ = harness.router.beginRequest(slot, key: Self.key(1), firstSeq: 1, now: harness.now)
        for seq in 1...99 as ClosedRange<UInt64> {
            harness.router.refuseLine(slot, seq: seq, now: harness.now)
        }
        harness.push(slot, 100, "{}")
        _ = harness.step()
        end(harness, on: slot, lines: 100)
        let known = try #require(progress(harness, Self.key(1)))
        #expect(known.rejected.map(\.line) == Array(1...RequestKeyTable.rejectionsPerKey))
        #expect(known.accepted == 1 && known.lines == 100)
    }

    @Test("name the first refused lines also if the driver has refused very many beforehand")
    func manyRefusedBeforehand() throws {
        let harness = RouterHarness()
        harness.keepJournal(.game)
        let slot = try open(harness)
        _ = harness.router.beginRequest(slot, key: Self.key(1), firstSeq: 1, now: harness.now)
        for seq in 11...99 as ClosedRange<UInt64> {
            harness.router.refuseLine(slot, seq: seq, now: harness.now)
        }
        for seq in 1...10 as ClosedRange<UInt64> { harness.push(slot, seq, "[") }
        harness.push(slot, 100, "{}")
        _ = harness.step()
        end(harness, on: slot, lines: 100)
        let known = try #require(progress(harness, Self.key(1)))
        #expect(known.rejected.map(\.line) == Array(1...RequestKeyTable.rejectionsPerKey))
        #expect(known.rejected.prefix { $0.code == .payloadNotJSON }.count == 10)
        #expect(known.accepted == 1 && known.lines == 100)
        _ = harness.step()
        #expect(harness.replica?.difference(from: harness.router) == nil)
        harness.checkInvariants()
    }

    @Test("count what a fan-out matches that ends after a restart")
    func fanOut() throws {
        let harness = RouterHarness(catalog: AppCatalog(apps: [])) { $0.matchesPerStep = 2 }
        harness.router.startJournal()
        harness.router.install(.game, source: AppCatalog.game.source)
        let gateway = harness.connect(.gateway)
        for device in 0..<7 { harness.widgets(gateway, "d\(device)", [.character("w", "kit")]) }
        let slot = try open(harness)
        _ = harness.router.beginRequest(slot, key: Self.key(1), firstSeq: 1, now: harness.now)
        harness.push(slot, 1, #"{"character":"kit"}"#)
        while harness.router.isSearching { _ = harness.step() }
        let isFanningOut = harness.router.isFanningOut
        try #require(isFanningOut)
        harness.router = try recovered(journal: harness.router.journalBytes.array, from: harness)
        let isFinishing = harness.router.isFinishing(Self.key(1))
        while harness.router.isFanningOut { _ = harness.step() }
        let isFinishingStill = harness.router.isFinishing(Self.key(1))
        #expect(isFinishing && !isFinishingStill)
        let known = try #require(progress(harness, Self.key(1)))
        #expect(known.matched == 7 && known.accepted == 1 && !known.isAnswered)
        harness.checkInvariants()
    }

    @Test("beyond an app's limit displace its oldest ones, and no other app's")
    func limit() throws {
        let harness = RouterHarness { $0.requestKeysPerApp = 3 }
        harness.keepJournal(.game)
        let (game, news) = (try open(harness), try open(harness, app: "news"))
        begin(harness, on: news, key: Self.key(100), firstSeq: 1, pushing: 1...1)
        end(harness, on: news, lines: 1)
        for number in 1...5 as ClosedRange<UInt64> {
            begin(harness, on: game, key: Self.key(number), firstSeq: number, pushing: 1...1)
            end(harness, on: game, lines: 1)
        }
        let known = (1...5 as ClosedRange<UInt64>).filter {
            progress(harness, Self.key($0)) != nil
        }
        #expect(known == [3, 4, 5] && progress(harness, Self.key(100)) != nil)
        #expect(harness.router.counters.requestKeysDisplaced == 2)
        #expect(harness.router.storedCounts.requestKeys == 4)
        _ = harness.step()
        #expect(harness.replica?.difference(from: harness.router) == nil)
        harness.checkInvariants()
    }

    @Test("have an equal share for each app that the app file in force declares")
    func shares() throws {
        let harness = RouterHarness { $0.requestKeys = 6 }
        let slot = try open(harness)
        func keep(_ numbers: ClosedRange<UInt64>) -> [UInt64] {
            for number in numbers {
                begin(harness, on: slot, key: Self.key(number), firstSeq: number, pushing: 1...1)
                end(harness, on: slot, lines: 1)
            }
            return (1...20 as ClosedRange<UInt64>).filter {
                progress(harness, Self.key($0)) != nil
            }
        }
        #expect(keep(1...5) == [3, 4, 5])
        harness.router.install(AppCatalog(apps: [AppCatalog.game.apps[0]]), source: [])
        #expect(keep(6...10) == [5, 6, 7, 8, 9, 10])
        harness.router.install(.game, source: [])
        #expect(keep(11...11) == [9, 10, 11])
        harness.checkInvariants()
    }

    @Test("are forgotten when the router has run for a day since")
    func old() throws {
        let harness = RouterHarness()
        let slot = try open(harness)
        begin(harness, on: slot, key: Self.key(1), firstSeq: 1, pushing: 1...1)
        end(harness, on: slot, lines: 1)
        for (number, passed) in [(2, Self.day), (3, hour)] as [(UInt64, Int64)] {
            harness.advance(passed - 10_000)
            for _ in 0..<2 {
                harness.close(harness.connect(.gateway))
                _ = harness.sweep(isHeard: false)
                _ = harness.step()
            }
            begin(harness, on: slot, key: Self.key(number), firstSeq: number, pushing: 1...1)
            #expect((progress(harness, Self.key(1)) != nil) == (number == 2))
            harness.advance(10_000)
        }
        #expect(progress(harness, Self.key(2)) != nil && progress(harness, Self.key(3)) != nil)
        #expect(harness.router.counters.requestKeysForgotten == 1)
    }

    // MARK: - Records

    /// A router with a request that is answered, one that is under way, and refused lines of both.
    private func busy() throws -> RouterHarness {
        let harness = RouterHarness(catalog: AppCatalog(apps: []))
        harness.router.startJournal()
        harness.router.install(.game, source: AppCatalog.game.source)
        let slot = try open(harness)
        begin(harness, on: slot, key: Self.key(1), firstSeq: 1, pushing: 1...1, payload: "[")
        harness.push(slot, 2, "{}")
        _ = harness.step()
        end(harness, on: slot, lines: 2)
        begin(harness, on: slot, key: Self.key(2), firstSeq: 3, pushing: 1...1, payload: "[")
        harness.push(slot, 4, "{}")
        _ = harness.step()
        return harness
    }

    @Test("are in the dumps of table and journal, whatever becomes of their records")
    func dumps() throws {
        let harness = try busy()
        var generator = SeededGenerator(seed: 1)
        func line(_ key: TableKey, _ body: [UInt8]) throws -> DumpLine {
            var lines: [DumpLine] = []
            var dump = StateDump()
            try body.withByteView { view throws(StoreError) in
                try dump.add(key, bytes: view) { lines.append($0) }
            }
            try dump.finish { lines.append($0) }
            return try #require(lines.first)
        }
        for type in [StateRecord.requestKeys, .requestQueues] {
            let key = TableKey(type: type.rawValue, number: 0, epoch: 1)
            let body = try #require(StateImage(harness.router).records[key])
            let whole = try line(key, body)
            #expect(whole.problem == nil)
            #expect(String(decoding: whole.text, as: UTF8.self).contains(#""accepted":1"#))
            try Dump.expectLine(whole)
            try Dump.expectLines(ofBroken: body, &generator) { try line(key, $0) }
        }
        var writer = StoreWriter()
        RouterInput.requestBegan(producer: 0, key: Self.key(1), firstSeq: 1).write(to: &writer)
        RouterInput.requestEnded(producer: 0, lines: 2).write(to: &writer)
        RouterInput.requestKeysForgotten(app: 0, count: 1).write(to: &writer)
        let body = writer.bytes.array
        let journal = try Dump.line { out in body.withByteView { out.put(raw: $0) } }
        #expect(
            String(decoding: journal.text, as: UTF8.self).contains(
                #"{"entry":"answered","producer":0,"lines":2},{"entry":"keys","app":0,"count":1}"#
            )
        )
        try Dump.expectLines(ofBroken: body, &generator) { body in
            try Dump.line { out in body.withByteView { out.put(raw: $0) } }
        }
    }

    @Test("of damaged records are refused, or lead to a table that agrees with itself")
    func damaged() throws {
        let harness = try busy()
        let limits = harness.router.limits
        let journal = harness.router.journalBytes.array
        let records = StateImage(harness.router).records
        var generator = SeededGenerator(seed: 2)
        var refused = 0
        for round in 1...600 {
            var (found, log) = (round % 3 == 0 ? [:] : records, round % 3 == 0 ? journal : [])
            if round % 3 == 0 {
                log[generator.below(log.count)] = UInt8(generator.below(256))
            } else {
                let type = round % 3 == 1 ? StateRecord.requestKeys : .requestQueues
                let key = TableKey(type: type.rawValue, number: 0, epoch: 1)
                found[key]![generator.below(found[key]!.count)] = UInt8(generator.below(256))
            }
            let store = SimulatedStore()
            try RecoveryFuzzTests.fill(store, found, log.isEmpty ? [] : [log])
            var router = Router(catalog: AppCatalog(apps: []), limits: limits, seed: 1)
            do throws(StoreError) {
                _ = try router.recover(from: store, checksAll: true)
            } catch {
                #expect(error.code == .corrupt)
                refused += 1
            }
        }
        #expect(refused > 100)
    }

    @Test("are never lost in silence: a store without their record is damaged")
    func missingRecord() throws {
        let harness = try busy()
        var records = StateImage(harness.router).records
        for key in records.keys {
            let type = StateRecord(rawValue: key.type)
            if type == .requestKeys || type == .requestQueues { records[key] = nil }
        }
        let store = SimulatedStore()
        try RecoveryFuzzTests.fill(store, records, [])
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        #expect(throws: StoreError.self) { _ = try router.recover(from: store) }
    }

    @Test("keep the time from which they are old, however long the router has run")
    func keepTimes() {
        for start in 0..<150 as Range<Int64> {
            let since = RequestKeyTable.KeepTime(Milliseconds(rawValue: start * 7_654_321))
            func isOld(after time: Int64) -> Bool {
                since.isOld(
                    at: .init(Milliseconds(rawValue: start * 7_654_321 + time))
                )
            }
            #expect(!isOld(after: 0) && !isOld(after: 24 * hour - 1))
            #expect(isOld(after: 25 * hour) && isOld(after: 70 * hour))
        }
    }

    @Test("take at most 46 bytes each, a million of them 45 million")
    func memory() {
        #expect(MemoryLayout<RequestKeyTable.Entry>.stride == 28)
        var table = RequestKeyTable(hashKey: HashKey(low: 2, high: 0))
        let count: UInt64 = 250_000
        for number in 1...count {
            let key = RequestKey(high: number &* 0x9e37_79b9_7f4a_7c15, low: 0, content: 0)
            table.begin(key, of: 0, app: 0, firstSeq: number)
            table.accepted(upTo: number, count: 1, of: 0, now: 0)
            table.end(of: 0, lines: 1, now: 0)
        }
        #expect(table.count == Int(count))
        #expect(table.byteCount <= 46 * Int(count), "\(table.byteCount) bytes")
    }
}
