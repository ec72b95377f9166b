/// A number that a store draws once, for what has to come out the same again: after a restart, in a
/// replay of the journal and on a replica.
///
/// It is part of the store, and decisions may depend on it: today the fingerprints of the field values
/// that a widget was last given, which are stored with it and say whether a push changes what it
/// observes. No table is built with it; that is what a `HashKey` is for.
@frozen
package struct DecisionSeed: Hashable, Sendable {
    package let rawValue: UInt64

    @inlinable
    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
