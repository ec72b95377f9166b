internal import ByteStorage
internal import FrameCodec
internal import PayloadFields
package import ReloadModel
internal import ReloadScheduling
internal import RouterMetrics
internal import WidgetMatching

extension Router {
    /// Takes over a new app file: new rules and policies hold from now on.
    ///
    /// Apps, kinds and origins keep their numbers by name. Widgets of a kind that is no longer
    /// declared stay stored and match nothing; sessions of an app that is no longer declared are
    /// ended. What waits goes on under the new policies; of kinds that are no longer declared, under
    /// WidgetKit's.
    ///
    /// - Parameters:
    ///   - catalog: what the file says.
    ///   - source: the file, if there is a journal: that keeps it.
    /// - Precondition: there is no `problem(with: catalog)`.
    package mutating func install(_ catalog: AppCatalog, source: [UInt8] = []) {
        finishPushes()
        capture.record(apps: source)
        source.withByteView { commit(.catalogInstalled(catalog, source: $0)) }
    }

    mutating func install(_ catalog: AppCatalog, _ source: [UInt8]) {
        var reusable: [KindID] = []
        if missingKindNumbers(catalog) > 0 { reusable = reusableKinds(catalog).reversed() }
        appsSource = source
        for index in apps.indices { apps[index].isDeclared = false }
        let formerlyDeclared = kinds.indices.filter { kinds[$0].isDeclared }
        for index in kinds.indices { kinds[index].isDeclared = false }
        var changes: [KindID: KindRules] = [:]
        var matched: [WidgetMatcher.App] = []
        haveListsChanged = false
        for declaration in catalog.apps {
            let app = declare(declaration)
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
        for kind in formerlyDeclared where !kinds[kind].isDeclared {
            withdraw(KindID(kind), &changes)
        }
        matcher.install(apps: matched)
        if haveListsChanged {
            if checkpoint.phase == .writing { abandonCheckpoint() }
            widgetFields.listsChanged()
        }
        adopt(changes)
        forgetUndeclaredPauses()
        findPausedOrigins()
        for connection in 0..<delivery.connections.end {
            let record = delivery.connections[connection]
            let hasApp = record.isOpen && record.session.phase.isEstablished
            if hasApp && !apps[Int(record.app)].isDeclared {
                evict(
                    connection,
                    ProtocolError(.appUnknown, "the app is no longer in the app file")
                )
            }
        }
    }

    // MARK: - From a checkpoint

    /// Gives an app the next number; whether it is declared is for the app file to say.
    mutating func declareAgain(app name: ByteView) {
        let app = AppDeclaration(app: name.string, kinds: [])
        appsByName[name.array] = AppID(apps.count)
        apps.append(App(declaration: app, isDeclared: false, kindsByName: [:]))
        appMetrics.reserve(apps.count)
    }

    mutating func declareAgain(kind name: ByteView, of app: AppID) {
        apps[Int(app)].kindsByName[name.array] = KindID(kinds.count)
        kinds.append(
            Kind(
                app: app,
                name: delivery.names.store(name),
                nameCount: name.count,
                isDeclared: false,
                rules: KindRules(KindPolicy(), origin: 0, hasRate: false)
            )
        )
    }

    mutating func declareAgain(origin name: ByteView, of app: AppID) {
        addOrigin(NameInApp(app: app, name: name.array), nil)
    }

    /// Kinds that the app file does not declare wait under WidgetKit's rules.
    mutating func restoreUndeclared() {
        for kind in kinds.indices where !kinds[kind].isDeclared {
            let origin = originsByName[NameInApp(app: kinds[kind].app, name: [])]!
            kinds[kind].rules = KindRules(KindPolicy(), origin: origin, hasRate: false)
        }
    }

    // MARK: - Declaring

    private mutating func declare(_ declaration: AppDeclaration) -> AppID {
        if let app = appsByName[Array(declaration.app.utf8)] {
            apps[Int(app)].declaration = declaration
            apps[Int(app)].isDeclared = true
            return app
        }
        let app = AppID(apps.count)
        apps.append(App(declaration: declaration, isDeclared: true, kindsByName: [:]))
        appMetrics.reserve(apps.count)
        appsByName[Array(declaration.app.utf8)] = app
        return app
    }

    private mutating func declareOrigins(of declaration: AppDeclaration, _ app: AppID) {
        let unnamed = NameInApp(app: app, name: [])
        if originsByName[unnamed] == nil { addOrigin(unnamed, nil) }
        for origin in declaration.origins {
            let key = NameInApp(app: app, name: Array(origin.origin.utf8))
            if let known = originsByName[key] {
                origins[known].change(origin)
            } else {
                addOrigin(key, origin)
            }
        }
    }

    private mutating func addOrigin(_ key: NameInApp, _ declaration: OriginDeclaration?) {
        // Not the seed of this run: the same arrivals are to have the same slots after a restart.
        let seed = key.name.withByteView { stableHash($0, seed: UInt64(key.app)) }
        let origin = Origin(declaration, seed: seed, hashKey: delivery.hashKey)
        originsByName[key] = origins.append(origin)
        originKeys.append(key)
    }

    private mutating func declare(
        _ declaration: KindDeclaration,
        of app: AppID,
        _ changes: inout [KindID: KindRules],
        _ reusable: inout [KindID]
    ) -> KindID {
        let policy = declaration.policy
        let key = NameInApp(app: app, name: Array((policy.origin ?? "").utf8))
        let origin = originsByName[key]!
        let rules = KindRules(policy, origin: origin, hasRate: origins[origin].hasRate)
        let name = declaration.kind
        let kind: KindID
        if let known = apps[Int(app)].kindsByName[Array(name.utf8)] {
            kind = known
            kinds[Int(kind)].isDeclared = true
            let old = kinds[Int(kind)].rules
            if !rules.isSpread(like: old) || old.budget != rules.budget { changes[kind] = old }
            kinds[Int(kind)].rules = rules
        } else {
            let new = Kind(
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
        let app = kinds[Int(kind)].app
        let origin = originsByName[NameInApp(app: app, name: [])]!
        changes[kind] = kinds[Int(kind)].rules
        kinds[Int(kind)].rules = KindRules(KindPolicy(), origin: origin, hasRate: false)
        declareFields(kind, of: app, shows: [], carries: [])
    }

    mutating func declareFields(
        _ kind: KindID,
        of app: AppID,
        shows: [String],
        carries: [String]
    ) {
        if fieldCatalog.declare(app: app, kind: kind, shows: shows, carries: carries) {
            haveListsChanged = true
        }
    }

    /// Lets what waits of kinds whose spreading or budget has changed wait under the new rules.
    ///
    /// - Parameter changes: the kinds, with the rules that they had.
    private mutating func adopt(_ changes: [KindID: KindRules]) {
        if changes.isEmpty { return }
        for device in 0..<delivery.devices.end {
            var widget = delivery.devices[device].firstWidget
            while widget != WidgetRecord.none {
                if let old = changes[delivery.widgets[widget].kind] { adopt(widget, old) }
                widget = delivery.widgets[widget].nextOfDevice
            }
        }
    }

    private mutating func adopt(_ widget: WidgetID, _ old: KindRules) {
        if !rules(of: widget).isSpread(like: old) {
            respread(widget, formerOrigin: old.origin)
            if delivery.widgets[widget].stage == .queued {
                delivery.setStage(widget, .idle)
                decide(widget, 0)
            }
        }
        arm(widget)
    }
}
