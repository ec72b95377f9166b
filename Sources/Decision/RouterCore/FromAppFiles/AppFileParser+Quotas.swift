internal import Basics

/// Reads the member `quotas` of an app.
extension AppFileParser {
    /// Reads the quotas that the app file states for an app; the others are nil.
    func quotas() throws(AppFileError) -> AppQuotas {
        var quotas = AppQuotas()
        try members { (name) throws(AppFileError) in
            guard let quota = Quota(rawValue: name) else {
                throw unknownMember(
                    known: "devices, widgets, storedBytes, producers and sessions"
                )
            }
            quotas[quota] = try number(in: 0...Self.highest(quota))
        }
        return quotas
    }

    /// The highest value of a quota: as much as all apps together can have.
    private static func highest(_ quota: Quota) -> Int {
        switch quota {
        case .devices: RouterLimits.devicesLimit
        case .widgets: RouterLimits.widgetsLimit
        case .storedBytes: RouterLimits.storedBytesLimit
        case .producers, .sessions: RouterLimits.connectionsLimit
        }
    }
}
