extension Unicode.Scalar {
    /// Whether the character is invisible and changes how the text around it looks: a control
    /// character (C0, DEL, C1), a line or paragraph separator, or one that changes the direction of
    /// writing.
    ///
    /// In a log or a terminal, such a character could make a name look like another one, or forge a
    /// line.
    package var isHidden: Bool {
        switch value {
        case 0x00...0x1f, 0x7f...0x9f: true
        // Marks, separators, embeddings and overrides, isolates.
        case 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
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

/// The JSON escape of a hidden character; four digits suffice for all of them.
private func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}

/// The most bytes of a peer's text that a message quotes.
package var quotationBytes: Int { 120 }
