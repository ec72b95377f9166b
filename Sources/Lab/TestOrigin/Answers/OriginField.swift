/// A field that every resource of a pool has, and its value until a push changes it.
package struct OriginField: Equatable, Sendable {
    /// How the initial value is drawn, from the seed and the resource.
    package enum Initial: Equatable, Sendable {
        /// A number of this range.
        case number(ClosedRange<Int64>)
        /// One of these texts; there must be at least one text.
        case choice([String])
        /// `true` or `false`.
        case flag
    }

    /// The name of the member in the resource's JSON.
    package let name: String
    /// How the value is chosen that the field has until a push changes it.
    package let initial: Initial

    /// Makes a field.
    package init(_ name: String, initial: Initial) {
        self.name = name
        self.initial = initial
    }
}

/// Why a pool is invalid.
package enum OriginPoolError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name is empty, or has a slash.
    case name(String)
    /// There is a pool of this name already.
    case declaredTwice(String)
    /// The field has the name of the pool, of another field, or `revision`.
    case field(String)
    /// The field of this name is a choice without texts.
    case noChoice(String)
    /// There would be more than this many pools, or fields of the pool.
    case tooMany(limit: Int)

    /// The error as a sentence without a full stop.
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
