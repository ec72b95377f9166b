import Basics

@testable import WidgetMatching

/// What the matcher holds for its widgets and rules: all of it must come back.
struct MatcherUsage: Equatable {
    var keys: Int
    var values: Int
    var spaces: Int
    var shapes: Int
    var indexBytes: Int
    var configurationBytes: Int
    var attributes: Int
    var names: Int

    init(_ matcher: borrowing WidgetMatcher) {
        keys = matcher.index.keys.count
        values = matcher.index.values.count
        spaces = matcher.index.spaces.count
        shapes = matcher.index.shapes.count
        indexBytes = matcher.index.keys.usedByteCount + matcher.index.values.usedByteCount
        configurationBytes = matcher.index.configurations.usedByteCount
        attributes = matcher.index.vocabulary.attributeCount
        names = matcher.index.vocabulary.names.count
    }

    /// What an empty matcher has: the space of keys that are kinds.
    static var empty: MatcherUsage { MatcherUsage(WidgetMatcher(seed: 1)) }
}
