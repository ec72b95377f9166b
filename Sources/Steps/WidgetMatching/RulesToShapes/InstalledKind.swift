internal import Basics
internal import EventPatterns

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
        patterns = (rule?.fields ?? []).flatMap(\.tests).flatMap(\.parts).compactMap { test in
            switch test {
            case .text(.wildcard, .parameter(let name)):
                PatternParameter(name: Array(name.utf8), isRegexp: false)
            case .text(.regexp, .parameter(let name)):
                PatternParameter(name: Array(name.utf8), isRegexp: true)
            default: nil
            }
        }
    }
}

/// A parameter whose values are patterns.
struct PatternParameter {
    let name: [UInt8]
    let isRegexp: Bool
}
