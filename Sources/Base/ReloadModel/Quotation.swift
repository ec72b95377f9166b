extension Unicode.Scalar {
    /// Whether the character is one that a reader does not see and that changes what is seen around it:
    /// a control character (C0, DEL, C1), a line or paragraph separator, or one that turns the
    /// direction of writing.
    ///
    /// In a log or a terminal such a character could make a name look like another, or like a line that
    /// nobody has written.
    package var isHidden: Bool {
        switch value {
        case 0x00...0x1f, 0x7f...0x9f: true
        // Marks, separators, embeddings and overrides, isolates.
        case 0x61c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Text that somebody else has sent, as a message or a log may quote it: at most 120 bytes, cut between
/// two characters and with "…" then, and hidden characters written as JSON would, `\u202e`.
package func quotation(_ text: String) -> String {
    var quoted = ""
    for scalar in text.unicodeScalars {
        let shown =
            scalar.isHidden
            ? escape(scalar) : String(Character(scalar))
        if quoted.utf8.count + shown.utf8.count > quotationBytes { return quoted + "…" }
        quoted += shown
    }
    return quoted
}

/// All hidden characters are of the plane that four digits name.
private func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}

/// Bytes of what was sent that a message quotes at most.
package var quotationBytes: Int { 120 }
