import Basics
import TestSupport
import Testing

@testable import RouterCore

@Suite("The table of producers")
struct ProducerTableTests {
    private func time(_ milliseconds: Int64) -> Instant {
        Instant(
            monotonic: MonotonicTime(rawValue: milliseconds),
            wall: WallTime(rawValue: 1_000_000 + milliseconds)
        )
    }

    @discardableResult
    private func insert(
        _ table: inout ProducerTable,
        _ name: String,
        app: AppID = 0,
        at now: Int64 = 0,
        counting running: inout RunningTime
    ) -> ProducerID {
        Array(name.utf8).withByteView {
            table.insert(of: app, named: $0, now: time(now), counting: &running)
        }
    }

    private func find(
        _ table: borrowing ProducerTable,
        _ name: String,
        app: AppID = 0
    ) -> ProducerID? {
        Array(name.utf8).withByteView { table.find(of: app, named: $0) }
    }

    @Test("finds producers by app and name, and counts them by app")
    func find() {
        var table = ProducerTable(hashKey: .ofRuntime)
        var running = RunningTime()
        insert(&table, "p", counting: &running)
        insert(&table, "p", app: 3, counting: &running)
        insert(&table, "q", app: 3, counting: &running)
        let found = [
            find(table, "p"), find(table, "p", app: 3), find(table, "q", app: 3), find(table, "q"),
            find(table, "p", app: 1),
        ]
        #expect(found == [0, 1, 2, nil, nil])
        let counts = [table.count, table.count(of: 0), table.count(of: 1), table.count(of: 3)]
        #expect(counts == [3, 1, 0, 2])
    }

    @Test("uses the lowest number again that is free, and nothing of who had it")
    func numbers() {
        var table = ProducerTable(hashKey: .ofRuntime)
        var running = RunningTime()
        for name in ["a", "b", "c", "d"] { insert(&table, name, counting: &running) }
        table.accepted(9, of: 1)
        table.forget(2)
        table.forget(1)
        let gone = [find(table, "b"), find(table, "c")]
        #expect(gone == [nil, nil])
        let given = [
            insert(&table, "e", at: 5, counting: &running),
            insert(&table, "f", counting: &running),
            insert(&table, "g", counting: &running),
        ]
        #expect(given == [1, 2, 4])
        let (lastSeq, usedAt, end) = (table[1].lastSeq, table[1].usedAt, table.end)
        #expect(lastSeq == 0 && usedAt == 1_000_005 && end == 5)
    }

    @Test("knows who has been idle for longest, and passes over who is in use")
    func chain() {
        var table = ProducerTable(hashKey: .ofRuntime)
        var running = RunningTime()
        for (number, name) in ["a", "b", "c"].enumerated() {
            insert(&table, name, at: Int64(number), counting: &running)
        }
        table.sessionBegan(0, on: 7, session: 1, now: time(10), counting: &running)
        table.fanOutBegan(1)
        var longest = [table.longestIdle]
        table.sessionEnded(0, on: 7, session: 2, now: time(20), counting: &running)
        longest.append(table.longestIdle)
        table.sessionBegan(2, on: 8, session: 3, now: time(20), counting: &running)
        longest.append(table.longestIdle)
        table.sessionEnded(0, on: 7, session: 1, now: time(30), counting: &running)
        table.fanOutEnded(1, now: time(40), counting: &running)
        longest.append(table.longestIdle)
        table.forget(0)
        longest.append(table.longestIdle)
        #expect(longest == [2, 2, nil, 0, 1], "a session that is not its own ends nothing")
        let idle = [1, 2].map { table.idleTime($0, at: running.time(at: time(45).monotonic)) }
        #expect(idle == [5, 0])
    }

    @Test("counts no time from the end of a process to the first use in the next one")
    func running() {
        var time = RunningTime()
        time.advance(to: Instant(monotonic: 1_000, wall: 0))
        #expect(time.total == 0)
        time.advance(to: Instant(monotonic: 4_000, wall: -5))
        #expect(time.time(at: 5_000) == 4_000)
        time.stop()
        #expect(time.time(at: 9_000) == 3_000)
        time.advance(to: Instant(monotonic: 10_000, wall: 0))
        time.advance(to: Instant(monotonic: 10_500, wall: 0))
        #expect(time.total == 3_500)
    }

    @Test("is, restored, in the order of idleness, whatever the numbers are")
    func restored() {
        var table = ProducerTable(hashKey: .ofRuntime)
        var running = RunningTime(total: 100, countedAt: nil)
        for (number, since) in [(0, 50), (2, 10), (3, 30), (5, 20)] as [(ProducerID, Int64)] {
            let isInOrder = Array("p\(number)".utf8).withByteView {
                table.restore(
                    number,
                    from: .init(
                        app: 0,
                        name: $0,
                        lastSeq: UInt64(number.rawValue),
                        usedAt: WallTime(rawValue: since),
                        idleSince: Milliseconds(rawValue: since),
                        forgottenRejection: 0
                    )
                )
            }
            #expect(isInOrder)
        }
        table.restore(end: 8)
        table.restoreSession(5, on: 1, session: 1)
        table.finishRestoring()
        var order: [ProducerID] = []
        while let next = table.longestIdle {
            order.append(next)
            table.forget(next)
        }
        #expect(order == [2, 3, 0])
        let (given, count) = (insert(&table, "new", counting: &running), table.count)
        #expect(given == 0 && count == 2)
    }
}
