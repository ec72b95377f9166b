import ByteStorage
import ReloadModel

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
        keys = matcher.keys.count
        values = matcher.values.count
        spaces = matcher.spaces.count
        shapes = matcher.shapes.count
        indexBytes = matcher.keys.usedByteCount + matcher.values.usedByteCount
        configurationBytes = matcher.configurations.usedByteCount
        attributes = matcher.reader.vocabulary.attributeCount
        names = matcher.reader.vocabulary.names.count
    }

    /// What an empty matcher has: the space of keys that are kinds.
    static var empty: MatcherUsage { MatcherUsage(WidgetMatcher(seed: 1)) }
}
