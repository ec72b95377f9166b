extension Unicode.Scalar {
    /// Whether the character is not seen by itself: a control character (C0, DEL, C1), a line or
    /// paragraph separator, or a format character (category Cf), such as one that changes the
    /// direction of writing, or a blank without width.
    ///
    /// In a log or a terminal, such a character could make a name look like another one, or forge a
    /// line.
    package var isHidden: Bool {
        switch value {
        case 0x00...0x1f, 0x7f...0x9f, 0x2028...0x2029: true
        case ..<0x80: false
        default: FormatCharacterTable.contains(value)
        }
    }
}

/// A peer's text, safe to quote in a message or a log.
///
/// Hidden characters are written as JSON escapes, such as `\u202e`. If the result would be longer
/// than `limit` bytes, usually 120, whole characters are kept up to that length, followed by "…".
package func quotation(_ text: String, limit: Int = quotationBytes) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
        let shown =
            scalar.isHidden
            ? escape(scalar) : String(Character(scalar))
        if quoted.utf8.count + shown.utf8.count > limit { return quoted + "…" }
        quoted += shown
    }
    return quoted
}

/// The JSON escape of a hidden character: one for each of its units in UTF-16.
private func escape(_ scalar: Unicode.Scalar) -> String {
    UTF16.encode(scalar)!.map { "\\u" + $0.hexadecimal }.joined()
}

/// The most bytes of a peer's text that a message quotes.
package var quotationBytes: Int { 120 }
