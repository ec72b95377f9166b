package import DataStructures

/// Unicode's simple case folding: CaseFolding.txt, status C and S, a scalar for a scalar.
///
/// ß stays ß (only ẞ becomes it), and İ stays İ; nothing depends on a language. All text is valid
/// UTF-8, and nothing is normalised.
package enum CaseFolding {
    /// The most bytes that text of `count` bytes is folded to.
    ///
    /// No scalar grows but from two bytes to three (Ⱥ, U+023A, becomes U+2C65).
    @inlinable
    package static func capacity(_ count: Int) -> Int { count + count / 2 }

    /// Writes the folded text.
    ///
    /// - Parameters:
    ///   - text: valid UTF-8.
    ///   - buffer: has room for `capacity(text.count)` bytes.
    /// - Returns: the bytes written.
    @unsafe
    package static func fold(_ text: ByteView, into buffer: UnsafeMutableRawPointer) -> Int {
        var count = 0
        var offset = 0
        while offset < text.count {
            if offset + 8 <= text.count, isASCII(text.word(at: offset)) {
                let word = lowercased(text.word(at: offset))
                unsafe buffer.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
                offset += 8
                count += 8
            } else {
                let scalar = fold(UTF8Text.next(text, &offset))
                unsafe UTF8Text.write(scalar, to: buffer, at: &count)
            }
        }
        return count
    }

    /// So much of the beginning of a text that it is folded to `count` bytes at least, if the text is.
    ///
    /// No scalar shrinks but from three bytes to one or two (K, U+212A, becomes k).
    package static func beginning(of text: ByteView, foldedTo count: Int) -> ByteView {
        var end = min(text.count, count * 3 + 3)
        while end < text.count && text[end] & 0xc0 == 0x80 { end -= 1 }
        return text.slice(0, end)
    }

    /// The same of its end.
    package static func end(of text: ByteView, foldedTo count: Int) -> ByteView {
        var start = max(0, text.count - count * 3 - 3)
        while start > 0 && text[start] & 0xc0 == 0x80 { start -= 1 }
        return text.slice(start, text.count)
    }

    /// Whether two texts are folded to the same.
    package static func equals(_ a: ByteView, _ b: ByteView) -> Bool {
        var left = 0
        var right = 0
        while true {
            skipSame(a, &left, b, &right)
            if left == a.count || right == b.count { break }
            if !isSame(UTF8Text.next(a, &left), UTF8Text.next(b, &right)) { return false }
        }
        return left == a.count && right == b.count
    }

    /// Whether the folded text begins with the folded prefix.
    package static func hasPrefix(_ text: ByteView, _ prefix: ByteView) -> Bool {
        var left = 0
        var right = 0
        while true {
            skipSame(text, &left, prefix, &right)
            if right == prefix.count { return true }
            if left == text.count { return false }
            if !isSame(UTF8Text.next(text, &left), UTF8Text.next(prefix, &right)) { return false }
        }
    }

    /// Whether the folded text ends with the folded suffix.
    package static func hasSuffix(_ text: ByteView, _ suffix: ByteView) -> Bool {
        var left = text.count
        var right = suffix.count
        while right > 0 {
            if left == 0 { return false }
            let scalar = UTF8Text.previous(text, &left)
            if !isSame(scalar, UTF8Text.previous(suffix, &right)) { return false }
        }
        return true
    }

    /// Whether two scalars are folded to the same; most are the same to begin with.
    @inline(__always)
    private static func isSame(_ a: UInt32, _ b: UInt32) -> Bool {
        a == b || fold(a) == fold(b)
    }

    /// What a scalar is folded to.
    @inline(__always)
    static func fold(_ scalar: UInt32) -> UInt32 {
        if scalar < 0x80 { return scalar &- 0x41 <= 25 ? scalar | 0x20 : scalar }
        if scalar < 0x100 {
            if scalar == 0xb5 { return 0x03bc }
            return scalar &- 0xc0 <= 0x1e && scalar != 0xd7 ? scalar | 0x20 : scalar
        }
        // Kana, the Chinese characters of most texts and others in between have no case.
        if scalar >= 0x2d2e && scalar < 0xa640 { return scalar }
        return foldByTable(scalar)
    }

    @inline(never)
    private static func foldByTable(_ scalar: UInt32) -> UInt32 {
        // The first run that does not end in front of the scalar.
        var low = 0
        var high = CaseFoldingTable.runs.count
        while low < high {
            let middle = (low + high) / 2
            if CaseFoldingTable.runs[middle].last < scalar {
                low = middle + 1
            } else {
                high = middle
            }
        }
        if low == CaseFoldingTable.runs.count { return scalar }
        let run = CaseFoldingTable.runs[low]
        if scalar < run.first || (scalar - run.first) & (run.stride - 1) != 0 { return scalar }
        return UInt32(bitPattern: Int32(bitPattern: scalar) &+ run.delta)
    }

    /// Passes over equal ASCII, eight bytes at a time.
    @inline(__always)
    private static func skipSame(
        _ a: ByteView,
        _ left: inout Int,
        _ b: ByteView,
        _ right: inout Int
    ) {
        while left + 8 <= a.count, right + 8 <= b.count {
            let word = a.word(at: left)
            if !isASCII(word) { return }
            let other = b.word(at: right)
            if word != other && (!isASCII(other) || lowercased(word) != lowercased(other)) {
                return
            }
            left += 8
            right += 8
        }
    }

    @inline(__always)
    private static func isASCII(_ word: UInt64) -> Bool { word & 0x8080_8080_8080_8080 == 0 }

    /// Eight ASCII bytes in lower case.
    @inline(__always)
    private static func lowercased(_ word: UInt64) -> UInt64 {
        // Each byte's top bit becomes: at least A, and more than Z.
        let fromA = word &+ 0x3f3f_3f3f_3f3f_3f3f
        let behindZ = word &+ 0x2525_2525_2525_2525
        let isUpper = (fromA ^ behindZ) & 0x8080_8080_8080_8080
        return word | isUpper >> 2
    }
}
