internal import Basics

/// A kind that is installed, as `WidgetIndex` keeps it.
struct InstalledKind {
    var app: AppID
    var name: String
    /// Nil if the kind has no rule: each parameter of a widget must then equal the field of its
    /// name.
    var rule: EventPattern?
    /// The parameters that the rule uses as wildcards or regular expressions; one that it uses
    /// twice is there twice.
    let patterns: [PatternParameter]

    /// A kind; its rule is nil if it has none.
    init(app: AppID, name: String, rule: EventPattern?) {
        self.app = app
        self.name = name
        self.rule = rule
        patterns = rule?.patternParameters ?? []
    }
}

/// A parameter whose values are patterns.
struct PatternParameter {
    let name: [UInt8]
    let isRegexp: Bool
}

extension EventPattern {
    /// The parameters that are used as wildcards or regular expressions.
    fileprivate var patternParameters: [PatternParameter] {
        conditions.flatMap { condition in
            switch condition {
            case .field(_, let tests): tests.flatMap(\.patternParameters)
            case .nested(_, let inner): inner.patternParameters
            case .anyOf(let patterns): patterns.flatMap(\.patternParameters)
            }
        }
    }
}

extension PatternTest {
    fileprivate var patternParameters: [PatternParameter] {
        switch self {
        case .text(let name, .parameter(let parameter)) where name == .wildcard || name == .regexp:
            [PatternParameter(name: Array(parameter.utf8), isRegexp: name == .regexp)]
        case .anythingBut(let tests), .allOf(let tests): tests.flatMap(\.patternParameters)
        case .equals, .text, .numeric, .exists, .allOfParameter: []
        }
    }
}
