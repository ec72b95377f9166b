import Basics
import EventPatterns
import TestSupport
import Testing

@Suite struct CaseFoldingTests {
    /// Every scalar there is.
    private static var scalars: some Sequence<Unicode.Scalar> {
        (UInt32(0)...0x10_ffff).lazy.compactMap { Unicode.Scalar($0) }
    }

    /// The folded text, written into a buffer of the size that is promised to be enough, and with
    /// a mark behind it that must stay.
    private func fold(_ text: [UInt8]) -> [UInt8] {
        let capacity = CaseFolding.capacity(text.count)
        return withUnsafeTemporaryAllocation(byteCount: capacity + 1, alignment: 8) { buffer in
            let base = buffer.baseAddress!
            buffer[capacity] = 0x5a
            let count = text.withByteView { CaseFolding.fold($0, into: base) }
            // More than a million times: an expectation costs far more than the folding.
            let isWithin = count <= capacity && buffer[capacity] == 0x5a
            if !isWithin { Issue.record("written beyond the buffer: \(text)") }
            return ByteView(base: base, count: count).array
        }
    }

    private func fold(_ text: String) -> String {
        String(decoding: fold(Array(text.utf8)), as: UTF8.self)
    }

    private func equals(_ left: String, _ right: String) -> Bool {
        left.withByteView { a in right.withByteView { CaseFolding.equals(a, and: $0) } }
    }

