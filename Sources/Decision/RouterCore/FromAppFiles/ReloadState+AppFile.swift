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
    ///   - change: what the file changes, if its portions have been applied: then nothing of the
    ///     file is looked at, however many apps differ. The result is the same as without it.
    ///   - out: collects frames, timers and counts that result.
    mutating func install(
        _ declarations: AppCatalog,
        source: [UInt8],
        after change: CatalogChange? = nil,
        into out: inout Outbox
    ) {
        reloads.catalog.source = source
        reloads.catalog.isChanging = false
        let others = reloads.catalog.appsWithOtherSettings
        reloads.catalog.appsWithOtherSettings = []
        if change == nil {
            let former = reloads.catalog.apps.ids.map { reloads.catalog.apnsSettings(of: $0) }
            installAll(declarations, into: &out)
            for app in reloads.catalog.apps.ids {
                compareSettings(of: app, with: app.index < former.count ? former[app.index] : nil)
            }
        }
        limitRefusedLines()
        if change?.hasKinds != false { patternLoadsChanged() }
        settingsChanged(of: reloads.catalog.appsWithOtherSettings, into: &out)
        reloads.catalog.appsWithOtherSettings = []
        // Not earlier: until now, pushes went by the former credentials.
        reloads.catalog.adoption.begin(
            others.filter { reloads.delivery.counts(of: $0).devices > 0 }
        )
        reloads.schedules.forgetUndeclaredPauses(in: reloads.catalog, into: &out)
        reloads.schedules.findPausedOrigins(in: reloads.catalog)
        if change?.removedApps.isEmpty != true { evictUndeclared(into: &out) }
    }

    /// Records whether an app's settings for APNs differ from former ones so that other devices may
    /// be reached, or by other tokens.
    private mutating func compareSettings(of app: AppID, with former: APNsSettings?) {
        let settings = reloads.catalog.apnsSettings(of: app)
        if settings?.credential != former?.credential || settings?.bundle != former?.bundle
            || settings?.environments != former?.environments
        {
            reloads.catalog.appsWithOtherSettings.insert(app)
        }
    }

    /// Ends the sessions of apps that are no longer declared.
    private mutating func evictUndeclared(into out: inout Outbox) {
        for connection in reloads.delivery.sessions.ids {
            let record = reloads.delivery.sessions[connection]
            if record.role != nil && !reloads.catalog.apps[record.app].isDeclared {
                let message = "the app is no longer in the app file"
                evict(connection, with: ProtocolError(.appUnknown, message: message), into: &out)
            }
        }
    }

    /// Declares all apps and kinds of a file, and withdraws all others.
    private mutating func installAll(_ declarations: AppCatalog, into out: inout Outbox) {
        if reloads.catalog.changesAdopted(declarations) { finishAdoption(into: &out) }
        var reusable: [KindID] = []
        if missingKindNumbers(declarations) > 0 {
            reusable = reusableKinds(declarations).reversed()
        }
        for app in reloads.catalog.apps.ids { reloads.catalog.setDeclared(false, app: app) }
        let formerlyDeclared = reloads.catalog.kinds.ids.filter {
            reloads.catalog.kinds[$0].isDeclared
        }
        for kind in reloads.catalog.kinds.ids { reloads.catalog.kinds[kind].isDeclared = false }
        var changes: [KindID: KindRules] = [:]
        var matched: [WidgetMatcher.App] = []
        reloads.fields.haveFieldsChanged = false
        for declaration in declarations.apps {
            let app = declare(declaration, into: &out)
            matched.append(
                declareKinds(of: declaration, app: app, changes: &changes, reusing: &reusable)
            )
        }
        for kind in formerlyDeclared where !reloads.catalog.kinds[kind].isDeclared {
            withdraw(kind, changes: &changes)
        }
        matcher.install(apps: matched)
        kindsChanged(changes)
    }

    /// Applies a portion of an app file, whose end is installed later: withdraws and declares kinds
    /// and apps, of which the latter are listed without kinds. `kinds` has those of each app of
    /// `declared`; none if only the end says them.
    mutating func change(
        declaring declared: AppCatalog,
        withdrawing withdrawn: AppCatalog,
        kinds: [[KindDeclaration]],
        into out: inout Outbox
    ) {
        reloads.catalog.isChanging = true
        finishAdoption(of: withdrawn, into: &out)
        finishAdoption(of: declared, into: &out)
        reloads.fields.haveFieldsChanged = false
        var changes: [KindID: KindRules] = [:]
        var gone: [KindID] = []
        for declaration in withdrawn.apps {
            guard let app = reloads.catalog.appsByName[Array(declaration.app.utf8)] else {
                continue
            }
            if declaration.kinds.isEmpty {
                let former = reloads.catalog.apnsSettings(of: app)
                reloads.catalog.setDeclared(false, app: app)
                compareSettings(of: app, with: former)
            }
            for kind in declaration.kinds {
                guard let number = reloads.catalog.apps[app].kindsByName[Array(kind.kind.utf8)],
                    reloads.catalog.kinds[number].isDeclared
                else { continue }
                reloads.catalog.kinds[number].isDeclared = false
                withdraw(number, changes: &changes)
                gone.append(number)
            }
        }
        var reusable: [KindID] = []
        var matched: [WidgetMatcher.App] = []
        for (index, declaration) in declared.apps.enumerated() {
            if declaration.kinds.isEmpty {
                let kinds = index < kinds.count ? kinds[index] : nil
                declareAlone(declaration, kinds: kinds, into: &out)
                continue
            }
            let app = number(ofApp: declaration.app, into: &out)
            declareOrigins(of: declaration, app: app)
            matched.append(
                declareKinds(of: declaration, app: app, changes: &changes, reusing: &reusable)
            )
        }
        if matched.isEmpty && gone.isEmpty { return }
        matcher.change(installing: matched, removing: gone)
        kindsChanged(changes)
    }

    /// Declares an app that stands for itself; nil for the kinds that it has.
    private mutating func declareAlone(
        _ declaration: AppDeclaration,
        kinds: [KindDeclaration]?,
        into out: inout Outbox
    ) {
        let app = number(ofApp: declaration.app, into: &out)
        let former = reloads.catalog.apnsSettings(of: app)
        var declaration = declaration
        declaration.kinds = kinds ?? reloads.catalog.apps[app].declaration.kinds
        _ = declare(declaration, into: &out)
        compareSettings(of: app, with: former)
    }

    /// Applies the new rules and fields to the widgets of kinds whose former rules are `changes`.
    private mutating func kindsChanged(_ changes: [KindID: KindRules]) {
        if reloads.fields.haveFieldsChanged {
            if checkpoint.phase == .writing { abandonCheckpoint() }
            reloads.fields.widgets.listsChanged()
        }
        reloads.catalog.adoption.begin(changes.filter { matcher.index.widgetCount(of: $0.key) > 0 })
    }

    // MARK: - From a checkpoint

    /// Restores an app of a checkpoint: gives it the next number. The app file, which is installed
    /// later, decides whether it is declared.
    mutating func restoreDeclaration(app name: ByteView, into out: inout Outbox) {
        let app = AppDeclaration(app: name.string, kinds: [])
        reloads.catalog.appsByName[name.array] = reloads.catalog.apps.append(
            Catalog.App(declaration: app, kindsByName: [:])
        )
        out.observer.appMetrics.grow(to: reloads.catalog.apps.count, repeating: AppCounts())
    }

    /// Restores a kind of a checkpoint: gives it the next number.
    mutating func restoreDeclaration(kind name: ByteView, of app: AppID) {
        reloads.catalog.apps[app].kindsByName[name.array] = reloads.catalog.kinds.append(
            Catalog.Kind(
                app: app,
                name: reloads.delivery.names.store(name),
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
        for kind in reloads.catalog.kinds.ids where !reloads.catalog.kinds[kind].isDeclared {
            let app = reloads.catalog.kinds[kind].app
            reloads.catalog.kinds[kind].rules = rulesOfUndeclared(app)
        }
    }

    /// WidgetKit's rules, at an app's unnamed origin.
    private func rulesOfUndeclared(_ app: AppID) -> KindRules {
        let origin = reloads.catalog.originsByName[Catalog.NameInApp(app: app, name: [])]!
        return KindRules(KindPolicy(), origin: origin, hasRate: false)
    }

    // MARK: - Declaring

    private mutating func declare(_ declaration: AppDeclaration, into out: inout Outbox) -> AppID {
        let app = number(ofApp: declaration.app, into: &out)
        declareOrigins(of: declaration, app: app)
        let former = reloads.catalog.apps[app].declaration
        if !former.kinds.isEmpty { out.replacedDeclarations.append(former) }
        reloads.catalog.apps[app].declaration = declaration
        reloads.catalog.setDeclared(true, app: app)
        return app
    }

    /// The number of an app; one that is new gets the next, and is not declared yet.
    private mutating func number(ofApp name: String, into out: inout Outbox) -> AppID {
        if let app = reloads.catalog.appsByName[Array(name.utf8)] { return app }
        let declaration = AppDeclaration(app: name, kinds: [])
        let app = reloads.catalog.apps.append(
            Catalog.App(declaration: declaration, kindsByName: [:])
        )
        out.observer.appMetrics.grow(to: reloads.catalog.apps.count, repeating: AppCounts())
        reloads.catalog.appsByName[Array(name.utf8)] = app
        return app
    }

    /// Declares the origins of an app that are new or differ from those that are declared now.
    private mutating func declareOrigins(of declaration: AppDeclaration, app: AppID) {
        let former = reloads.catalog.apps[app].declaration.origins
        let unnamed = Catalog.NameInApp(app: app, name: [])
        if reloads.catalog.originsByName[unnamed] == nil { addOrigin(unnamed, declaration: nil) }
        for origin in declaration.origins {
            let key = Catalog.NameInApp(app: app, name: Array(origin.origin.utf8))
            if let known = reloads.catalog.originsByName[key] {
                if former.contains(where: origin.isSame) { continue }
                reloads.schedules.origins[known].change(origin)
            } else {
                addOrigin(key, declaration: origin)
            }
        }
    }

    private mutating func addOrigin(_ key: Catalog.NameInApp, declaration: OriginDeclaration?) {
        // The seed is the same in every run, so that reloads leave the queue in the same order
        // after a restart.
        let seed = key.name.withByteView { stableHash($0, seed: UInt64(key.app.rawValue)) }
        let origin = Origin(declaration, seed: seed, hashKey: reloads.delivery.hashKey)
        reloads.catalog.originsByName[key] = reloads.schedules.origins.append(origin)
        reloads.catalog.originKeys.append(key)
    }

    /// Declares the kinds of an app, and returns them as the matcher installs them.
    private mutating func declareKinds(
        of declaration: AppDeclaration,
        app: AppID,
        changes: inout [KindID: KindRules],
        reusing reusable: inout [KindID]
    ) -> WidgetMatcher.App {
        let kinds = declaration.kinds.map { kind in
            WidgetMatcher.Kind(
                kind: declare(kind, of: app, changes: &changes, reusing: &reusable),
                name: kind.kind,
                rule: kind.rule
            )
        }
        return WidgetMatcher.App(app: app, kinds: kinds)
    }

    private mutating func declare(
        _ declaration: KindDeclaration,
        of app: AppID,
        changes: inout [KindID: KindRules],
        reusing reusable: inout [KindID]
    ) -> KindID {
        let policy = declaration.policy
        let key = Catalog.NameInApp(app: app, name: Array((policy.origin ?? "").utf8))
        let origin = reloads.catalog.originsByName[key]!
        let rules = KindRules(
            policy,
            origin: origin,
            hasRate: reloads.schedules.origins[origin].hasRate
        )
        let name = declaration.kind
        let kind: KindID
        if let known = reloads.catalog.apps[app].kindsByName[Array(name.utf8)] {
            kind = known
            reloads.catalog.kinds[kind].isDeclared = true
            let old = reloads.catalog.kinds[kind].rules
            if rules.areToBeAdopted(after: old) { changes[kind] = old }
            reloads.catalog.kinds[kind].rules = rules
        } else {
            let new = Catalog.Kind(
                app: app,
                name: name.withByteView { reloads.delivery.names.store($0) },
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
        let app = reloads.catalog.kinds[kind].app
        changes[kind] = reloads.catalog.kinds[kind].rules
        reloads.catalog.kinds[kind].rules = rulesOfUndeclared(app)
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
        let hasChanged = reloads.fields.catalog.declare(
            app: app,
            kind: kind,
            observes: policy.observes,
            inlines: policy.inlines,
            newest: policy.newest,
            keys: FieldCatalog.keys(of: rule)
        )
        if hasChanged { reloads.fields.haveFieldsChanged = true }
    }
}

extension OriginDeclaration {
    /// Whether another declaration is the same, by the bytes of its name.
    fileprivate func isSame(_ other: OriginDeclaration) -> Bool {
        other == self && other.origin.utf8.elementsEqual(origin.utf8)
    }
}
