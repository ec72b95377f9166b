internal import DataStructures

/// Finds the runs of a wildcard one behind the other, whatever text it is (Knuth, Morris and Pratt
/// 1977).
///
///     run        a  a  b  a  a  a
///     fallback  -1 -1  1 -1 -1  2      where to compare on when the byte there is another one: behind
///                                      the longest proper prefix that is a suffix of what has matched,
///                                      unless its next byte is the same; -1 if there is none
///
/// Each byte of the text is passed once, and a fallback once for each byte: at most two comparisons
/// for a byte of the text, and two for a byte of the pattern. `WildcardPattern.matches` is faster for
/// all but texts that nearly match in many places, and comes here for those. 3 KiB of stack, and no
/// memory besides.
struct WildcardSearch {
    /// A wildcard is no longer than this.
    private static var capacity: Int { 1_024 }

    private var run = InlineArray<1_024, UInt8>(repeating: 0)
    private var fallbacks = InlineArray<1_024, Int16>(repeating: 0)
    private var count = 0

    init() {
        assert(Self.capacity == PatternLimits.expressionBytes)
    }

    /// Whether a value consists of what a pattern has behind one of its stars, after any bytes.
    ///
    /// - Parameters:
    ///   - pattern: the part behind the star; it is not empty.
    ///   - value: the part of the value in which the star may end.
    /// - Returns: whether it does.
    mutating func matches(_ pattern: ByteView, _ value: ByteView) -> Bool {
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

    /// Takes a run without its escapes.
    ///
    /// - Returns: where it ends: at the next star, or with the pattern.
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

    private func isSuffix(of value: ByteView, from offset: Int) -> Bool {
        let start = value.count - count
        if start < offset { return false }
        for index in 0..<count where value[start + index] != run[index] { return false }
        return true
    }

    /// Where the first place of the run ends that begins at `offset` or behind it.
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

    private mutating func findFallbacks() {
        fallbacks[0] = -1
        // Of run[..<index].
        var border = 0
        for index in 1..<max(count, 1) {
            fallbacks[index] = run[border] == run[index] ? fallbacks[border] : Int16(border)
            while border >= 0 && run[border] != run[index] { border = Int(fallbacks[border]) }
            border += 1
        }
    }
}
