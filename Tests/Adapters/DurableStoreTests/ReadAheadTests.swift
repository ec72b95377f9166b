import Basics
import Glibc
import Platform
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

@Suite("Reading ahead")
struct ReadAheadTests {
    @Test("returns every record in its order, whatever the sizes of records and blocks")
    func order() {
        for seed in 0..<500 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var run = ReadAheadRun(&generator, count: generator.below(200))
            run.expect("seed \(seed)")
        }
    }

    @Test("returns nothing when there is nothing to read")
    func empty() {
        var generator = SeededGenerator(seed: 1)
        for blockCount in 1...4 {
            var run = ReadAheadRun(&generator, count: 0)
            run.limits.blockCount = blockCount
            run.expect("\(blockCount) blocks")
        }
    }

    @Test("reports an error of the reader after all records that came before it")
    func readerFails() {
        forSmallRuns { run, name in
            for position in 0...run.records.count {
                run.failingRead = position
                run.expect("\(name), read fails at \(position)")
            }
        }
    }

    @Test("ends the reader when a record is refused")
    func callerFails() {
        forSmallRuns { run, name in
            for position in run.records.indices {
                run.failingUse = position
                run.expect("\(name), use fails at \(position)")
            }
        }
    }

    @Test("reports what comes first when both fail")
    func bothFail() {
        for seed in 0..<500 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var run = ReadAheadRun(&generator, count: 1 + generator.below(60))
            run.failingRead = generator.below(run.records.count + 1)
            run.failingUse = generator.below(run.records.count)
            run.expect("seed \(seed)")
        }
    }

    private func forSmallRuns(_ body: (inout ReadAheadRun, String) -> Void) {
        for seed in 0..<20 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var run = ReadAheadRun(&generator, count: generator.below(30))
            body(&run, "seed \(seed)")
        }
    }

    @Test("ends a reader that would never end, be it reading or waiting")
    func endless() {
        for position in 0..<100 {
            var isOver = false
            var count = 0
            let ahead = ReadAhead(limits: .small) { ahead in
                let bytes = StoreWriter(capacity: 64)
                while ahead.put(bytes.bytes, value: bytes.bytes) {}
                // Who does not listen hears it again.
                isOver = !ahead.put(bytes.bytes, value: bytes.bytes)
            }
            #expect(throws: StoreError(.io, message: "enough")) {
                try ahead.forEachRecord { _, _ throws(StoreError) in
                    if count == position { throw StoreError(.io, message: "enough") }
                    count += 1
                }
            }
            #expect(isOver && count == position)
        }
    }

    @Test("reads as many blocks ahead as there are, while a record is being used, and no more")
    func distance() throws {
        for blockCount in 1...5 {
            let signal = Signal()
            let monitor = Monitor()
            var putCount = 0
            let total = 100
            var limits = ReadAheadLimits.small
            limits.blockCount = blockCount
            // Each record is longer than a block.
            let value = [UInt8](repeating: 7, count: 4 * limits.blockByteCount)
            let ahead = ReadAhead(limits: limits) { ahead in
                for _ in 0..<total {
                    _ = value.withByteView { ahead.put($0.slice(0, to: 0), value: $0) }
                    monitor.locked { putCount += 1 }
                    signal.notify()
                }
            }
            var usedCount = 0
            try ahead.forEachRecord { _, _ in
                // A record counts as put a little after it can be used.
                let reach = min(total, usedCount + blockCount)
                signal.wait(for: "record \(reach)") { monitor.locked { putCount } >= reach }
                #expect(monitor.locked { putCount } == reach)
                usedCount += 1
            }
            #expect(usedCount == total)
        }
    }

    @Test("returns records on the caller's thread, and reads on another")
    func threads() throws {
        let caller = pthread_self()
        var reader = caller
        let ahead = ReadAhead(limits: .small) { ahead in
            reader = pthread_self()
            _ = [1].withByteView { ahead.put($0, value: $0) }
        }
        var users: [pthread_t] = []
        try ahead.forEachRecord { _, _ in users.append(pthread_self()) }
        #expect(users.count == 1 && pthread_equal(users[0], caller) != 0)
        #expect(pthread_equal(reader, caller) == 0)
    }

    @Test("keeps nothing alive afterwards", arguments: [nil, 0, 10])
    func lifetime(_ failingUse: Int?) {
        weak var leftAhead: ReadAhead?
        weak var leftCapture: Signal?
        do {
            let capture = Signal()
            let ahead = ReadAhead(limits: .small) { ahead in
                for _ in 0..<100 { _ = [1, 2].withByteView { ahead.put($0, value: $0) } }
                capture.notify()
            }
            (leftAhead, leftCapture) = (ahead, capture)
            var count = 0
            try? ahead.forEachRecord { _, _ throws(StoreError) in
                if count == failingUse { throw StoreError(.io, message: "enough") }
                count += 1
            }
        }
        #expect(leftAhead == nil && leftCapture == nil)
    }
}

