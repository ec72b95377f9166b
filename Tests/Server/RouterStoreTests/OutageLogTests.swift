import Basics
import RouterStore
import StoreFormat
import TestSupport
import Testing

@Suite("The log of an outage")
struct OutageLogTests {
    private static let full = StoreError(.full, message: "no space for 000017.log")

    /// Notes an error at a time, of an outage since second 1.
    private static func update(
        _ error: StoreError,
        at seconds: Int64,
        _ log: inout OutageLog
    ) -> OutageLog.Line? {
        log.update((error, since: 1_000), now: .zero + .seconds(seconds))
    }

    @Test("says when it begins and how long it took, once each")
    func ends() {
        var log = OutageLog()
        #expect(log.update(nil, now: 500) == nil)
        #expect(Self.update(Self.full, at: 2, &log) == .begins(Self.full))
        #expect(Self.update(Self.full, at: 3, &log) == nil)
        #expect(log.update(nil, now: 9_500) == .ends(duration: 8_500))
        #expect(log.update(nil, now: 9_600) == nil)
        #expect(Self.update(Self.full, at: 10, &log) == .begins(Self.full))
    }

    @Test("repeats the same reason each minute, whatever number the file has")
    func minutes() {
        var log = OutageLog()
        _ = Self.update(Self.full, at: 1, &log)
        let lines = (2...181).filter { second in
            let error = StoreError(.full, message: "no space for 0000\(second).log")
            return Self.update(error, at: Int64(second), &log) != nil
        }
        #expect(lines == [61, 121, 181])
    }

    @Test("reports another reason soon, but not each change of two that alternate")
    func reasons() {
        var log = OutageLog()
        let reasons = [
            StoreError(.io, message: "the disk does not answer"),
            StoreError(.io, message: "the folder is gone"),
            StoreError(.full, message: "no space"),
        ]
        _ = Self.update(Self.full, at: 1, &log)
        for (index, reason) in reasons.enumerated() {
            let second = Int64(10 * (index + 1))
            let line = Self.update(reason, at: second, &log)
            #expect(line == .continues(reason, duration: .seconds(second - 1)))
        }
        let lines = (31...60).filter { Self.update(reasons[$0 % 2], at: Int64($0), &log) != nil }
        #expect(lines == [35, 40, 45, 50, 55, 60])
    }
}
