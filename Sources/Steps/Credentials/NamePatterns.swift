package import Basics

/// The names of producers or devices for which a credential is good: whole names, and beginnings of
/// names, written with a `*` after them.
///
///     ["shard-*", "cms"]      shard-1 yes      shard- yes      cms yes      cms-2 no
package struct NamePatterns: Equatable, Sendable {
    /// The names that are allowed by themselves.
    private var names: Set<[UInt8]> = []
    /// The beginnings of allowed names.
    private var prefixes: [[UInt8]] = []

    /// The pattern `*`, which all names match.
    package static let all = NamePatterns(prefixes: [[]])

    /// The most patterns of one credential.
    package static var limit: Int { 256 }

    private init(prefixes: [[UInt8]]) { self.prefixes = prefixes }

    /// Makes patterns of their texts.
    ///
    /// - Throws: `NamePatternProblem`, if one of them is empty or has a `*` before its end.
    package init(_ patterns: [String]) throws(NamePatternProblem) {
        for pattern in patterns {
            var bytes = Array(pattern.utf8)
            if bytes.isEmpty { throw NamePatternProblem(pattern: pattern, reason: "it is empty") }
            let isPrefix = bytes.last == UInt8(ascii: "*")
            if isPrefix { bytes.removeLast() }
            if bytes.contains(UInt8(ascii: "*")) {
                throw NamePatternProblem(
                    pattern: pattern,
                    reason: "a * may stand only at the end, for any ending of a name"
                )
            }
            if isPrefix { prefixes.append(bytes) } else { names.insert(bytes) }
        }
    }

    /// The patterns as texts: whole names first.
    package var texts: [String] {
        let whole = names.map { String(decoding: $0, as: UTF8.self) }.sorted()
        return whole + prefixes.map { String(decoding: $0, as: UTF8.self) + "*" }.sorted()
    }

    /// Whether a name is one of the allowed ones.
    package func matches(_ name: [UInt8]) -> Bool {
        names.contains(name) || prefixes.contains { name.starts(with: $0) }
    }

    /// Whether a name is one of the allowed ones.
    package func matches(_ name: ByteView) -> Bool { isAll || matches(name.array) }

    /// Whether all names that match others match these, too.
    package func includes(_ others: NamePatterns) -> Bool {
        others.names.allSatisfy { matches($0) }
            && others.prefixes.allSatisfy { other in
                prefixes.contains { other.starts(with: $0) }
            }
    }

    /// Whether every name matches.
    package var isAll: Bool { prefixes.contains([]) }

    /// Whether only a single name matches.
    package var isSingle: Bool { prefixes.isEmpty && names.count == 1 }
}

/// Why a pattern of names cannot be used.
package struct NamePatternProblem: Error, Equatable, Sendable {
    /// The pattern.
    package let pattern: String
    /// What is wrong with it, as a clause.
    package let reason: String
}
