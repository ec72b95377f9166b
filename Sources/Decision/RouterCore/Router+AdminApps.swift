internal import ByteStorage
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
        guard let app = appsByName[Array(name.utf8)], apps[Int(app)].isDeclared else {
            throw ProtocolError(.appUnknown, "no app \(quotation(name)) is declared here")
        }
        return app
    }

    /// The apps that are declared, in the order in which they first were.
    package var appFacts: [AppFacts] {
        apps.indices.filter { apps[$0].isDeclared }.map { facts(ofApp: AppID($0)) }
    }

    /// An app that is declared.
    ///
    /// - Throws: `app-unknown`.
    package func facts(ofApp name: String) throws(ProtocolError) -> AppFacts {
        facts(ofApp: try declaredApp(name))
    }

    private func facts(ofApp app: AppID) -> AppFacts {
        let counts = delivery.counts(of: app)
        return AppFacts(
            app: apps[Int(app)].declaration.app,
            isPaused: paused.has(app),
            kinds: apps[Int(app)].declaration.kinds.count,
            devices: counts.devices,
            widgets: counts.widgets,
            pushes: appMetrics[Int(app)].pushes,
            reloads: appMetrics[Int(app)].reloads,
            used: use(of: app),
            quotas: quotas(of: app)
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
        while connection < delivery.connections.end {
            let record = delivery.connections[connection]
            if record.isOpen {
                if found.count == limit { break }
                found.append(facts(of: connection))
            }
            connection += 1
        }
        return (found, connection < delivery.connections.end ? connection : nil)
    }

    private func facts(of connection: UInt32) -> ConnectionFacts {
        let record = delivery.connections[connection]
        let hasApp = record.session.phase.isEstablished
        let hasName = record.name != ConnectionRecord.none
        return ConnectionFacts(
            slot: connection,
            role: "\(record.session.phase)",
            app: hasApp ? apps[Int(record.app)].declaration.app : nil,
            name: record.session.phase == .publisher
                ? producers.name(record.subject).string
                : hasName ? delivery.names.view(record.name, Int(record.nameCount)).string : nil,
            lastFrameAt: record.lastFrameAt,
            frames: record.frames,
            unacknowledged: record.session.unacknowledged,
            devices: Int(record.deviceCount),
            isHeld: holds(connection)
        )
    }
}
