package import Basics
internal import FrameCodec

/// Publishers without a connection of their own: their pushes come over HTTP.
extension Router {
    /// Opens a slot, which no open connection has, for a publisher that sends no HELLO, because its
    /// right to push was checked elsewhere. In all else it is a publisher that asks for outcomes:
    /// an older session of the same producer, whose name is a valid identifier, is ended. Returns
    /// the sequence number of the producer's last accepted push; 0 for none.
    ///
    /// - Throws: `app-unknown`, `quota-exceeded` or `too-many-producers`; then the slot is free.
    package mutating func openPublisher(
        _ connection: ConnectionSlot,
        app: String,
        producer: String,
        now: Instant
    ) throws(ProtocolError) -> UInt64 {
        tick(now)
        let app = try declaredApp(app)
        try state.checkSession(.publisher, named: Array(producer.utf8), of: app, into: &outbox)
        sessions.begin(connection, at: now)
        do throws(ProtocolError) {
            let name = Array(producer.utf8)
            let lastSeq = try enter(connection, as: .publisher, of: app, named: name) ?? 0
            sessions.connections[connection].wantsOutcomes = true
            sessions.connections[connection].wantsDuplicates = true
            sessions.connections[connection].session.allowRepeats()
            return lastSeq
        } catch {
            sessions.end(connection)
            sessions.connections[connection].isOpen = false
            throw error
        }
    }

    /// Sets whether the following pushes of a publisher that `openPublisher` has opened get an
    /// OUTCOME each, or those alone that have come before.
    ///
    /// An OUTCOME costs as much as a hundred frames, and says more than a publisher over HTTP
    /// learns.
    package mutating func reportOutcomes(_ areWanted: Bool, on connection: ConnectionSlot) {
        sessions.connections[connection].wantsOutcomes = areWanted
    }

    /// The names of kinds that an app does not declare, among those to which pushes are narrowed
    /// (as `KindNames` has them): the first 8 of the first 64 names; none if the app is not known.
    package func undeclaredKinds(_ kinds: [UInt8], of app: String) -> [String] {
        guard let app = state.reloads.catalog.appsByName[Array(app.utf8)] else { return [] }
        return kinds.withByteView { bytes in
            var (unknown, count): ([String], Int) = ([], 0)
            KindNames(bytes)?.visit { name in
                count += 1
                if count > 64 || unknown.count == 8 { return }
                let kind = state.reloads.catalog.apps[app].kindsByName[name.array]
                if let kind, state.reloads.catalog.kinds[kind].isDeclared { return }
                unknown.append(name.string)
            }
            return unknown
        }
    }

    /// The number of frames of a connection that no ACK has covered yet.
    package func unacknowledged(_ connection: ConnectionSlot) -> Int {
        sessions.connections[connection].session.unacknowledged
    }
}
