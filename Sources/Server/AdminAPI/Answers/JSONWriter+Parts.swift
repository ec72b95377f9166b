package import Basics

extension JSONWriter {
    /// Writes how much an app file declares as the members `apps` and `kinds`.
    package mutating func members(of catalog: AppCatalog) {
        member("apps", value: catalog.apps.count)
        member("kinds", value: catalog.apps.reduce(0) { $0 + $1.kinds.count })
    }
}
