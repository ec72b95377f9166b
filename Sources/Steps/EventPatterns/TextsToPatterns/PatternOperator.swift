internal import Basics

/// The operators of patterns by the names in which they are written, and the names by which other
/// languages know them.
enum PatternOperator: String, CaseIterable {
    case prefix
    case suffix
    case equalsIgnoreCase = "equals-ignore-case"
    case wildcard
    case regexp
    case cidr
    case anythingBut = "anything-but"
    case numeric
    case exists
    case allOf = "all-of"

    /// The operators allowed within `anything-but`.
    static let negatable: [PatternOperator] = [
        .prefix, .suffix, .equalsIgnoreCase, .wildcard, .numeric,
    ]

    /// The operator on strings with this name; nil if it is not one.
    var text: TextOperator? { TextOperator(rawValue: rawValue) }

    /// The variant of a string operator that ignores case; nil if there is none.
    var textIgnoringCase: TextOperator? {
        switch self {
        case .prefix: .prefixIgnoringCase
        case .suffix: .suffixIgnoringCase
        default: nil
        }
    }

    /// The names of operators as a phrase: `a, b and c`.
    static func names(_ operators: [PatternOperator]) -> String {
        let names = operators.map(\.rawValue)
        guard let last = names.last, names.count > 1 else { return names.joined() }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }

    // MARK: - Likely mistakes

    /// What the author of an unknown name probably meant, as it should be written; nil if nothing
    /// is near.
    static func suggestion(for name: String) -> String? {
        let letters = Self.letters(name)
        if let other = otherForms[letters] { return other }
        return Spelling.nearest(to: name, among: allCases.lazy.map(\.rawValue))
            .map { "{\"\($0)\": …}" }
    }

    /// The letters of a name in lower case: spellings that differ in hyphens or capitals are the
    /// same.
    private static func letters(_ name: String) -> [UInt8] {
        name.utf8.compactMap { byte in
            switch byte {
            case 0x41...0x5a: byte + 0x20
            case 0x61...0x7a: byte
            default: nil
            }
        }
    }

    /// Names from other languages, reduced to letters, and what to write instead.
    private static let otherForms: [[UInt8]: String] = {
        let forms: [(form: String, names: [String])] = [
            ("{\"prefix\": …}", ["startswith", "beginswith", "hasprefix"]),
            ("{\"suffix\": …}", ["endswith", "hassuffix"]),
            (
                "{\"prefix\": {\"equals-ignore-case\": …}}",
                ["prefixignorecase", "prefixequalsignorecase"]
            ),
            (
                "{\"suffix\": {\"equals-ignore-case\": …}}",
                ["suffixignorecase", "suffixequalsignorecase"]
            ),
            ("{\"equals-ignore-case\": …}", ["ignorecase", "caseinsensitive", "iequals"]),
            ("{\"wildcard\": …}", ["glob", "like", "matches"]),
            ("{\"wildcard\": \"*…*\"}", ["contains", "includes", "substring"]),
            ("{\"regexp\": …}", ["regex", "regularexpression", "pattern", "match"]),
            ("{\"cidr\": …}", ["ip", "ipaddress", "subnet", "iprange"]),
            (
                "{\"anything-but\": …}",
                ["not", "notequals", "notequal", "noneof", "nin", "notin", "except", "ne"]
            ),
            ("{\"numeric\": [\">\", …]}", ["gt", "greater", "greaterthan"]),
            ("{\"numeric\": [\">=\", …]}", ["gte", "min", "minimum"]),
            ("{\"numeric\": [\"<\", …]}", ["lt", "less", "lessthan"]),
            ("{\"numeric\": [\"<=\", …]}", ["lte", "max", "maximum"]),
            ("{\"numeric\": [\">=\", …, \"<\", …]}", ["range", "between", "number"]),
            ("{\"exists\": …}", ["present", "defined", "isset"]),
            ("{\"all-of\": […]}", ["and", "all", "every"]),
            ("the value in the list without an operator", ["equals", "equal", "eq", "is"]),
            ("the values in the list without an operator", ["in", "oneof", "anyof"]),
            ("{\"$or\": [{…}, {…}]} beside the fields", ["or", "either"]),
        ]
        var table: [[UInt8]: String] = [:]
        for (form, names) in forms {
            for name in names { table[Array(name.utf8)] = form }
        }
        return table
    }()
}