extension ReadAheadLimits {
    /// So that a few records fill them.
    fileprivate static var small: ReadAheadLimits {
        ReadAheadLimits(blockByteCount: 64, blockCount: 2)
    }
}

/// Records that are read ahead and used, either of which may fail somewhere.
private struct ReadAheadRun {
    var limits = ReadAheadLimits.small
    var records: [Record] = []
    /// So many records are read before that fails.
    var failingRead: Int?
    /// The record at the use of which that fails.
    var failingUse: Int?

    struct Record: Equatable {
        var key: [UInt8]
        var value: [UInt8]
    }

    private static let readFailure = StoreError(.corrupt, message: "the reader failed")
    private static let useFailure = StoreError(.gap, message: "the caller failed")

    init(_ generator: inout SeededGenerator, count: Int) {
        limits.blockByteCount = 64 + generator.below(512)
        limits.blockCount = 1 + generator.below(5)
        for _ in 0..<count {
            // One in eight is, as a rule, longer than a block.
            let bound = generator.below(8) == 0 ? 2_000 : 60
            let key = generator.bytes(generator.below(12))
            records.append(Record(key: key, value: generator.bytes(generator.below(bound))))
        }
    }

    /// Expects of it what one thread alone would do.
    mutating func expect(
        _ name: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let readCount = failingRead ?? records.count
        var expected = Array(records.prefix(readCount))
        var failure = failingRead == nil ? nil : Self.readFailure
        if let failingUse, failingUse < readCount {
            expected = Array(records.prefix(failingUse))
            failure = Self.useFailure
        }
        let (used, thrown, hasEnded) = forEachRecord()
        #expect(used == expected, "\(name)", sourceLocation: sourceLocation)
        #expect(thrown == failure, "\(name)", sourceLocation: sourceLocation)
        #expect(hasEnded, "\(name)", sourceLocation: sourceLocation)
    }

    private func forEachRecord() -> (used: [Record], thrown: StoreError?, hasEnded: Bool) {
        let (records, failingRead, failingUse) = (records, failingRead, failingUse)
        var hasEnded = false
        let ahead = ReadAhead(limits: limits) { ahead throws(StoreError) in
            defer { hasEnded = true }
            for (index, record) in records.enumerated() {
                if index == failingRead { throw Self.readFailure }
                let continues = record.key.withByteView { key in
                    record.value.withByteView { ahead.put(key, value: $0) }
                }
                if !continues { return }
            }
            if failingRead == records.count { throw Self.readFailure }
        }
        var used: [Record] = []
        var thrown: StoreError?
        do throws(StoreError) {
            try ahead.forEachRecord { key, value throws(StoreError) in
                if used.count == failingUse { throw Self.useFailure }
                used.append(Record(key: key.array, value: value.array))
            }
        } catch {
            thrown = error
        }
        return (used, thrown, hasEnded)
    }
}
