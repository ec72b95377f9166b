/// A field that every resource of a pool has, and what it is before a push says otherwise.
package struct OriginField: Equatable, Sendable {
    package enum Initial: Equatable, Sendable {
        case number(ClosedRange<Int64>)
        /// One of these, of which there is at least one.
        case choice([String])
        case flag
    }

    package let name: String
    package let initial: Initial

    package init(_ name: String, _ initial: Initial) {
        self.name = name
        self.initial = initial
    }
}

/// A pool that cannot be.
package enum OriginPoolError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Empty, or with a slash.
    case name(String)
    case declaredTwice(String)
    /// Named like the pool, `revision`, or another field.
    case field(String)
    case noChoice(String)
    case tooMany(limit: Int)

    package var description: String {
        switch self {
        case .name(let name): "'\(name)' cannot name a pool: it is empty or has a slash"
        case .declaredTwice(let name): "the pool '\(name)' is declared twice"
        case .field(let name): "the field '\(name)' has a name that is taken"
        case .noChoice(let name): "the field '\(name)' has nothing to choose from"
        case .tooMany(let limit): "a world has at most \(limit) pools, and a pool as many fields"
        }
    }
}
