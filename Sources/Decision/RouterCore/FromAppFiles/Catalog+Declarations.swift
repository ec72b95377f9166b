internal import Basics
internal import ReloadScheduling

/// Declaring the apps and origins of an app file, and what a checkpoint knows by number.
extension Catalog {
    /// Records whether an app's settings for APNs differ from former ones so that other devices may
    /// be reached, or by other tokens.
    mutating func compareSettings(of app: AppID, with former: APNsSettings?) {
        let settings = apnsSettings(of: app)
        if settings?.credential != former?.credential || settings?.bundle != former?.bundle
            || settings?.environments != former?.environments
        {
            appsWithOtherSettings.insert(app)
        }
    }

    /// Declares an app with its origins; its kinds are declared one by one.
    mutating func declare(
        _ declaration: AppDeclaration,
        in schedules: inout Schedules,
        hashKey: HashKey,
        into out: inout Outbox
    ) -> AppID {
        let app = number(ofApp: declaration.app, into: &out)
        declareOrigins(of: declaration, app: app, in: &schedules, hashKey: hashKey)
        let former = apps[app].declaration
        if !former.kinds.isEmpty { out.replacedDeclarations.append(former) }
        apps[app].declaration = declaration
        setDeclared(true, app: app)
        return app
    }

    /// The number of an app; one that is new gets the next, and is not declared yet.
    mutating func number(ofApp name: String, into out: inout Outbox) -> AppID {
        if let app = appsByName[Array(name.utf8)] { return app }
        let declaration = AppDeclaration(app: name, kinds: [])
        let app = apps.append(
            App(declaration: declaration, kindsByName: [:])
        )
        out.observer.appMetrics.grow(to: apps.count, repeating: AppCounts())
        appsByName[Array(name.utf8)] = app
        return app
    }

    /// Declares the origins of an app that are new or differ from those that are declared now.
    mutating func declareOrigins(
        of declaration: AppDeclaration,
        app: AppID,
        in schedules: inout Schedules,
        hashKey: HashKey
    ) {
        let former = apps[app].declaration.origins
        let unnamed = NameInApp(app: app, name: [])
        if originsByName[unnamed] == nil {
            addOrigin(unnamed, declaration: nil, in: &schedules, hashKey: hashKey)
        }
        for origin in declaration.origins {
            let key = NameInApp(app: app, name: Array(origin.origin.utf8))
            if let known = originsByName[key] {
                if former.contains(where: origin.isSame) { continue }
                schedules.origins[known].change(origin)
            } else {
                addOrigin(key, declaration: origin, in: &schedules, hashKey: hashKey)
            }
        }
    }

    private mutating func addOrigin(
        _ key: NameInApp,
        declaration: OriginDeclaration?,
        in schedules: inout Schedules,
        hashKey: HashKey
    ) {
        // The seed is the same in every run, so that reloads leave the queue in the same order
        // after a restart.
        let seed = key.name.withByteView { stableHash($0, seed: UInt64(key.app.rawValue)) }
        let origin = Origin(
            declaration,
            seed: seed,
            for: schedules.partition,
            hashKey: hashKey
        )
        originsByName[key] = schedules.origins.append(origin)
        originKeys.append(key)
    }

    /// Declares an app that stands for itself; nil for the kinds that it has.
    mutating func declareAlone(
        _ declaration: AppDeclaration,
        kinds newKinds: [KindDeclaration]?,
        in schedules: inout Schedules,
        hashKey: HashKey,
        into out: inout Outbox
    ) {
        let app = number(ofApp: declaration.app, into: &out)
        let former = apnsSettings(of: app)
        var declaration = declaration
        declaration.kinds = newKinds ?? apps[app].declaration.kinds
        _ = declare(declaration, in: &schedules, hashKey: hashKey, into: &out)
        compareSettings(of: app, with: former)
    }

    // MARK: - From a checkpoint

    /// Restores an app of a checkpoint: gives it the next number. The app file, which is installed
    /// later, decides whether it is declared.
    mutating func restoreDeclaration(app name: ByteView, into out: inout Outbox) {
        let app = AppDeclaration(app: name.string, kinds: [])
        appsByName[name.array] = apps.append(
            App(declaration: app, kindsByName: [:])
        )
        out.observer.appMetrics.grow(to: apps.count, repeating: AppCounts())
    }

    /// Restores a kind of a checkpoint: gives it the next number.
    mutating func restoreDeclaration(
        kind name: ByteView,
        of app: AppID,
        names: inout ByteArena
    ) {
        apps[app].kindsByName[name.array] = kinds.append(
            Kind(
                app: app,
                name: names.store(name),
                nameCount: name.count,
                rules: KindRules(KindPolicy(), origin: .first, hasRate: false)
            )
        )
    }

    /// Restores an origin of a checkpoint: gives it the next number.
    mutating func restoreDeclaration(
        origin name: ByteView,
        of app: AppID,
        in schedules: inout Schedules,
        hashKey: HashKey
    ) {
        let key = NameInApp(app: app, name: name.array)
        addOrigin(key, declaration: nil, in: &schedules, hashKey: hashKey)
    }

    /// Sets WidgetKit's rules for all kinds that the app file does not declare, at their app's
    /// unnamed origin.
    mutating func restoreUndeclared() {
        for kind in kinds.ids where !kinds[kind].isDeclared {
            let app = kinds[kind].app
            kinds[kind].rules = rulesOfUndeclared(app)
        }
    }

    /// WidgetKit's rules, at an app's unnamed origin.
    func rulesOfUndeclared(_ app: AppID) -> KindRules {
        let origin = originsByName[NameInApp(app: app, name: [])]!
        return KindRules(KindPolicy(), origin: origin, hasRate: false)
    }
}

extension OriginDeclaration {
    /// Whether another declaration is the same, by the bytes of its name.
    fileprivate func isSame(_ other: OriginDeclaration) -> Bool {
        other == self && other.origin.utf8.elementsEqual(origin.utf8)
    }
}
