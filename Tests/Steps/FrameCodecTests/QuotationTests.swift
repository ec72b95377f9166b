import Basics
import FrameCodec
import TestSupport
import Testing

@Suite("Text of others in messages")
struct QuotationTests {
    @Test func `A short text is quoted as it is`() {
        for text in ["", "com.mygame", "häß 😀", #"a "b" \c"#, String(repeating: "x", count: 120)] {
            #expect(quotation(text) == text)
        }
    }

    @Test func `A long text is cut between two characters`() {
        #expect(
            quotation(String(repeating: "x", count: 121)) == String(repeating: "x", count: 120)
                + "…"
        )
        #expect(
            quotation(String(repeating: "€", count: 90)) == String(repeating: "€", count: 40) + "…"
        )
        #expect(
            quotation("xx" + String(repeating: "😀", count: 90))
                == "xx" + String(repeating: "😀", count: 29) + "…"
        )
    }

    @Test func `What is not seen is written out`() {
        #expect(quotation("a\u{85}b\u{202e}c\n\u{7f}") == #"a\u0085b\u202ec\u000a\u007f"#)
        #expect(quotation("a\u{200b}\u{e0041}") == #"a\u200b\udb40\udc41"#)
        #expect(quotation(String(repeating: "\u{2066}", count: 100)).utf8.count <= 120 + 3)
    }

    @Test func `Any text at all gives a quotation that is short and observes everything`() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...200, using: &random) {
                let most: UInt32 = Bool.random(using: &random) ? 0x2070 : 0x10ffff
                text.unicodeScalars.append(
                    Unicode.Scalar(UInt32.random(in: 0...most, using: &random)) ?? "\u{85}"
                )
            }
            let quoted = quotation(text)
            #expect(quoted.utf8.count <= 120 + 3)
            #expect(!quoted.unicodeScalars.contains { $0.isHidden })
        }
    }
}

@Suite("Identifiers that look like what they are not")
struct HiddenCharacterTests {
    /// What is refused by the standard library's categories, which may know later characters than
    /// the table of the router does.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            scalar.properties.age.map { $0.major <= 15 } ?? false
        default: false
        }
    }

    private func isRefused(_ name: String, isStored: Bool = false) -> Bool {
        do throws(ProtocolError) {
            try checkIdentifier(name, of: "kind", isStored: isStored)
            return false
        } catch {
            return error.code == .identifierInvalid
        }
    }

    @Test func `Every character that is not seen is refused, and no other is`() {
        for value in UInt32(0)...0x10_ffff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let mustGo = Self.isHidden(scalar) || scalar == "\"" || scalar == "\\"
            #expect(isRefused("a\(Character(scalar))b") == mustGo, "U+\(String(value, radix: 16))")
        }
    }

    @Test func `A name that an older version has stored is taken`() {
        #expect(isRefused("a\u{85}") && !isRefused("a\u{85}", isStored: true))
        #expect(isRefused("a\u{202e}") && !isRefused("a\u{202e}", isStored: true))
        #expect(isRefused("a\n", isStored: true) && isRefused("", isStored: true))
    }
}
