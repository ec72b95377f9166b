internal import Basics
internal import ChangeDetection
internal import FrameCodec
internal import WidgetMatching

extension ReloadState {
    /// Installs an app file: declares its apps, kinds and origins, and withdraws what it no longer
    /// declares.
    ///
    /// Pending reloads and dates of kinds whose rules change continue under the new rules. Sessions
    /// of apps that are no longer declared are ended.
    ///
    /// - Parameters:
    ///   - declarations: the parsed file.
    ///   - source: the file as it was read; empty if there is none.
    ///   - change: what the file changes, if its portions have been applied: then nothing else is
    ///     looked at. The result is the same as without it.
    ///   - out: collects frames, timers and counts that result.
    mutating func install(
        _ declarations: AppCatalog,
        source: [UInt8],
        after change: CatalogChange? = nil,
        into out: inout Outbox
    ) {
        catalog.source = source
        catalog.isChanging = false
        // An app that the change does not name is declared as before.
        let names = change.map { $0.removedApps + $0.apps.map(\.app) }
        var formerSettings: [AppID: APNsSettings] = [:]
        for app in apps(named: names) { formerSettings[app] = apnsSettings(of: app) }
        if let change {
            for name in change.removedApps {
                guard let app = catalog.appsByName[Array(name.utf8)] else { continue }
                catalog.apps[app].isDeclared = false
            }
            for declaration in change.apps {
                let known = catalog.appsByName[Array(declaration.app.utf8)]
                let former = known.map { catalog.apps[$0].declaration.origins } ?? []
                let app = declare(declaration, into: &out)
                declareOrigins(of: declaration, app: app, former: former)
            }
        } else {
            installAll(declarations, into: &out)
        }
        catalog.declaredAppCount = catalog.apps.elements.count { $0.isDeclared }
        limitRefusedLines()
        if change?.portions.isEmpty != true { patternLoadsChanged() }
        let changed = apps(named: names).filter { app in
            let former = formerSettings[app]
            let settings = apnsSettings(of: app)
            return settings?.credential != former?.credential || settings?.bundle != former?.bundle
                || settings?.environments != former?.environments
        }
        settingsChanged(of: Set(changed), into: &out)
        forgetUndeclaredPauses(&out)
        findPausedOrigins()
        if change?.removedApps.isEmpty != true { evictUndeclared(into: &out) }
    }

    /// The apps of these names that are known; all for nil.
    private func apps(named names: [String]?) -> [AppID] {
        guard let names else { return Array(catalog.apps.ids) }
        return names.compactMap { catalog.appsByName[Array($0.utf8)] }
    }

    /// Ends the sessions of apps that are no longer declared.
    private mutating func evictUndeclared(into out: inout Outbox) {
        for connection in delivery.sessions.ids {
            let record = delivery.sessions[connection]
            if record.role != nil && !catalog.apps[record.app].isDeclared {
                evict(
                    connection,
                    with: ProtocolError(
                        .appUnknown,
                        message: "the app is no longer in the app file"
                    ),
                    into: &out
                )
            }
        }
    }

    /// Declares all apps and kinds of a file, and withdraws all others.
    private mutating func installAll(_ declarations: AppCatalog, into out: inout Outbox) {
        if changesAdopted(declarations) { finishAdoption(into: &out) }
        var reusable: [KindID] = []
        if missingKindNumbers(declarations) > 0 {
            reusable = reusableKinds(declarations).reversed()
        }
        for app in catalog.apps.ids { catalog.apps[app].isDeclared = false }
        let formerlyDeclared = catalog.kinds.ids.filter { catalog.kinds[$0].isDeclared }
        for kind in catalog.kinds.ids { catalog.kinds[kind].isDeclared = false }
        var changes: [KindID: KindRules] = [:]
        var matched: [WidgetMatcher.App] = []
        fields.haveFieldsChanged = false
        for declaration in declarations.apps {
            let former = catalog.appsByName[Array(declaration.app.utf8)].map {
                catalog.apps[$0].declaration.origins
            }
            let app = declare(declaration, into: &out)
            declareOrigins(of: declaration, app: app, former: former ?? [])
            let kinds = declaration.kinds.map { kind in
                WidgetMatcher.Kind(
                    kind: declare(kind, of: app, changes: &changes, reusing: &reusable),
                    name: kind.kind,
                    rule: kind.rule
                )
            }
            matched.append(WidgetMatcher.App(app: app, kinds: kinds))
        }
        for kind in formerlyDeclared where !catalog.kinds[kind].isDeclared {
            withdraw(kind, changes: &changes)
        }
        matcher.install(apps: matched)
        kindsChanged(changes)
    }

