internal import Basics
internal import ReloadScheduling

/// What app files say of APNs.
extension Catalog {
    /// The settings for APNs of an app; nil if it has none.
    func apnsSettings(of app: AppID) -> APNsSettings? {
        apps[app].isDeclared ? apps[app].declaration.apns : nil
    }

    /// Whether an app has settings for APNs. Devices of one that has lost them are not reached any
    /// more, though they have yet to adopt that (`RuleAdoption`).
    func hasAPNsSettings(_ app: AppID) -> Bool {
        apps[app].isDeclared && apps[app].declaration.apns != nil
    }

    /// The cap of an app's pushes to a device, as a policy of which nothing but the number matters.
    func pushPolicy(of app: AppID) -> BudgetPolicy {
        let cap = apnsSettings(of: app)?.pushesPerDay ?? 0
        var policy = BudgetPolicy()
        (policy.seldom, policy.daily, policy.often) = (cap, cap, cap)
        policy.learningPercent = 100
        policy.urgentPercent = 0
        return policy
    }
}
