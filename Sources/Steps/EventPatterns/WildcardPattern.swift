package import DataStructures

/// Patterns in which `*` stands for any run of bytes, also none.
///
/// `\*` is a star and `\\` a backslash. The functions but `problem` take patterns without one.
package enum WildcardPattern {
    /// A part of a pattern's text without stars.
    package enum Part: CaseIterable, Sendable {
        /// What stands in front of the first star; everything if there is none.
        case prefix
        /// What stands behind the last star; everything if there is none.
        case suffix
        /// The longest of all, the first one if several are as long.
        case longest
    }

    private enum Fault: Equatable {
        case length
        case trailingBackslash
        case escape(Int)
        case stars(Int)
    }

    /// Says in a sentence what is wrong with a pattern; nil if nothing is.
    package static func problem(_ text: ByteView) -> String? {
        switch fault(text) {
        case nil: nil
        case .length:
            "The wildcard has \(text.count) bytes;"
                + " it may have at most \(PatternLimits.expressionBytes)."
        case .trailingBackslash: "The wildcard ends in a backslash that escapes nothing."
        case .escape(let offset):
            "The backslash at byte \(offset) of the wildcard escapes neither"
                + " a star nor a backslash."
        case .stars(let offset):
            "Two stars in a row at byte \(offset) of the wildcard; one does the same."
        }
    }

    /// Whether nothing is wrong with a pattern.
    package static func isValid(_ text: ByteView) -> Bool { fault(text) == nil }

    private static func fault(_ text: ByteView) -> Fault? {
        if text.count > PatternLimits.expressionBytes { return .length }
        var offset = 0
        while offset < text.count {
            if text[offset] == backslash {
                if offset + 1 == text.count { return .trailingBackslash }
                if text[offset + 1] != star && text[offset + 1] != backslash {
                    return .escape(offset)
                }
                offset += 1
            } else if text[offset] == star, offset + 1 < text.count, text[offset + 1] == star {
                return .stars(offset)
            }
            offset += 1
        }
        return nil
    }

    /// Whether the pattern matches the whole value.
    ///
    /// The time grows with the sum of the two lengths. For the text behind a star the first place
    /// where it stands is as good as any other, so only the last star is ever tried again; and once
    /// that has cost as much as the value is long, the rest is `WildcardSearch`'s.
    package static func matches(_ pattern: ByteView, _ value: ByteView) -> Bool {
        var patternOffset = 0
        var valueOffset = 0
        /// Behind the last star, and where in the value it was tried last; -1 before the first.
        var retryPattern = -1
        var retryValue = 0
        /// Bytes that were compared in places where the text behind a star does not stand.
        var wasted = 0
        while true {
            if patternOffset < pattern.count {
                let byte = pattern[patternOffset]
                if byte == star {
                    patternOffset &+= 1
                    if patternOffset == pattern.count { return true }
                    retryPattern = patternOffset
                    retryValue = valueOffset
                    continue
                }
                let width = byte == backslash ? 2 : 1
                if valueOffset < value.count,
                    pattern[patternOffset &+ width &- 1] == value[valueOffset]
                {
                    patternOffset &+= width
                    valueOffset &+= 1
                    continue
                }
            } else if valueOffset == value.count {
                return true
            }
            if retryPattern < 0 || valueOffset == value.count { return false }
            wasted &+= valueOffset &- retryValue
            retryValue &+= 1
            if wasted > value.count &+ 64 {
                return searchRest(
                    pattern.slice(retryPattern, pattern.count),
                    value.slice(retryValue, value.count)
                )
            }
            patternOffset = retryPattern
            valueOffset = retryValue
        }
    }

    @inline(never)
    private static func searchRest(_ pattern: ByteView, _ value: ByteView) -> Bool {
        var search = WildcardSearch()
        return search.matches(pattern, value)
    }

    /// Writes a part of the pattern without its escapes.
    ///
    /// - Parameters:
    ///   - part: which one.
    ///   - pattern: a pattern without a problem.
    ///   - buffer: has room for `pattern.count` bytes.
    /// - Returns: the bytes written.
    @unsafe
    package static func literal(
        _ part: Part,
        of pattern: ByteView,
        into buffer: UnsafeMutableRawPointer
    ) -> Int {
        var chosen = pattern.slice(0, endOfRun(pattern, 0))
        var chosenLength = length(chosen)
        var start = chosen.count + 1
        while part != .prefix && start <= pattern.count {
            let run = pattern.slice(start, endOfRun(pattern, start))
            let runLength = length(run)
            if part == .suffix || runLength > chosenLength {
                chosen = run
                chosenLength = runLength
            }
            start += run.count + 1
        }
        return unsafe unescape(chosen, into: buffer)
    }

    static var star: UInt8 { 0x2a }
    static var backslash: UInt8 { 0x5c }

    /// The offset of the first star from `start`, or the pattern's end.
    private static func endOfRun(_ pattern: ByteView, _ start: Int) -> Int {
        var end = start
        while end < pattern.count, pattern[end] != star {
            end += pattern[end] == backslash ? 2 : 1
        }
        return end
    }

    /// The bytes of a run without its escapes.
    private static func length(_ run: ByteView) -> Int {
        var count = 0
        var offset = 0
        while offset < run.count {
            offset += run[offset] == backslash ? 2 : 1
            count += 1
        }
        return count
    }

    private static func unescape(_ run: ByteView, into buffer: UnsafeMutableRawPointer) -> Int {
        var count = 0
        var offset = 0
        while offset < run.count {
            if run[offset] == backslash { offset += 1 }
            unsafe buffer.storeBytes(of: run[offset], toByteOffset: count, as: UInt8.self)
            offset += 1
            count += 1
        }
        return count
    }
}
