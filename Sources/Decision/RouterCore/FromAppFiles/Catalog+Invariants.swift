internal import Basics

extension Catalog {
    /// Checks that apps and origins are found by their names, that declared apps and kinds
    /// are counted, that each kind has one name, in its own app, and an origin of that app, and
    /// that an adoption of rules begins at the first device.
    func checkInvariants() throws(InvariantViolation) {
        for app in apps.ids {
            let name = apps[app].declaration.app
            try checkInvariant(
                appsByName[Array(name.utf8)] == app,
                otherwise: "app \(app) is not found by its name, \(name)"
            )
        }
        for origin in originKeys.ids {
            try checkInvariant(
                originsByName[originKeys[origin]] == origin,
                otherwise: "origin \(origin) is not found by its name"
            )
        }
        try checkInvariant(
            appsByName.count == apps.count && originsByName.count == originKeys.count,
            otherwise: "\(appsByName.count) names are of \(apps.count) apps, "
                + "and \(originsByName.count) of \(originKeys.count) origins"
        )
        try checkInvariant(
            adoption.isActive || adoption.next == DeviceID(rawValue: 0),
            otherwise: "the next adoption of rules begins at device \(adoption.next)"
        )
        let declared = apps.elements.count { $0.isDeclared }
        try checkInvariant(
            declaredAppCount == declared,
            otherwise: "\(declaredAppCount) apps are counted of \(declared) that are declared"
        )
        let declaredKinds = kinds.elements.count { $0.isDeclared }
        try checkInvariant(
            declaredKindCount == declaredKinds,
            otherwise:
                "\(declaredKindCount) kinds are counted of \(declaredKinds) that are declared"
        )
        var named: Set<KindID> = []
        for app in apps.ids {
            for kind in apps[app].kindsByName.values {
                try checkInvariant(
                    kinds.has(kind) && kinds[kind].app == app
                        && named.insert(kind).inserted,
                    otherwise: "kind \(kind) has a name of app \(app), and another one"
                )
            }
        }
        try checkInvariant(
            named.count == kinds.count,
            otherwise: "\(named.count) of \(kinds.count) kinds are found by their names"
        )
        for kind in kinds.ids {
            let origin = kinds[kind].rules.origin
            try checkInvariant(
                originKeys.has(origin) && originKeys[origin].app == kinds[kind].app,
                otherwise: "kind \(kind) of app \(kinds[kind].app) has origin \(origin), "
                    + "which is not its app's"
            )
        }
    }
}
