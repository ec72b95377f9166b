package import Basics

/// A counter for each cause of a reload.
package struct CauseCounts: Equatable, Sendable {
    private var counts = SIMD8<UInt64>()

    /// All counters start at 0.
    package init() {}

    /// The counter of one cause.
    package subscript(cause: ReloadCause) -> UInt64 {
        get { counts[Int(cause.storedNumber)] }
        set { counts[Int(cause.storedNumber)] = newValue }
    }
}
