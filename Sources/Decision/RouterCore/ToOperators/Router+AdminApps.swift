package import Basics
internal import FrameCodec
internal import WidgetMatching

/// Apps and connections, as operators see them.
extension Router {
    /// The number of a declared app.
    ///
    /// - Throws: `app-unknown` if the app file does not declare it.
    func declaredApp(_ name: String) throws(ProtocolError) -> AppID {
        guard let app = state.reloads.catalog.appsByName[Array(name.utf8)],
            state.reloads.catalog.apps[app].isDeclared
        else {
            throw ProtocolError(.appUnknown, message: "no app \(quotation(name)) is declared here")
        }
        return app
    }

    /// The declared apps, in the order in which they were first declared.
    package var appViews: [AppView] {
        state.reloads.catalog.apps.ids.filter { state.reloads.catalog.apps[$0].isDeclared }.map {
            view(ofApp: $0)
        }
    }

    /// The view of a declared app.
    ///
    /// - Throws: `app-unknown`.
    package func view(ofApp name: String) throws(ProtocolError) -> AppView {
        view(ofApp: try declaredApp(name))
    }

    private func view(ofApp app: AppID) -> AppView {
        let counts = state.reloads.delivery.counts(of: app)
        return AppView(
            app: state.reloads.catalog.apps[app].declaration.app,
            isPaused: state.reloads.schedules.paused.has(app),
            kinds: state.reloads.catalog.apps[app].declaration.kinds.count,
            devices: counts.devices,
            widgets: counts.widgets,
            pushes: outbox.observer.appMetrics[app].pushes,
            reloads: outbox.observer.appMetrics[app].reloads,
            used: state.use(of: app),
            quotas: state.reloads.catalog.quotas(of: app, defaults: limits.appQuotas)
        )
    }

    // MARK: - Connections

    /// The open connections, in the order of their slots.
    ///
    /// - Parameters:
    ///   - first: the slot to begin with.
    ///   - limit: the largest number of connections to return.
    /// - Returns: the connections, and the slot to begin the next call with; nil if there are no
    ///   more.
    /// - Complexity: proportional to the slots that are examined.
    package func connections(
        from first: ConnectionSlot,
        limit: Int
    ) -> (found: [ConnectionView], next: ConnectionSlot?) {
        var found: [ConnectionView] = []
        for connection in sessions.connections.ids.dropFirst(first.index) {
            let record = sessions.connections[connection]
            if record.isOpen {
                if found.count == limit { return (found, connection) }
                found.append(view(of: connection))
            }
        }
        return (found, nil)
    }

    private func view(of connection: ConnectionSlot) -> ConnectionView {
        let record = sessions.connections[connection]
        let hasSession = record.session.phase.isEstablished
        let session = hasSession ? state.reloads.delivery.sessions[connection] : SessionRecord()
        let hasName = session.name != ByteArena.none
        return ConnectionView(
            slot: connection,
            role: "\(record.session.phase)",
            app: hasSession ? state.reloads.catalog.apps[session.app].declaration.app : nil,
            name: session.role == .publisher
                ? state.publishers.producers.name(session.producer).string
                : hasName
                    ? unsafe state.reloads.delivery.names.view(
                        session.name,
                        count: Int(session.nameCount)
                    )
                    .string
                    : nil,
            lastFrameAt: record.lastFrameAt,
            frames: record.frames,
            unacknowledged: record.session.unacknowledged,
            devices: Int(session.deviceCount),
            isPaused: isPaused(connection)
        )
    }
}
