internal import Basics

extension RequestKeyTable {
    /// A key that is kept, in seven words of 32 bits.
    ///
    ///     high │ high │ low │ content: 24, since: 8 │ newer │ matched │ counts: 29
    struct Entry: BitwiseCopyable {
        /// The name's first 64 bits in two words: one of 64 would make the entry 32 bytes long.
        private let high: (UInt32, UInt32)
        private let low: UInt32
        private let contentAndSince: UInt32
        /// The key that its app used next.
        var newer = RequestKeyID.none
        /// The widgets that the accepted pushes matched, at most `UInt32.max`.
        var matched: UInt32 = 0
        /// The accepted pushes, the lines that are accepted or refused, and whether these are all:
        /// 14, 14 and 1 bits.
        var counts: UInt32 = 0

        /// An entry of a key whose first push is accepted at a time.
        init(key: RequestKey, since: KeepTime) {
            high = (UInt32(key.high >> 32), UInt32(truncatingIfNeeded: key.high))
            low = key.low
            contentAndSince = key.content << 8 | UInt32(since.rawValue)
        }

        static var empty: Entry {
            Entry(key: RequestKey(high: 0, low: 0, content: 0), since: KeepTime(.zero))
        }

        var key: RequestKey {
            RequestKey(
                high: UInt64(high.0) << 32 | UInt64(high.1),
                low: low,
                content: contentAndSince >> 8
            )
        }

        /// When its first push was accepted.
        var since: KeepTime { KeepTime(rawValue: UInt8(truncatingIfNeeded: contentAndSince)) }

        var accepted: Int { Int(counts & Self.mask) }
        var lines: Int { Int(counts >> Self.shift & Self.mask) }
        /// Whether the request was answered, so that no line of it is left.
        var isAnswered: Bool { counts >> (2 * Self.shift) != 0 }

        mutating func count(accepted: Int, lines: Int, isAnswered: Bool) {
            assert(accepted <= lines && lines <= RequestKeyTable.linesLimit)
            counts = UInt32(accepted) | UInt32(lines) << Self.shift
            if isAnswered { counts |= 1 << (2 * Self.shift) }
        }

        private static var shift: UInt32 { 14 }
        private static var mask: UInt32 { 1 << shift - 1 }
    }

    /// A running time (see `RunningTime`) in units of 1,024 s, of which the last 8 bits are kept:
    /// they come again after 72 hours, and no key is kept for so long.
    struct KeepTime: Equatable, BitwiseCopyable {
        let rawValue: UInt8

        init(rawValue: UInt8) { self.rawValue = rawValue }

        init(_ time: Milliseconds) {
            rawValue = UInt8(truncatingIfNeeded: time.wholeSeconds / Self.unit)
        }

        private static var unit: Int64 { 1_024 }
        /// As many units are between two times that are at least `RouterLimits.requestKeyTime`
        /// apart, and less than an hour more: both times are rounded down.
        private static var longest: UInt8 {
            UInt8(RouterLimits.requestKeyTime.wholeSeconds / unit) + 2
        }

        /// Whether a key that was kept first at this time has been kept for long enough.
        func isOld(at now: KeepTime) -> Bool { now.rawValue &- rawValue >= Self.longest }
    }
}
