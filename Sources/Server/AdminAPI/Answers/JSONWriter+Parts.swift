package import Basics

/// Members that several answers have.
extension JSONWriter {
    /// An object member; `body` writes its members. Null for nil.
    mutating func object<Value>(
        _ name: String,
        of value: Value?,
        body: (Value, inout JSONWriter) -> Void
    ) {
        key(name)
        guard let value else { return null() }
        object { json in body(value, &json) }
    }

    /// A list member of objects; `body` writes the members of each.
    mutating func objects<Element>(
        _ name: String,
        of elements: [Element],
        body: (Element, inout JSONWriter) -> Void
    ) {
        list(name, of: elements) { element, json in
            json.object { json in body(element, &json) }
        }
    }

    /// Writes an app's usage and its quotas as the members `used` and `quotas`.
    mutating func members(used: AppQuotas, quotas: AppQuotas) {
        for (name, values) in [("used", used), ("quotas", quotas)] {
            object(name) { json in
                for quota in Quota.allCases {
                    if let value = values[quota] { json.member(quota.rawValue, value: value) }
                }
            }
        }
    }

    /// Writes how much an app file declares as the members `apps` and `kinds`.
    package mutating func members(of catalog: AppCatalog) {
        member("apps", value: catalog.apps.count)
        member("kinds", value: catalog.apps.reduce(0) { $0 + $1.kinds.count })
    }

    /// Writes a length of time as µs, with one decimal below 100 µs.
    mutating func member(_ name: String, microseconds length: Nanoseconds) {
        key(name)
        let number = length.rawValue
        if number < 100_000 {
            self.number(Double((number + 50) / 100) / 10)
        } else {
            integer((number + 500) / 1_000)
        }
    }
}