    /// Applies a portion of an app file, whose end is installed later: withdraws and declares
    /// kinds. An app that is new is declared only by the end.
    mutating func change(
        declaring declared: AppCatalog,
        withdrawing withdrawn: AppCatalog,
        into out: inout Outbox
    ) {
        catalog.isChanging = true
        finishAdoption(of: withdrawn, into: &out)
        finishAdoption(of: declared, into: &out)
        fields.haveFieldsChanged = false
        var changes: [KindID: KindRules] = [:]
        var gone: [KindID] = []
        for declaration in withdrawn.apps {
            guard let app = catalog.appsByName[Array(declaration.app.utf8)] else { continue }
            for kind in declaration.kinds {
                guard let number = catalog.apps[app].kindsByName[Array(kind.kind.utf8)],
                    catalog.kinds[number].isDeclared
                else { continue }
                catalog.kinds[number].isDeclared = false
                withdraw(number, changes: &changes)
                gone.append(number)
            }
        }
        var reusable: [KindID] = []
        var matched: [WidgetMatcher.App] = []
        for declaration in declared.apps {
            let known = catalog.appsByName[Array(declaration.app.utf8)]
            let app = known ?? add(AppDeclaration(app: declaration.app, kinds: []), into: &out)
            declareOrigins(
                of: declaration,
                app: app,
                former: catalog.apps[app].declaration.origins
            )
            let kinds = declaration.kinds.map { kind in
                WidgetMatcher.Kind(
                    kind: declare(kind, of: app, changes: &changes, reusing: &reusable),
                    name: kind.kind,
                    rule: kind.rule
                )
            }
            matched.append(WidgetMatcher.App(app: app, kinds: kinds))
        }
        matcher.change(installing: matched, removing: gone)
        kindsChanged(changes)
    }

    /// Applies the new rules and fields to the widgets of kinds whose former rules are `changes`.
    private mutating func kindsChanged(_ changes: [KindID: KindRules]) {
        if fields.haveFieldsChanged {
            if checkpoint.phase == .writing { abandonCheckpoint() }
            fields.widgets.listsChanged()
        }
        catalog.adoption.begin(changes.filter { matcher.index.widgetCount(of: $0.key) > 0 })
    }

    // MARK: - From a checkpoint

    /// Restores an app of a checkpoint: gives it the next number. The app file, which is installed
    /// later, decides whether it is declared.
    mutating func restoreDeclaration(app name: ByteView, into out: inout Outbox) {
        let app = AppDeclaration(app: name.string, kinds: [])
        catalog.appsByName[name.array] = catalog.apps.append(
            Catalog.App(declaration: app, isDeclared: false, kindsByName: [:])
        )
        out.observer.appMetrics.reserve(catalog.apps.count)
    }

    /// Restores a kind of a checkpoint: gives it the next number.
    mutating func restoreDeclaration(kind name: ByteView, of app: AppID) {
        catalog.apps[app].kindsByName[name.array] = catalog.kinds.append(
            Catalog.Kind(
                app: app,
                name: delivery.names.store(name),
                nameCount: name.count,
                isDeclared: false,
                rules: KindRules(KindPolicy(), origin: .first, hasRate: false)
            )
        )
    }

    /// Restores an origin of a checkpoint: gives it the next number.
    mutating func restoreDeclaration(origin name: ByteView, of app: AppID) {
        addOrigin(Catalog.NameInApp(app: app, name: name.array), declaration: nil)
    }

    /// Sets WidgetKit's rules for all kinds that the app file does not declare, at their app's
    /// unnamed origin.
    mutating func restoreUndeclared() {
        for kind in catalog.kinds.ids where !catalog.kinds[kind].isDeclared {
            let origin = catalog.originsByName[
                Catalog.NameInApp(app: catalog.kinds[kind].app, name: [])
            ]!
            catalog.kinds[kind].rules = KindRules(KindPolicy(), origin: origin, hasRate: false)
        }
    }

    // MARK: - Declaring

    private mutating func declare(_ declaration: AppDeclaration, into out: inout Outbox) -> AppID {
        if let app = catalog.appsByName[Array(declaration.app.utf8)] {
            catalog.apps[app].declaration = declaration
            catalog.apps[app].isDeclared = true
            return app
        }
        let app = add(declaration, into: &out)
        catalog.apps[app].isDeclared = true
        return app
    }

