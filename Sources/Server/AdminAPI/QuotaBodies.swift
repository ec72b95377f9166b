package import ReloadModel
package import StrictJSON

extension JSONWriter {
    /// Writes what an app has, and what it may have, as the members `used` and `quotas`.
    package mutating func members(used: AppQuotas, quotas: AppQuotas) {
        for (name, values) in [("used", used), ("quotas", quotas)] {
            key(name)
            beginObject()
            for quota in Quota.allCases {
                if let value = values[quota] { member(quota.rawValue, value) }
            }
            endObject()
        }
    }
}
