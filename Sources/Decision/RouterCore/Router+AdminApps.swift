internal import DataStructures
internal import FrameCodec
package import ReloadModel
internal import RouterMetrics
internal import WidgetMatching

/// What operators ask about apps and connections.
extension Router {
    /// An app's number.
    ///
    /// - Throws: `app-unknown` if the app file does not declare it.
    func declaredApp(_ name: String) throws(ProtocolError) -> AppID {
        guard let app = state.catalog.appsByName[Array(name.utf8)],
            state.catalog.apps[Int(app)].isDeclared
        else {
            throw ProtocolError(.appUnknown, "no app \(quotation(name)) is declared here")
        }
        return app
    }

    /// The apps that are declared, in the order in which they first were.
    package var appFacts: [AppFacts] {
        state.catalog.apps.indices.filter { state.catalog.apps[$0].isDeclared }.map {
            facts(ofApp: AppID($0))
        }
    }

    /// An app that is declared.
    ///
    /// - Throws: `app-unknown`.
    package func facts(ofApp name: String) throws(ProtocolError) -> AppFacts {
        facts(ofApp: try declaredApp(name))
    }

    private func facts(ofApp app: AppID) -> AppFacts {
        let counts = state.delivery.counts(of: app)
        return AppFacts(
            app: state.catalog.apps[Int(app)].declaration.app,
            isPaused: state.paused.has(app),
            kinds: state.catalog.apps[Int(app)].declaration.kinds.count,
            devices: counts.devices,
            widgets: counts.widgets,
            pushes: outbox.observer.appMetrics[Int(app)].pushes,
            reloads: outbox.observer.appMetrics[Int(app)].reloads,
            used: state.use(of: app),
            quotas: state.quotas(of: app)
        )
    }

    // MARK: - Connections

    /// Open connections, by slot.
    ///
    /// - Parameters:
    ///   - first: the slot to begin with.
    ///   - limit: the most to tell of.
    /// - Returns: them, and where the next ones begin, if there may be more.
    /// - Complexity: in proportion to the slots that are looked at.
    package func connections(
        from first: UInt32,
        limit: Int
    ) -> (found: [ConnectionFacts], next: UInt32?) {
        var found: [ConnectionFacts] = []
        var connection = first
        while connection < sessions.connections.end {
            let record = sessions.connections[connection]
            if record.isOpen {
                if found.count == limit { break }
                found.append(facts(of: connection))
            }
            connection += 1
        }
        return (found, connection < sessions.connections.end ? connection : nil)
    }

    private func facts(of connection: UInt32) -> ConnectionFacts {
        let record = sessions.connections[connection]
        let hasSession = record.session.phase.isEstablished
        let session = hasSession ? state.delivery.sessions[connection] : SessionRecord()
        let hasName = session.name != SessionRecord.none
        return ConnectionFacts(
            slot: connection,
            role: "\(record.session.phase)",
            app: hasSession ? state.catalog.apps[Int(session.app)].declaration.app : nil,
            name: session.role == .publisher
                ? state.producers.name(session.subject).string
                : hasName
                    ? state.delivery.names.view(session.name, Int(session.nameCount)).string : nil,
            lastFrameAt: record.lastFrameAt,
            frames: record.frames,
            unacknowledged: record.session.unacknowledged,
            devices: Int(session.deviceCount),
            isHeld: holds(connection)
        )
    }
}
