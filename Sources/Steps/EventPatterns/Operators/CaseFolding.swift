package import Basics

/// Unicode's simple case folding: CaseFolding.txt, status C and S, one scalar for one scalar.
///
/// All `…IgnoringCase` operators compare folded texts. ß stays ß (only ẞ becomes ß), and İ stays İ;
/// nothing depends on a language. All text is valid UTF-8, and nothing is normalised.
package enum CaseFolding {
    /// The most bytes that a text of `count` bytes can have once it is folded.
    ///
    /// The only scalars that grow do so from two bytes to three (Ⱥ, U+023A, becomes U+2C65).
    @inlinable
    package static func capacity(_ count: Int) -> Int { count + count / 2 }

    /// Writes the folded text, of valid UTF-8, to memory for `capacity(text.count)` bytes; returns
    /// the number of bytes written.
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
                let scalar = fold(UTF8Text.next(text, at: &offset))
                unsafe UTF8Text.write(scalar, to: buffer, at: &count)
            }
        }
        return count
    }

    /// A beginning of the text that folds to at least `count` bytes; the whole text if it is too
    /// short.
    ///
    /// No scalar shrinks to less than a third: the Kelvin sign, U+212A, from three bytes to one, is
    /// the extreme; others shrink from three to two, or from two to one.
    package static func beginning(of text: ByteView, foldedTo count: Int) -> ByteView {
        var end = min(text.count, count * 3 + 3)
        while end < text.count && text[end] & 0xc0 == 0x80 { end -= 1 }
        return text.slice(0, to: end)
    }

    /// An end of the text that folds to at least `count` bytes; the whole text if it is too short.
    package static func end(of text: ByteView, foldedTo count: Int) -> ByteView {
        var start = max(0, text.count - count * 3 - 3)
        while start > 0 && text[start] & 0xc0 == 0x80 { start -= 1 }
        return text.slice(start, to: text.count)
    }

    /// Whether two texts are the same once folded.
    package static func equals(_ a: ByteView, and b: ByteView) -> Bool {
        var left = 0
        var right = 0
        return skipEqual(a, at: &left, and: b, at: &right) && left == a.count && right == b.count
    }

    /// Whether the folded text begins with the folded prefix.
    package static func hasPrefix(_ text: ByteView, prefix: ByteView) -> Bool {
        var left = 0
        var right = 0
        return skipEqual(text, at: &left, and: prefix, at: &right) && right == prefix.count
    }

    /// Skips scalars that are equal once folded, up to the end of one of the texts; false if there
    /// is a difference before that.
    @inline(__always)
    private static func skipEqual(
        _ a: ByteView,
        at left: inout Int,
        and b: ByteView,
        at right: inout Int
    ) -> Bool {
        while true {
            skipEqualASCII(a, at: &left, and: b, at: &right)
            if left == a.count || right == b.count { return true }
            if !isSame(UTF8Text.next(a, at: &left), as: UTF8Text.next(b, at: &right)) {
                return false
            }
        }
    }

    /// Whether the folded text ends with the folded suffix.
    package static func hasSuffix(_ text: ByteView, suffix: ByteView) -> Bool {
        var left = text.count
        var right = suffix.count
        while right > 0 {
            if left == 0 { return false }
            let scalar = UTF8Text.previous(text, before: &left)
            if !isSame(scalar, as: UTF8Text.previous(suffix, before: &right)) { return false }
        }
        return true
    }

    /// Whether two scalars fold to the same one; most are equal to begin with.
    @inline(__always)
    private static func isSame(_ a: UInt32, as b: UInt32) -> Bool {
        a == b || fold(a) == fold(b)
    }

    /// The scalar that a scalar folds to; itself if it has no case.
    @inline(__always)
    static func fold(_ scalar: UInt32) -> UInt32 {
        if scalar < 0x80 { return scalar &- 0x41 <= 25 ? scalar | 0x20 : scalar }
        if scalar < 0x100 {
            if scalar == 0xb5 { return 0x03bc }
            return scalar &- 0xc0 <= 0x1e && scalar != 0xd7 ? scalar | 0x20 : scalar
        }
        // Kana, the Chinese characters of most texts and the blocks between them have no case.
        if scalar >= 0x2d2e && scalar < 0xa640 { return scalar }
        return foldByTable(scalar)
    }

    /// The scalar that a scalar folds to, by `CaseFoldingTable`.
    @inline(never)
    private static func foldByTable(_ scalar: UInt32) -> UInt32 {
        // Binary search for the first run that ends at or after the scalar.
        var low = 0
        var high = CaseFoldingRun.count
        while low < high {
            let middle = (low + high) / 2
            if CaseFoldingRun(middle).last < scalar {
                low = middle + 1
            } else {
                high = middle
            }
        }
        if low == CaseFoldingRun.count { return scalar }
        let run = CaseFoldingRun(low)
        if scalar < run.first || (scalar - run.first) & (run.stride - 1) != 0 { return scalar }
        return UInt32(bitPattern: Int32(bitPattern: scalar) &+ run.delta)
    }

    /// Skips bytes that are ASCII in both texts and equal once folded, eight at a time.
    @inline(__always)
    private static func skipEqualASCII(
        _ a: ByteView,
        at left: inout Int,
        and b: ByteView,
        at right: inout Int
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

    /// Whether all eight bytes of a word are ASCII.
    @inline(__always)
    private static func isASCII(_ word: UInt64) -> Bool { word & 0x8080_8080_8080_8080 == 0 }

    /// Eight ASCII bytes in lower case. No byte carries into the next.
    @inline(__always)
    private static func lowercased(_ word: UInt64) -> UInt64 {
        // The top bit of each byte becomes: at least A (`fromA`), greater than Z (`behindZ`).
        let fromA = word &+ 0x3f3f_3f3f_3f3f_3f3f
        let behindZ = word &+ 0x2525_2525_2525_2525
        let isUpper = (fromA ^ behindZ) & 0x8080_8080_8080_8080
        return word | isUpper >> 2
    }
}

/// Consecutive scalars, or every second one, that simple case folding moves by the same distance: a
/// row of `CaseFoldingTable`.
struct CaseFoldingRun {
    /// The number of runs.
    static var count: Int { CaseFoldingTable.numbers.count / 4 }

    private let start: Int

    init(_ index: Int) { start = 4 * index }

    var first: UInt32 { UInt32(bitPattern: CaseFoldingTable.numbers[start]) }
    var last: UInt32 { UInt32(bitPattern: CaseFoldingTable.numbers[start + 1]) }
    /// Distance to the folded scalar.
    var delta: Int32 { CaseFoldingTable.numbers[start + 2] }
    /// 1 if all scalars from `first` to `last` are folded, 2 if only every second one is.
    var stride: UInt32 { UInt32(bitPattern: CaseFoldingTable.numbers[start + 3]) }
}
