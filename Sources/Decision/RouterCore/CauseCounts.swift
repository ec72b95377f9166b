package import ReloadModel

/// A count for each cause of a reload.
package struct CauseCounts: Equatable, Sendable {
    private var counts = SIMD8<UInt64>()

    package init() {}

    package subscript(cause: ReloadCause) -> UInt64 {
        get { counts[Int(cause.storedNumber)] }
        set { counts[Int(cause.storedNumber)] = newValue }
    }
}
