internal import ChangeDetection
internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import RouterMetrics
internal import WidgetMatching

extension ReloadState {
    mutating func install(_ declarations: AppCatalog, _ source: [UInt8], _ out: inout Outbox) {
        var reusable: [KindID] = []
        if missingKindNumbers(declarations) > 0 {
            reusable = reusableKinds(declarations).reversed()
        }
        catalog.source = source
        for index in catalog.apps.indices { catalog.apps[index].isDeclared = false }
        let formerlyDeclared = catalog.kinds.indices.filter { catalog.kinds[$0].isDeclared }
        for index in catalog.kinds.indices { catalog.kinds[index].isDeclared = false }
        var changes: [KindID: KindRules] = [:]
        var matched: [WidgetMatcher.App] = []
        fields.haveListsChanged = false
        for declaration in declarations.apps {
            let app = declare(declaration, &out)
            declareOrigins(of: declaration, app)
            let kinds = declaration.kinds.map { kind in
                WidgetMatcher.Kind(
                    kind: declare(kind, of: app, &changes, &reusable),
                    name: kind.kind,
                    rule: kind.rule
                )
            }
            matched.append(WidgetMatcher.App(app: app, kinds: kinds))
        }
        for kind in formerlyDeclared where !catalog.kinds[kind].isDeclared {
            withdraw(KindID(kind), &changes)
        }
        matcher.install(apps: matched)
        if fields.haveListsChanged {
            if checkpoint.phase == .writing { abandonCheckpoint() }
            fields.widgets.listsChanged()
        }
        adopt(changes, &out)
        forgetUndeclaredPauses(&out)
        findPausedOrigins()
        for connection in 0..<delivery.sessions.end {
            let record = delivery.sessions[connection]
            if record.role != nil && !catalog.apps[Int(record.app)].isDeclared {
                evict(
                    connection,
                    ProtocolError(.appUnknown, "the app is no longer in the app file"),
                    &out
                )
            }
        }
    }

    // MARK: - From a checkpoint

    /// Gives an app the next number; whether it is declared is for the app file to say.
    mutating func declareAgain(app name: ByteView, _ out: inout Outbox) {
        let app = AppDeclaration(app: name.string, kinds: [])
        catalog.appsByName[name.array] = AppID(catalog.apps.count)
        catalog.apps.append(Catalog.App(declaration: app, isDeclared: false, kindsByName: [:]))
        out.observer.appMetrics.reserve(catalog.apps.count)
    }

    mutating func declareAgain(kind name: ByteView, of app: AppID) {
        catalog.apps[Int(app)].kindsByName[name.array] = KindID(catalog.kinds.count)
        catalog.kinds.append(
            Catalog.Kind(
                app: app,
                name: delivery.names.store(name),
                nameCount: name.count,
                isDeclared: false,
                rules: KindRules(KindPolicy(), origin: 0, hasRate: false)
            )
        )
    }

    mutating func declareAgain(origin name: ByteView, of app: AppID) {
        addOrigin(Catalog.NameInApp(app: app, name: name.array), nil)
    }

    /// Kinds that the app file does not declare wait under WidgetKit's rules.
    mutating func restoreUndeclared() {
        for kind in catalog.kinds.indices where !catalog.kinds[kind].isDeclared {
            let origin = catalog.originsByName[
                Catalog.NameInApp(app: catalog.kinds[kind].app, name: [])
            ]!
            catalog.kinds[kind].rules = KindRules(KindPolicy(), origin: origin, hasRate: false)
        }
    }

    // MARK: - Declaring

    private mutating func declare(_ declaration: AppDeclaration, _ out: inout Outbox) -> AppID {
        if let app = catalog.appsByName[Array(declaration.app.utf8)] {
            catalog.apps[Int(app)].declaration = declaration
            catalog.apps[Int(app)].isDeclared = true
            return app
        }
        let app = AppID(catalog.apps.count)
        catalog.apps.append(
            Catalog.App(declaration: declaration, isDeclared: true, kindsByName: [:])
        )
        out.observer.appMetrics.reserve(catalog.apps.count)
        catalog.appsByName[Array(declaration.app.utf8)] = app
        return app
    }

