/// A random number that is drawn once, when a store is made, for everything that must come out the
/// same after a restart, in a replay of the journal and on a replica.
///
/// It is part of the store, and decisions may depend on it: today the fingerprints of a widget's
/// last field values, which are stored with the widget and decide whether a push changes what it
/// observes. Hash tables use a `HashKey` instead.
@frozen
package struct DecisionSeed: Hashable, Sendable {
    /// The 64 random bits, as the store contains them.
    package let rawValue: UInt64

    /// The seed with these bits, which were just drawn or read from a store.
    @inlinable
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
