import Basics
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// The refused lines that are remembered of requests with keys.
@Suite("Refused lines of requests with keys")
struct RefusedLinesTests {
    private static func key(_ number: UInt64) -> RequestKey {
        RequestKey(high: number &* 0x9e37_79b9_7f4a_7c15, low: UInt32(number), content: 0)
    }

    /// A request of an app whose first 64 lines are refused, and the last accepted.
    private func ask(_ number: UInt64, of app: AppID, in table: inout RequestKeyTable) {
        let producer = ProducerID(index: app.index)
        table.begin(Self.key(number), of: producer, app: app, firstSeq: 1)
        for seq in 1...64 as ClosedRange<UInt64> {
            table.rejected(seq, with: .payloadNotJSON, of: producer)
        }
        table.accepted(upTo: 65, count: 1, of: producer, now: .zero)
        table.end(of: producer, lines: 65, now: .zero)
    }

    private func lines(_ number: UInt64, in table: borrowing RequestKeyTable) -> Int {
        table.find(Self.key(number)).flatMap { table.rejections[$0]?.count } ?? 0
    }

    @Test("of one app leave those of another their room")
    func shares() throws {
        let (game, news) = (AppID(index: 0), AppID(index: 1))
        var table = RequestKeyTable(hashKey: .ofRuntime)
        table.rejectionsPerApp = 130
        for number in 1...3 as ClosedRange<UInt64> { ask(number, of: game, in: &table) }
        ask(4, of: news, in: &table)
        #expect([1, 2, 3, 4].map { lines($0, in: table) } == [64, 64, 0, 64])
        try table.checkInvariants()
        table.forgetOldest(1, of: game)
        ask(5, of: game, in: &table)
        #expect(lines(5, in: table) == 64)
        try table.checkInvariants()
    }

    @Test("are the first lines, in whatever order they were refused")
    func firstLines() {
        var request = RequestKeyTable.Open(key: Self.key(1), app: 0, firstSeq: 10)
        for seq in (10...79 as ClosedRange<UInt64>).reversed() {
            request.reject(seq, with: .payloadNotJSON)
        }
        #expect(request.rejected.map(\.line) == Array(1...64))
    }

    @Test("are an equal share for each declared app, and at least enough for some requests")
    func share() {
        let harness = RouterHarness()
        let perApp = harness.router.state.publishers.requestKeys.rejectionsPerApp
        #expect(perApp == RequestKeyTable.rejectionsLimit / 2)
        harness.router.state.reloads.catalog.declaredAppCount = 10_000
        harness.router.state.limitRefusedLines()
        let least = harness.router.state.publishers.requestKeys.rejectionsPerApp
        #expect(least == RequestKeyTable.leastRejectionsShare)
    }
}
