import Testing

@testable import Basics

/// Keeps the strings of documents.
private struct Keeper: JSONVisitor {
    var strings: [ByteView] = []
    mutating func key(_ key: ByteView) { strings.append(key) }
    mutating func string(_ value: ByteView) { strings.append(value) }
    mutating func number(_ text: ByteView) {}
    mutating func literal(_ literal: JSONLiteral) {}
    mutating func beginObject() {}
    mutating func endObject() {}
    mutating func beginArray() {}
    mutating func endArray() {}
}

@Suite struct CutTests {
    @Test(
        "A document cut at any offset is refused, and no byte after the cut is read",
        arguments: Corpus.valid + [
            Corpus.object(keys: Corpus.manyKeys(40)), Corpus.nested(depth: 32, arrays: true),
            Corpus.nested(depth: 32, arrays: false),
        ]
    )
    func cuts(document: String) {
        var harness = Harness()
        let bytes = Array(document.utf8)
        // White space at the end may be missing.
        let needed = 1 + (bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0)
        for length in 0..<needed {
            let cut = Array(bytes[..<length])
            let outcome = harness.scan(cut)
            let expected = ReferenceValidator.outcome(cut)
            #expect(!outcome.isAccepted, "cut at \(length)")
            #expect(outcome.code == expected.code, "cut at \(length)")
        }
        for length in needed...bytes.count {
            #expect(harness.scan(Array(bytes[..<length])).isAccepted)
        }
    }

    @Test("Strings a little longer in each document find room in the scratch that is there")
    func scratchGrows() throws {
        var scanner = JSONScanner()
        for length in stride(from: 60_000, to: 260_000, by: 1_000) {
            var keeper = Keeper()
            let text = String(repeating: "x", count: length)
            try Array("{\"k\":\"\\n\(text)\"}".utf8).withByteView { view in
                try scanner.scan(view, into: &keeper)
            }
            scanner.resetScratch()
        }
        #expect(scanner.scratch.chunks.count <= 3)
    }

    @Test("Documents keep their decoded strings until the scratch is reset")
    func scratchLives() throws {
        var scanner = JSONScanner()
        for _ in 0..<3 {
            var keeper = Keeper()
            var expected: [[UInt8]] = []
            var documents: [[UInt8]] = []
            // Longer and longer, far beyond one piece of scratch.
            for index in 0..<60 {
                let text = String(repeating: "é\\n", count: index * 150) + "\\u0041\(index)"
                let decoded = String(repeating: "é\n", count: index * 150) + "A\(index)"
                documents.append(Array("{\"k\\t\(index)\":\"\(text)\"}".utf8))
                expected += [Array("k\t\(index)".utf8), Array(decoded.utf8)]
            }
            // One memory for all, which does not move while the views live.
            let all = documents.flatMap { $0 }
            try all.withByteView { view in
                var start = 0
                for document in documents {
                    try scanner.scan(view.slice(start, to: start + document.count), into: &keeper)
                    start += document.count
                }
                #expect(keeper.strings.map(\.array) == expected)
            }
            scanner.resetScratch()
        }
    }
}
