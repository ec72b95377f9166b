package import Basics

/// Validates and matches patterns in which `*` stands for any run of bytes, including none.
///
/// `\*` is a literal star and `\\` a backslash. All functions except `problem` and `isValid`
/// require a valid pattern. The operator `wildcard` uses them; the index takes its keys from
/// `runs`.
package enum WildcardPattern {
    /// What is wrong with a pattern; offsets are bytes of its text.
    private enum Fault: Equatable {
        case length
        case trailingBackslash
        case escape(Int)
        case stars(Int)
    }

    /// A sentence that says what is wrong with a pattern; nil if it is valid.
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

    /// Whether a pattern is short enough, its escapes are known and no two stars are adjacent.
    package static func isValid(_ text: ByteView) -> Bool { fault(text) == nil }

    /// The first mistake in a pattern; nil if it is valid.
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
    /// The time grows with the sum of the two lengths. For the text after a star the first
    /// occurrence is as good as any other, so only the last star is ever tried again; and once the
    /// retries have cost as much as the value is long, `WildcardSearch` does the rest.
    package static func matches(_ pattern: ByteView, value: ByteView) -> Bool {
        var patternOffset = 0
        var valueOffset = 0
        /// Offset after the last star, -1 before the first star; and where in the value the text
        /// after that star was tried last.
        var retryPattern = -1
        var retryValue = 0
        /// Bytes compared at places where the text after a star turned out not to occur.
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
                    pattern.slice(retryPattern, to: pattern.count),
                    value: value.slice(retryValue, to: value.count)
                )
            }
            patternOffset = retryPattern
            valueOffset = retryValue
        }
    }

    /// Matches what follows the last star, in linear time; not inlined, for its 3 KiB of stack.
    @inline(never)
    private static func searchRest(_ pattern: ByteView, value: ByteView) -> Bool {
        var search = WildcardSearch()
        return search.matches(pattern, value: value)
    }

    /// The runs of a valid pattern, which are its texts between stars, with their escapes removed:
    /// one more than it has stars, of which some may be empty.
    package static func runs(of pattern: ByteView) -> [[UInt8]] {
        var runs: [[UInt8]] = [[]]
        var offset = 0
        while offset < pattern.count {
            if pattern[offset] == star {
                runs.append([])
            } else {
                if pattern[offset] == backslash { offset += 1 }
                runs[runs.count - 1].append(pattern[offset])
            }
            offset += 1
        }
        return runs
    }

    static var star: UInt8 { 0x2a }
    static var backslash: UInt8 { 0x5c }
}
