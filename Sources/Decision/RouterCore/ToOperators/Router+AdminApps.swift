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

    /// What there is to see of the session of a connection, without what its front knows; nothing
    /// for `none`.
    func view(ofSessionOn connection: ConnectionSlot) -> ConnectionView {
        var view = ConnectionView(
            slot: connection,
            role: "",
            lastFrameAt: .zero,
            frames: 0,
            unacknowledged: 0,
            devices: 0,
            isPaused: false
        )
        if connection.isNone { return view }
        let session = state.reloads.delivery.sessions[connection]
        view.app = state.reloads.catalog.apps[session.app].declaration.app
        view.name = peerName(ofSessionOn: connection).map { String(decoding: $0, as: UTF8.self) }
        view.devices = Int(session.deviceCount)
        return view
    }
}
