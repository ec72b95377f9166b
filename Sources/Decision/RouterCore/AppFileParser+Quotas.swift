internal import ReloadModel
internal import StrictJSON

/// What an app may have: the member `quotas`.
extension AppFileParser {
    func quotas(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> AppQuotas {
        var quotas = AppQuotas()
        try members(&reader, path) { (name, reader, path) throws(AppFileError) in
            guard let quota = Quota(rawValue: name) else {
                throw unknown(
                    reader,
                    path,
                    "devices, widgets, storedBytes, producers and sessions"
                )
            }
            quotas[quota] = try number(&reader, path, 0...Self.highest(quota))
        }
        return quotas
    }

    /// As much as all apps together can have.
    private static func highest(_ quota: Quota) -> Int {
        switch quota {
        case .devices: RouterLimits.devicesLimit
        case .widgets: RouterLimits.widgetsLimit
        case .storedBytes: RouterLimits.storedBytesLimit
        case .producers, .sessions: RouterLimits.connectionsLimit
        }
    }
}
