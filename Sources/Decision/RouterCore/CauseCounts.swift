package import ReloadModel

/// A count for each cause of a reload.
package struct CauseCounts: Equatable, Sendable {
    private var counts = SIMD8<UInt64>()

    package init() {}

    package subscript(cause: ReloadCause) -> UInt64 {
        get { counts[Self.place(of: cause)] }
        set { counts[Self.place(of: cause)] = newValue }
    }

    private static func place(of cause: ReloadCause) -> Int {
        switch cause {
        case .push: 0
        case .after: 1
        case .atEnd: 2
        case .request: 3
        case .visible: 4
        case .location: 5
        case .budget: 6
        case .download: 7
        }
    }
}
