/// What an app may have only so much of, by the names that the app file, messages and metrics use.
package enum Quota: String, CaseIterable, Sendable {
    case devices
    case widgets
    /// Memory that its devices and widgets take: see `StoredCost`.
    case storedBytes
    case producers
    case sessions
}

/// How much of each an app may have; nil for as much as all apps together may.
///
/// A lower quota than before deletes nothing: what is there stays, and more is refused.
package struct AppQuotas: Equatable, Sendable {
    package var devices: Int?
    package var widgets: Int?
    package var storedBytes: Int?
    /// Producers whose last sequence number is kept.
    package var producers: Int?
    package var sessions: Int?

    package init() {}

    package subscript(quota: Quota) -> Int? {
        get { self[keyPath: Self.member(quota)] }
        set { self[keyPath: Self.member(quota)] = newValue }
    }

    /// These, and what they leave out from others.
    package func filled(from others: AppQuotas) -> AppQuotas {
        var filled = self
        for quota in Quota.allCases { filled[quota] = self[quota] ?? others[quota] }
        return filled
    }

    /// The sums of what both have.
    package func adding(_ others: AppQuotas) -> AppQuotas {
        var sum = self
        for quota in Quota.allCases {
            if let more = others[quota] { sum[quota] = (self[quota] ?? 0) + more }
        }
        return sum
    }

    private static func member(_ quota: Quota) -> WritableKeyPath<AppQuotas, Int?> {
        switch quota {
        case .devices: \.devices
        case .widgets: \.widgets
        case .storedBytes: \.storedBytes
        case .producers: \.producers
        case .sessions: \.sessions
        }
    }
}
