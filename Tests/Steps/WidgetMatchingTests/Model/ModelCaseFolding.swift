/// Unicode simple case folding of the letters that the tests use, written out by hand.
enum ModelCaseFolding {
    private static let table: [Unicode.Scalar: Unicode.Scalar] = {
        var table: [Unicode.Scalar: Unicode.Scalar] = [
            "\u{212a}": "k",  // the Kelvin sign
            "\u{17f}": "s",  // the long s
            "\u{3a3}": "\u{3c3}", "\u{3c2}": "\u{3c3}",  // sigma: capital, and at a word's end
            "\u{c9}": "\u{e9}",  // É; é stays
            "\u{1e9e}": "\u{df}",  // the capital sharp s; ß stays (full folding would make it ss)
                // Neither İ nor ı has a simple folding: they stay, and are no i.
        ]
        for letter in 0x41...0x5a as ClosedRange<UInt32> {
            table[Unicode.Scalar(letter)!] = Unicode.Scalar(letter + 0x20)!
        }
        return table
    }()

    static func folded(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.map { table[$0] ?? $0 }
    }
}
