/// A number that a store draws once, for whatever must come out the same again after a restart, in
/// a replay of the journal and on a replica.
///
/// It is part of the store, and decisions may depend on it: today the fingerprints of a widget's
/// last field values, which are stored with the widget and decide whether a push changes what it
/// observes. No hash table uses it; that is what a `HashKey` is for.
@frozen
package struct DecisionSeed: Hashable, Sendable {
    package let rawValue: UInt64

    @inlinable
    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
