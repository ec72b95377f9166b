/// A resource of which an app may have a limited amount; raw values are the names in app files,
/// error messages and metrics.
package enum Quota: String, CaseIterable, Sendable {
    case devices
    case widgets
    /// The memory of the app's devices and widgets, in bytes as `StoredCost` counts them.
    case storedBytes
    case producers
    case sessions
}

/// The quota of each resource; nil where only the limits of `RouterLimits` count.
///
/// Lowering a quota deletes nothing: existing devices and widgets stay, and further ones are
/// refused.
package struct AppQuotas: Equatable, Sendable {
    /// The most devices that are stored.
    package var devices: Int?
    /// The most widgets that are stored, of all the app's devices.
    package var widgets: Int?
    /// The most memory of the app's devices and widgets, in bytes as `StoredCost` counts them.
    package var storedBytes: Int?
    /// The most producers whose last push number is kept.
    package var producers: Int?
    /// The most sessions that are open at a time.
    package var sessions: Int?

    /// No quotas: all are nil.
    package init() {}

    /// The quota of a resource; nil if there is none.
    package subscript(quota: Quota) -> Int? {
        get {
            switch quota {
            case .devices: devices
            case .widgets: widgets
            case .storedBytes: storedBytes
            case .producers: producers
            case .sessions: sessions
            }
        }
        set {
            switch quota {
            case .devices: devices = newValue
            case .widgets: widgets = newValue
            case .storedBytes: storedBytes = newValue
            case .producers: producers = newValue
            case .sessions: sessions = newValue
            }
        }
    }

    /// These quotas; those that are nil come from `others`.
    package func filled(from others: AppQuotas) -> AppQuotas {
        var filled = self
        for quota in Quota.allCases { filled[quota] = self[quota] ?? others[quota] }
        return filled
    }

    /// The sum of both quotas of each resource; nil counts as 0 if the other one is a number.
    package func adding(_ others: AppQuotas) -> AppQuotas {
        var sum = self
        for quota in Quota.allCases {
            if let more = others[quota] { sum[quota] = (self[quota] ?? 0) + more }
        }
        return sum
    }
}
