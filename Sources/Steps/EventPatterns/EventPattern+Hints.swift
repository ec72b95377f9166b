package import Basics

/// What a valid pattern says that its author can hardly have meant.
extension EventPattern {
    /// A sentence, without capital and full stop, for each such condition, in their order.
    package var hints: [String] {
        conditions.flatMap { condition -> [String] in
            switch condition {
            case .field(let name, let tests):
                tests.flatMap(\.hints).map { "\(quotation(name)): \($0)" }
            case .nested(let name, let pattern):
                pattern.hints.map { "\(quotation(name)).\($0)" }
            case .anyOf(let patterns): patterns.flatMap(\.hints)
            }
        }
    }

    /// The names of the members that the pattern looks for in the object itself.
    package var memberNames: [String] {
        conditions.flatMap { condition -> [String] in
            switch condition {
            case .field(let name, _), .nested(let name, _): [name]
            case .anyOf(let patterns): patterns.flatMap(\.memberNames)
            }
        }
    }
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