    private mutating func declareOrigins(of declaration: AppDeclaration, _ app: AppID) {
        let unnamed = Catalog.NameInApp(app: app, name: [])
        if catalog.originsByName[unnamed] == nil { addOrigin(unnamed, nil) }
        for origin in declaration.origins {
            let key = Catalog.NameInApp(app: app, name: Array(origin.origin.utf8))
            if let known = catalog.originsByName[key] {
                origins[known].change(origin)
            } else {
                addOrigin(key, origin)
            }
        }
    }

    private mutating func addOrigin(_ key: Catalog.NameInApp, _ declaration: OriginDeclaration?) {
        // Not the seed of this run: the same arrivals are to have the same slots after a restart.
        let seed = key.name.withByteView { stableHash($0, seed: UInt64(key.app)) }
        let origin = Origin(declaration, seed: seed, hashKey: delivery.hashKey)
        catalog.originsByName[key] = origins.append(origin)
        catalog.originKeys.append(key)
    }

    private mutating func declare(
        _ declaration: KindDeclaration,
        of app: AppID,
        _ changes: inout [KindID: KindRules],
        _ reusable: inout [KindID]
    ) -> KindID {
        let policy = declaration.policy
        let key = Catalog.NameInApp(app: app, name: Array((policy.origin ?? "").utf8))
        let origin = catalog.originsByName[key]!
        let rules = KindRules(policy, origin: origin, hasRate: origins[origin].hasRate)
        let name = declaration.kind
        let kind: KindID
        if let known = catalog.apps[Int(app)].kindsByName[Array(name.utf8)] {
            kind = known
            catalog.kinds[Int(kind)].isDeclared = true
            let old = catalog.kinds[Int(kind)].rules
            if !rules.isSpread(like: old) || old.budget != rules.budget { changes[kind] = old }
            catalog.kinds[Int(kind)].rules = rules
        } else {
            let new = Catalog.Kind(
                app: app,
                name: name.withByteView { delivery.names.store($0) },
                nameCount: name.utf8.count,
                isDeclared: true,
                rules: rules
            )
            kind = insertKind(new, name, &reusable)
        }
        declareFields(kind, of: app, shows: policy.shows, carries: policy.carries)
        return kind
    }

    /// Takes back a kind that is no longer declared: its widgets stay, with what they are owed.
    ///
    /// What they show is forgotten, because pushes do not tell of it any more.
    private mutating func withdraw(_ kind: KindID, _ changes: inout [KindID: KindRules]) {
        let app = catalog.kinds[Int(kind)].app
        let origin = catalog.originsByName[Catalog.NameInApp(app: app, name: [])]!
        changes[kind] = catalog.kinds[Int(kind)].rules
        catalog.kinds[Int(kind)].rules = KindRules(KindPolicy(), origin: origin, hasRate: false)
        declareFields(kind, of: app, shows: [], carries: [])
    }

    mutating func declareFields(
        _ kind: KindID,
        of app: AppID,
        shows: [String],
        carries: [String]
    ) {
        if fields.catalog.declare(app: app, kind: kind, shows: shows, carries: carries) {
            fields.haveListsChanged = true
        }
    }

    /// Lets what waits of kinds whose spreading or budget has changed wait under the new rules.
    ///
    /// - Parameters:
    ///   - changes: the kinds, with the rules that they had.
    ///   - out: collects frames, timers and counts that result.
    private mutating func adopt(_ changes: [KindID: KindRules], _ out: inout Outbox) {
        if changes.isEmpty { return }
        for device in 0..<delivery.devices.end {
            var widget = delivery.devices[device].firstWidget
            while widget != WidgetRecord.none {
                if let old = changes[delivery.widgets[widget].kind] { adopt(widget, old, &out) }
                widget = delivery.widgets[widget].nextOfDevice
            }
        }
    }

    private mutating func adopt(_ widget: WidgetID, _ old: KindRules, _ out: inout Outbox) {
        if !rules(of: widget).isSpread(like: old) {
            respread(widget, formerOrigin: old.origin, &out)
            if delivery.widgets[widget].stage == .queued {
                delivery.setStage(widget, .idle)
                decide(widget, 0, &out)
            }
        }
        arm(widget, &out)
    }
}