    /// Gives an app that is new the next number; it is not declared yet.
    private mutating func add(_ declaration: AppDeclaration, into out: inout Outbox) -> AppID {
        let app = catalog.apps.append(
            Catalog.App(declaration: declaration, isDeclared: false, kindsByName: [:])
        )
        out.observer.appMetrics.reserve(catalog.apps.count)
        catalog.appsByName[Array(declaration.app.utf8)] = app
        return app
    }

    /// Declares the origins of an app, of which `former` are declared now.
    private mutating func declareOrigins(
        of declaration: AppDeclaration,
        app: AppID,
        former: [OriginDeclaration]
    ) {
        let unnamed = Catalog.NameInApp(app: app, name: [])
        if catalog.originsByName[unnamed] == nil { addOrigin(unnamed, declaration: nil) }
        for origin in declaration.origins {
            let key = Catalog.NameInApp(app: app, name: Array(origin.origin.utf8))
            if let known = catalog.originsByName[key] {
                if former.contains(where: origin.isSame) { continue }
                origins[known].change(origin)
            } else {
                addOrigin(key, declaration: origin)
            }
        }
    }

    private mutating func addOrigin(_ key: Catalog.NameInApp, declaration: OriginDeclaration?) {
        // The seed is the same in every run, so that reloads leave the queue in the same order
        // after a restart.
        let seed = key.name.withByteView { stableHash($0, seed: UInt64(key.app.rawValue)) }
        let origin = Origin(declaration, seed: seed, hashKey: delivery.hashKey)
        catalog.originsByName[key] = origins.append(origin)
        catalog.originKeys.append(key)
    }

    private mutating func declare(
        _ declaration: KindDeclaration,
        of app: AppID,
        changes: inout [KindID: KindRules],
        reusing reusable: inout [KindID]
    ) -> KindID {
        let policy = declaration.policy
        let key = Catalog.NameInApp(app: app, name: Array((policy.origin ?? "").utf8))
        let origin = catalog.originsByName[key]!
        let rules = KindRules(policy, origin: origin, hasRate: origins[origin].hasRate)
        let name = declaration.kind
        let kind: KindID
        if let known = catalog.apps[app].kindsByName[Array(name.utf8)] {
            kind = known
            catalog.kinds[kind].isDeclared = true
            let old = catalog.kinds[kind].rules
            if rules.areToBeAdopted(after: old) { changes[kind] = old }
            catalog.kinds[kind].rules = rules
        } else {
            let new = Catalog.Kind(
                app: app,
                name: name.withByteView { delivery.names.store($0) },
                nameCount: name.utf8.count,
                isDeclared: true,
                rules: rules
            )
            kind = insertKind(new, named: name, reusing: &reusable)
        }
        declareFields(kind, of: app, policy: policy, rule: declaration.rule)
        return kind
    }

    /// Withdraws a kind that is no longer declared: its widgets and their pending reloads stay.
    ///
    /// The values that its widgets display are forgotten, because pushes do not match them any
    /// more.
    private mutating func withdraw(_ kind: KindID, changes: inout [KindID: KindRules]) {
        let app = catalog.kinds[kind].app
        let origin = catalog.originsByName[Catalog.NameInApp(app: app, name: [])]!
        changes[kind] = catalog.kinds[kind].rules
        catalog.kinds[kind].rules = KindRules(KindPolicy(), origin: origin, hasRate: false)
        declareFields(kind, of: app, policy: KindPolicy(), rule: nil)
    }

    /// Declares which fields of payloads a kind observes and inlines, and which make the key and
    /// the order of updates; sets `haveFieldsChanged` if they differ from the former ones.
    mutating func declareFields(
        _ kind: KindID,
        of app: AppID,
        policy: KindPolicy,
        rule: EventPattern?
    ) {
        let hasChanged = fields.catalog.declare(
            app: app,
            kind: kind,
            observes: policy.observes,
            inlines: policy.inlines,
            newest: policy.newest,
            keys: FieldCatalog.keys(of: rule)
        )
        if hasChanged { fields.haveFieldsChanged = true }
    }
}

extension OriginDeclaration {
    /// Whether another declaration is the same, by the bytes of its name.
    fileprivate func isSame(_ other: OriginDeclaration) -> Bool {
        other == self && other.origin.utf8.elementsEqual(origin.utf8)
    }
}
