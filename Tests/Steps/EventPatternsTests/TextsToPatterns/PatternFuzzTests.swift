import Basics
import EventPatterns
import TestSupport
import Testing

/// Texts that nobody wrote: none may crash the parser, and what it accepts it must mean.
@Suite struct PatternFuzzTests {
    static let corpus = [
        #"{"event":["dragon",3e1,true,false,null],"place":{"region":["${configuration.region}"]}}"#,
        #"{"f":[{"prefix":"a"},{"suffix":{"equals-ignore-case":"b"}},{"equals-ignore-case":"c"}]}"#,
        #"{"f":[{"wildcard":"a*\\*b"},{"regexp":"[a-c]{1,3}|x"},{"cidr":"10.0.0.0/8"}]}"#,
        #"{"f":[{"anything-but":["a",1,null]}],"g":[{"anything-but":{"prefix":["a","b"]}}]}"#,
        #"{"f":[{"anything-but":{"suffix":{"equals-ignore-case":["a"]}}},{"exists":false}]}"#,
        #"{"n":[{"numeric":[">=",0,"<",1e2]},{"anything-but":{"numeric":["!=",5]}}]}"#,
        #"{"n":[{"numeric":["<","${configuration.a}",">",-0.5]}],"$or":[{"a":[1]},{"b":{"c":[2]}}]}"#,
        #"{"l":[{"all-of":["a",{"exists":true}]},{"all-of":"${configuration.tags}"}]}"#,
        #"{"\u0024or":[{"$or":[{"\u00e9\n":["\ud83d\ude00"]}]}]}"#,
    ]

    /// Pieces of the language, so that mutations stay near it.
    static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "{}", "[]", "null", "1", "-0", "\"a\"", "\"$or\":",
        "{\"prefix\":\"a\"}", "{\"numeric\":[\">\",1]}", "\"${configuration.x}\"",
        "{\"exists\":true}",
        "{\"anything-but\":", "{\"all-of\":", "\\", "*", "\\u0000", "\u{e9}",
    ].map { Array($0.utf8) }

    /// Says what the parser made of the bytes; a pattern must be what its canonical text means.
    private static func isConsistent(_ bytes: [UInt8]) -> Bool {
        let pattern: EventPattern
        do throws(PatternError) {
            pattern = try parse(bytes)
        } catch {
            return (0...bytes.count).contains(error.offset) && !error.message.isEmpty
        }
        do throws(PatternError) {
            let again = try parse(PatternPrinter.text(pattern))
            return again == pattern
        } catch {
            return false
        }
    }

    @Test("every pattern of the corpus is read, and means what its canonical text means")
    func corpusIsRead() {
        for text in Self.corpus {
            #expect(refusal(text) == nil, "\(text)")
            #expect(Self.isConsistent(Array(text.utf8)), "\(text)")
        }
    }

    @Test("a pattern that is cut at any byte is refused as JSON")
    func cuts() {
        for text in Self.corpus {
            let bytes = Array(text.utf8)
            for count in bytes.indices {
                let code: PatternError.Code?
                do throws(PatternError) {
                    _ = try parse(Array(bytes[..<count]))
                    code = nil
                } catch {
                    code = error.code
                }
                #expect(code == .notJSON || code == .notUTF8, "\(text) cut at \(count)")
            }
        }
    }

    @Test("a pattern with any one byte removed never crashes the parser")
    func removals() {
        for text in Self.corpus {
            for index in text.utf8.indices {
                var bytes = Array(text.utf8)
                bytes.remove(at: text.utf8.distance(from: text.utf8.startIndex, to: index))
                #expect(Self.isConsistent(bytes), "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    @Test(
        "mutated patterns are refused with a place, or mean what their text means",
        arguments: 1...UInt64(6)
    )
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var acceptedCount = 0
        for round in 0..<3_000 {
            var bytes = Array(Self.corpus[random.below(Self.corpus.count)].utf8)
            for _ in 0...random.below(3) { Self.mutate(&bytes, &random) }
            try #require(
                Self.isConsistent(bytes),
                "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))"
            )
            if (try? parse(bytes)) != nil { acceptedCount += 1 }
        }
        // Mutations that never leave a pattern, or always do, would test nothing.
        #expect((30...2_900).contains(acceptedCount), "seed \(seed): \(acceptedCount)")
    }

    @Test(
        "patterns with values exchanged are refused as patterns, or mean what their text means",
        arguments: 1...UInt64(6)
    )
    func exchanges(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let values = Self.corpus.map { text in Self.values(of: Array(text.utf8)) }
        var acceptedCount = 0
        for round in 0..<3_000 {
            let host = random.below(Self.corpus.count)
            let guest = random.below(Self.corpus.count)
            var bytes = Array(Self.corpus[host].utf8)
            let taken = values[guest][random.below(values[guest].count)]
            bytes.replaceSubrange(
                values[host][random.below(values[host].count)],
                with: Array(Self.corpus[guest].utf8)[taken]
            )
            let text = String(decoding: bytes, as: UTF8.self)
            try #require(Self.isConsistent(bytes), "seed \(seed), round \(round): \(text)")
            let code = refusal(text)?.code
            if code == nil { acceptedCount += 1 }
            // Values for values: the text stays JSON.
            #expect(code != .notJSON, "seed \(seed), round \(round): \(text)")
        }
        // Exchanges that never make a pattern, or always do, would test nothing.
        #expect((300...2_700).contains(acceptedCount), "seed \(seed): \(acceptedCount)")
    }

    /// Where the values within an object are, those within other values included.
    private static func values(of bytes: [UInt8]) -> [Range<Int>] {
        bytes.withByteView { view in
            var reader = JSONReader(view)
            var ranges: [Range<Int>] = []
            collect(&reader, &ranges)
            return ranges
        }
    }

    private static func collect(_ reader: inout JSONReader, _ ranges: inout [Range<Int>]) {
        let start = reader.offset
        switch reader.peek() {
        case .object:
            reader.enterObject()
            while reader.nextKey() != nil { collect(&reader, &ranges) }
        case .array:
            reader.enterArray()
            while reader.nextElement() { collect(&reader, &ranges) }
        case .string, .number, .true, .false, .null: reader.skipValue()
        }
        // The reader stands behind the value: the texts have no white space.
        if start > 0 { ranges.append(start..<reader.offset) }
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        if bytes.isEmpty { return }
        let at = random.below(bytes.count)
        switch random.below(6) {
        case 0: bytes[at] = UInt8(random.below(256))
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(contentsOf: pieces[random.below(pieces.count)], at: at)
        case 3: bytes[at] = UInt8(0x61 + random.below(26))
        case 4:
            let end = min(bytes.count, at + 1 + random.below(16))
            bytes.insert(contentsOf: bytes[at..<end], at: random.below(bytes.count))
        default: bytes.removeSubrange(at..<min(bytes.count, at + 1 + random.below(6)))
        }
    }
}
