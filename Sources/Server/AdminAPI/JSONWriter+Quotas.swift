package import ReloadModel
package import StrictJSON

extension JSONWriter {
    /// Writes an app's usage and its quotas as the members `used` and `quotas`.
    package mutating func members(used: AppQuotas, quotas: AppQuotas) {
        for (name, values) in [("used", used), ("quotas", quotas)] {
            key(name)
            beginObject()
            for quota in Quota.allCases {
                if let value = values[quota] { member(quota.rawValue, value: value) }
            }
            endObject()
        }
    }
}
