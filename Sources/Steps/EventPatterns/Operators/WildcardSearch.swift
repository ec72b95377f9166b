internal import Basics

/// Finds the runs of a wildcard (its literal parts between stars) one after the other, in linear
/// time for every text (Knuth, Morris and Pratt 1977).
///
///     run        a  a  b  a  a  a
///     fallback  -1 -1  1 -1 -1  2      where in the run to compare next if the byte there differs:
///                                      after the longest proper prefix that is a suffix of the
///                                      bytes matched, unless its next byte is the same; -1 if none
///
/// Each byte of the text is passed once, and each fallback gives up at least one byte matched
/// before, so there are at most as many fallbacks as bytes: at most two comparisons for a byte of
/// the text, and two for a byte of the pattern. `WildcardPattern.matches` is faster except on texts
/// that nearly match in many places, and uses this type for those. It needs 3 KiB of stack and no
/// other memory.
struct WildcardSearch {
    /// The longest wildcard in bytes; no run is longer.
    private static var capacity: Int { 1_024 }

    /// The run that is searched for, without escapes; its first `count` bytes are used.
    private var run = InlineArray<1_024, UInt8>(repeating: 0)
    /// For each byte of the run, the index at which a search continues if the byte differs; -1 to
    /// start the run anew at the text's next byte.
    private var fallbacks = InlineArray<1_024, Int16>(repeating: 0)
    private var count = 0

    init() { assert(Self.capacity == PatternLimits.expressionBytes) }

    /// Whether a value matches, up to its end, the part of a pattern after one of its stars, which
    /// is not empty; the star may end anywhere in the value.
    mutating func matches(_ pattern: ByteView, value: ByteView) -> Bool {
        var start = 0
        var offset = 0
        while start < pattern.count {
            let end = load(pattern, from: start)
            if end == pattern.count { return isSuffix(of: value, from: offset) }
            guard let found = find(in: value, from: offset) else { return false }
            offset = found
            start = end + 1
        }
        // The pattern ends in a star.
        return true
    }

    /// Loads the run that begins at `start`, with its escapes removed. Returns the offset of the
    /// star after the run, or the pattern's end.
    private mutating func load(_ pattern: ByteView, from start: Int) -> Int {
        var offset = start
        count = 0
        while offset < pattern.count, pattern[offset] != WildcardPattern.star {
            if pattern[offset] == WildcardPattern.backslash { offset += 1 }
            run[count] = pattern[offset]
            count += 1
            offset += 1
        }
        return offset
    }

    /// Whether the value ends with the run, at `offset` or later.
    private func isSuffix(of value: ByteView, from offset: Int) -> Bool {
        let start = value.count - count
        if start < offset { return false }
        for index in 0..<count where value[start + index] != run[index] { return false }
        return true
    }

    /// The end of the run's first occurrence at or after `offset`; nil if there is none.
    private mutating func find(in value: ByteView, from offset: Int) -> Int? {
        if count == 0 { return offset }
        findFallbacks()
        return unsafe run.span.withUnsafeBufferPointer { run in
            unsafe fallbacks.span.withUnsafeBufferPointer { fallbacks in
                var matched = 0
                var position = offset
                while position < value.count {
                    let byte = value[position]
                    while unsafe matched >= 0 && run[matched] != byte {
                        matched = unsafe Int(fallbacks[matched])
                    }
                    matched &+= 1
                    position &+= 1
                    if matched == count { return position }
                }
                return nil
            }
        }
    }

    /// Fills `fallbacks` for the run that is loaded.
    private mutating func findFallbacks() {
        fallbacks[0] = -1
        // Length of the longest border of run[..<index]: a proper prefix that is also a suffix.
        var border = 0
        for index in 1..<max(count, 1) {
            fallbacks[index] = run[border] == run[index] ? fallbacks[border] : Int16(border)
            while border >= 0 && run[border] != run[index] { border = Int(fallbacks[border]) }
            border += 1
        }
    }
}
