import EventPatterns
import Foundation
import TestSupport
import Testing

/// `protocol/vectors/patterns.json` and `protocol/patterns.md`, as far as the parser is concerned.
@Suite struct PatternVectorTests {
    private struct Vector: Decodable {
        let name: String
        let pattern: String
        let result: Outcome
        let path: String?
    }

    /// Whether the pattern matches the vector's event, or why that cannot be said.
    private enum Outcome: Decodable {
        case judged(Bool)
        case refused(String)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let result = try? value.decode(Bool.self) {
                self = .judged(result)
            } else {
                self = .refused(try value.decode(String.self))
            }
        }

        /// The code, if it is the pattern that is refused.
        var patternCode: String? {
            if case .refused(let code) = self, code.hasPrefix("pattern-") { code } else { nil }
        }
    }

    private static func vectors() throws -> [Vector] {
        try JSONDecoder().decode([Vector].self, from: ProtocolFiles.data("vectors/patterns.json"))
    }

    @Test("each pattern of the vectors is refused with the code and at the path they name, or read")
    func vectors() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count > 500)
        for vector in vectors {
            let error = refusal(vector.pattern)
            #expect(error?.code.rawValue == vector.result.patternCode, "\(vector.name)")
            #expect(error?.path == vector.path, "\(vector.name)")
        }
    }

    @Test("the vectors have every code but that of bytes that JSON files cannot hold")
    func codes() throws {
        let codes = Set(try Self.vectors().compactMap(\.result.patternCode))
        let all = Set(PatternError.Code.allCases.map(\.rawValue))
        #expect(all.subtracting(codes) == [PatternError.Code.notUTF8.rawValue])
    }

    @Test("the specification lists the codes, no more and no fewer")
    func specification() throws {
        let text = String(decoding: try ProtocolFiles.data("patterns.md"), as: UTF8.self)
        let listed = text.split(separator: "\n").compactMap { line in
            line.hasPrefix("| `pattern-") ? String(line.split(separator: "`")[1]) : nil
        }
        #expect(Set(listed) == Set(PatternError.Code.allCases.map(\.rawValue)))
        #expect(listed.count == PatternError.Code.allCases.count)
    }

    @Test("the specification states the limits")
    func limits() throws {
        let text = String(decoding: try ProtocolFiles.data("patterns.md"), as: UTF8.self)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }
        let limits: [(words: String, value: String)] = [
            ("levels of objects", "\(PatternLimits.depth)"),
            ("members, of the pattern", "\(PatternLimits.conditions)"),
            ("elements of a list", Self.grouped(PatternLimits.alternatives)),
            ("bytes of a wildcard", Self.grouped(PatternLimits.expressionBytes)),
            ("instructions of a", Self.grouped(PatternLimits.regexpInstructions)),
            ("bytes of a name", Self.grouped(PatternLimits.valueBytes)),
        ]
        for (words, value) in limits {
            let row = rows.first { $0.contains(words) }
            #expect(row?.hasSuffix("| \(value) |") == true, "\(words): \(row ?? "no row")")
        }
    }

    /// A number from 1,000 up to 999,999 as the specification writes it.
    private static func grouped(_ number: Int) -> String {
        let digits = String(number)
        return digits.dropLast(3) + "," + digits.suffix(3)
    }
}
