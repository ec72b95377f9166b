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
    ///   - revision: the file's number, where there are several partitions.
    ///   - change: what the file changes, if its portions have been applied: then nothing of the
    ///     file is looked at, however many apps differ. The result is the same as without it.
    ///   - out: collects frames, timers and counts that result.
    mutating func install(
        _ declarations: AppCatalog,
        source: [UInt8],
        revision: UInt32 = 0,
        after change: CatalogChange? = nil,
        into out: inout Outbox
    ) {
        reloads.catalog.source = source
        reloads.catalog.revision = revision
        reloads.catalog.isChanging = false
        let others = reloads.catalog.appsWithOtherSettings
        reloads.catalog.appsWithOtherSettings = []
        if change == nil {
            let former = reloads.catalog.apps.ids.map { reloads.catalog.apnsSettings(of: $0) }
            installAll(declarations, into: &out)
            for app in reloads.catalog.apps.ids {
                reloads.catalog.compareSettings(
                    of: app,
                    with: app.index < former.count ? former[app.index] : nil
                )
            }
        }
        limitRefusedLines()
        if change?.hasKinds != false {
            patternLoads.rulesChanged(in: reloads.delivery, matcher: &matcher)
        }
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
        if reloads.catalog.missingKindNumbers(declarations, limit: limits.kindNumbers) > 0 {
            reusable = reloads.catalog.reusableKinds(declarations, matcher: matcher).reversed()
        }
        for app in reloads.catalog.apps.ids { reloads.catalog.setDeclared(false, app: app) }
        let formerlyDeclared = reloads.catalog.kinds.ids.filter {
            reloads.catalog.kinds[$0].isDeclared
        }
        for kind in formerlyDeclared { reloads.catalog.setDeclared(false, kind: kind) }
        var changes: [KindID: KindRules] = [:]
        var matched: [WidgetMatcher.App] = []
        reloads.fields.haveFieldsChanged = false
        for declaration in declarations.apps {
            let app = reloads.catalog.declare(
                declaration,
                in: &reloads.schedules,
                hashKey: reloads.delivery.hashKey,
                into: &out
            )
            matched.append(
                declareKinds(
                    of: declaration,
                    app: app,
                    changes: &changes,
                    reusing: &reusable,
                    into: &out
                )
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
        if reloads.catalog.isAdopting(anyOf: withdrawn) { finishAdoption(into: &out) }
        if reloads.catalog.isAdopting(anyOf: declared) { finishAdoption(into: &out) }
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
                reloads.catalog.compareSettings(of: app, with: former)
            }
            for kind in declaration.kinds {
                guard let number = reloads.catalog.apps[app].kindsByName[Array(kind.kind.utf8)],
                    reloads.catalog.kinds[number].isDeclared
                else { continue }
                reloads.catalog.setDeclared(false, kind: number)
                withdraw(number, changes: &changes)
                gone.append(number)
            }
        }
        var reusable: [KindID] = []
        var matched: [WidgetMatcher.App] = []
        for (index, declaration) in declared.apps.enumerated() {
            if declaration.kinds.isEmpty {
                let kinds = index < kinds.count ? kinds[index] : nil
                reloads.catalog.declareAlone(
                    declaration,
                    kinds: kinds,
                    in: &reloads.schedules,
                    hashKey: reloads.delivery.hashKey,
                    into: &out
                )
                continue
            }
            let app = reloads.catalog.number(ofApp: declaration.app, into: &out)
            reloads.catalog.declareOrigins(
                of: declaration,
                app: app,
                in: &reloads.schedules,
                hashKey: reloads.delivery.hashKey
            )
            matched.append(
                declareKinds(
                    of: declaration,
                    app: app,
                    changes: &changes,
                    reusing: &reusable,
                    into: &out
                )
            )
        }
        if matched.isEmpty && gone.isEmpty { return }
        matcher.change(installing: matched, removing: gone)
        kindsChanged(changes)
    }

    /// Applies the new rules and fields to the widgets of kinds whose former rules are `changes`.
    private mutating func kindsChanged(_ changes: [KindID: KindRules]) {
        if reloads.fields.haveFieldsChanged {
            if checkpoint.phase == .writing { abandonCheckpoint() }
            reloads.fields.widgets.listsChanged()
        }
        reloads.catalog.adoption.begin(changes.filter { matcher.index.widgetCount(of: $0.key) > 0 })
    }

    // MARK: - Declaring

    /// Declares the kinds of an app, and returns them as the matcher installs them.
    private mutating func declareKinds(
        of declaration: AppDeclaration,
        app: AppID,
        changes: inout [KindID: KindRules],
        reusing reusable: inout [KindID],
        into out: inout Outbox
    ) -> WidgetMatcher.App {
        let kinds = declaration.kinds.map { kind in
            WidgetMatcher.Kind(
                kind: declare(
                    kind,
                    of: app,
                    changes: &changes,
                    reusing: &reusable,
                    into: &out
                ),
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
        reusing reusable: inout [KindID],
        into out: inout Outbox
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
            let old = reloads.catalog.kinds[kind].rules
            if rules.areToBeAdopted(after: old) { changes[kind] = old }
            reloads.catalog.kinds[kind].rules = rules
        } else {
            let new = Catalog.Kind(
                app: app,
                name: name.withByteView { reloads.delivery.names.store($0) },
                nameCount: name.utf8.count,
                rules: rules
            )
            kind = reloads.catalog.insertKind(
                new,
                named: name,
                reusing: &reusable,
                limit: limits.kindNumbers,
                fields: &reloads.fields,
                names: &reloads.delivery.names
            )
            precondition(matcher.index.storedCost(of: kind) == 0, "kind \(kind) has widgets")
            out.observer.forgetCounts(of: kind)
        }
        reloads.catalog.setDeclared(true, kind: kind)
        reloads.fields.declare(kind, of: app, policy: policy, rule: declaration.rule)
        return kind
    }

    /// Withdraws a kind that is no longer declared: its widgets and their pending reloads stay.
    ///
    /// The values that its widgets display are forgotten, because pushes do not match them any
    /// more.
    private mutating func withdraw(_ kind: KindID, changes: inout [KindID: KindRules]) {
        let app = reloads.catalog.kinds[kind].app
        changes[kind] = reloads.catalog.kinds[kind].rules
        reloads.catalog.kinds[kind].rules = reloads.catalog.rulesOfUndeclared(app)
        reloads.fields.declare(kind, of: app, policy: KindPolicy(), rule: nil)
    }
}
