package import Basics

/// What a valid pattern says that its author can hardly have meant.
extension EventPattern {
    /// A sentence, without capital and full stop, for each such condition, in their order.
    package var hints: [String] {
        fields.flatMap { field in
            let path = field.path.map { quotation($0) }.joined(separator: ".")
            return field.tests.flatMap(\.hints).map { "\(path): \($0)" }
        }
    }

    /// The names of the members that the pattern looks for in the object itself; may repeat.
    package var memberNames: [String] { fields.map { $0.path[0] } }
}

extension PatternTest {
    fileprivate var hints: [String] {
        switch self {
        case .text(.regexp, .value(.string(let text))):
            text.withByteView(RegularExpression.hasAnchor)
                ? [
                    "in the regular expression \"\(quotation(text))\" ^ and $ are characters that the "
                        + "value must have, and no anchors (RFC 9485); an expression is compared with "
                        + "the whole value anyway, so leave them out, or write [$] and \\^ if they are "
                        + "meant"
                ] : []
        case .anythingBut(let tests) where tests.contains(.text(.wildcard, .value(.string("*")))):
            ["anything-but excludes the wildcard *, which is every string: no string passes it"]
        case .allOf(let tests), .anythingBut(let tests): tests.flatMap(\.hints)
        case .equals, .text, .numeric, .exists, .allOfParameter: []
        }
    }
}