    private func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        text.withByteView { a in prefix.withByteView { CaseFolding.hasPrefix(a, prefix: $0) } }
    }

    private func hasSuffix(_ text: String, _ suffix: String) -> Bool {
        text.withByteView { a in suffix.withByteView { CaseFolding.hasSuffix(a, suffix: $0) } }
    }

    /// What a scalar is folded to by another way: the lower case of its upper case.
    ///
    /// In Unicode 15 the two differ for dotless i and for Cherokee, whose capitals came first.
    private func slowFold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x131, 0x13a0...0x13f5: scalar
        case 0x13f8...0x13fd: Unicode.Scalar(scalar.value - 8)!
        case 0xab70...0xabbf: Unicode.Scalar(scalar.value - 0xab70 + 0x13a0)!
        default:
            single(single(scalar, \.uppercaseMapping), \.lowercaseMapping)
        }
    }

    /// The mapped scalar, or the same one if it is mapped to several.
    private func single(
        _ scalar: Unicode.Scalar,
        _ mapping: KeyPath<Unicode.Scalar.Properties, String>
    ) -> Unicode.Scalar {
        let mapped = scalar.properties[keyPath: mapping].unicodeScalars
        return mapped.count == 1 ? mapped.first! : scalar
    }

    @Test("Every scalar of Unicode 15 is folded to the lower case of its upper case")
    func allScalars() {
        var folded = 0
        for scalar in Self.scalars {
            // The toolchain may know letters that the table does not.
            guard let age = scalar.properties.age, age.major <= 15 else { continue }
            let bytes = fold(Array(String(scalar).utf8))
            let expected = Array(String(slowFold(scalar)).utf8)
            if bytes != expected { Issue.record("U+\(String(scalar.value, radix: 16))") }
            if bytes != Array(String(scalar).utf8) { folded += 1 }
        }
        // As many as CaseFolding.txt has lines of status C and S.
        #expect(folded == 1_454)
    }

    @Test("No scalar grows by more than the capacity allows, and folding twice changes nothing")
    func growth() {
        var longest = 0
        for scalar in Self.scalars {
            let bytes = Array(String(scalar).utf8)
            let folded = fold(bytes)
            if 2 * folded.count > 3 * bytes.count { Issue.record("U+\(scalar.value)") }
            if folded != bytes, fold(folded) != folded { Issue.record("U+\(scalar.value) twice") }
            longest = max(longest, folded.count - bytes.count)
        }
        #expect(longest == 1)
        #expect(fold("ȺȺȺ") == "\u{2c65}\u{2c65}\u{2c65}")
    }

    @Test("Letters with a history are folded as CaseFolding.txt says")
    func specialLetters() {
        #expect(fold("\u{212a}elvin") == "kelvin")
        #expect(fold("ſ") == "s")
        #expect(fold("ΣΑΣ") == "σασ")
        #expect(fold("σας") == "σασ")
        #expect(fold("ẞ") == "ß")
        #expect(fold("ß") == "ß")
        #expect(fold("İIıi") == "İiıi")
        #expect(fold("\u{ab70}\u{13f8}\u{13a0}") == "\u{13a0}\u{13f0}\u{13a0}")
        #expect(fold("\u{b5}") == "\u{3bc}")
        #expect(fold("×÷") == "×÷")
        #expect(fold("\u{1f88}") == "\u{1f80}")
        #expect(fold("\u{10400}") == "\u{10428}")
        #expect(fold("日本語🙂") == "日本語🙂")
        #expect(fold("") == "")
    }

    @Test("ASCII is folded letter by letter, whatever stands beside it")
    func ascii() {
        let all = (UInt8(0)..<128).map { $0 }
        let expected = all.map { $0 >= 0x41 && $0 <= 0x5a ? $0 + 32 : $0 }
        for shift in 0..<9 {
            let padding = [UInt8](repeating: 0x2d, count: shift)
            #expect(fold(padding + all) == padding + expected)
        }
    }

    @Test("Texts are equal that differ in case, on either side")
    func equality() {
        for (left, right) in [
            ("", ""), ("a", "A"), ("Straße", "STRAẞE"), ("\u{212a}", "k"), ("ſ", "S"),
            ("abcdefghK", "ABCDEFGH\u{212a}"), ("Ⱥbcdefghij", "\u{2c65}BCDEFGHIJ"),
            ("ΟΔΟΣ", "οδος"), ("0123456789abcdefG", "0123456789ABCDEFg"),
        ] {
            #expect(equals(left, right) && equals(right, left), "\(left) and \(right)")
        }
        for (left, right) in [
            ("", "a"), ("a", "ab"), ("Straße", "STRASSE"), ("i", "İ"), ("i", "ı"), ("@", "`"),
            ("[", "{"), ("abcdefgh", "abcdefg@"), ("abcdefgh", "abcdefghi"),
        ] {
            #expect(!equals(left, right) && !equals(right, left), "\(left) and \(right)")
        }
    }

    @Test("Random texts compare as their folded forms")
    func againstFoldedForms() {
        let seed: UInt64 = 6_011
        var random = SeededGenerator(seed: seed)
        let letters = "a A b k K \u{212a} ſ s S Ⱥ \u{2c65} ß ẞ".split(separator: " ").map {
            String($0)
        }
        var found = 0
        for round in 0..<30_000 {
            let long = (0..<random.below(14)).map { _ in letters[random.below(13)] }
            let wanted = random.below(long.count + 1)
            let isPrefix = random.below(2) == 0
            let part = (isPrefix ? long.prefix(wanted) : long.suffix(wanted)).map { letter in
                let isChanged = random.below(12) == 0
                return isChanged ? letters[random.below(13)] : swappedCase(letter, &random)
            }
            let (text, other) = (long.joined(), part.joined())
            let (one, two) = (fold(Array(text.utf8)), fold(Array(other.utf8)))
            let context = "seed \(seed), round \(round): \(text) and \(other)"
            #expect(equals(text, other) == (one == two), "\(context)")
            #expect(hasPrefix(text, other) == one.starts(with: two), "\(context)")
            let ends = one.reversed().starts(with: two.reversed())
            #expect(hasSuffix(text, other) == ends, "\(context)")
            if ends && !two.isEmpty { found += 1 }
        }
        #expect(found > 3_000, "seed \(seed): the run finds too little to mean anything")
    }

    private func swappedCase(_ letter: String, _ random: inout SeededGenerator) -> String {
        let same = [["k", "K", "\u{212a}"], ["ſ", "s", "S"], ["Ⱥ", "\u{2c65}"], ["ß", "ẞ"]]
        guard let variants = same.first(where: { $0.contains(letter) }) else {
            return random.below(2) == 0 ? letter.uppercased() : letter.lowercased()
        }
        return variants[random.below(variants.count)]
    }
}
