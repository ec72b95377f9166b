internal import DataStructures
internal import FrameCodec
package import ReloadModel

/// Publishers without a connection of their own: pushes that come over HTTP.
extension Router {
    /// Opens a slot for a publisher whose right to push was seen elsewhere; it says no HELLO.
    ///
    /// Everything else is as for any publisher: a session of the same producer is ended.
    ///
    /// - Parameters:
    ///   - connection: a slot that no open connection has.
    ///   - app: by name.
    ///   - producer: an identifier.
    ///   - now: the clocks of this turn.
    /// - Returns: the producer's last push.
    /// - Throws: `app-unknown`, `quota-exceeded` or `too-many-producers`; the slot is free then.
    package mutating func openPublisher(
        _ connection: UInt32,
        app: String,
        producer: String,
        now: Instant
    ) throws(ProtocolError) -> UInt64 {
        tick(now)
        let app = try declaredApp(app)
        try state.checkSession(.publisher, Array(producer.utf8), of: app, &outbox)
        sessions.begin(connection, at: now)
        do throws(ProtocolError) {
            return try enter(connection, .publisher, app, Array(producer.utf8)) ?? 0
        } catch {
            sessions.end(connection)
            sessions.connections[connection].isOpen = false
            throw error
        }
    }

    /// How many frames of a connection no ACK covers yet.
    package func unacknowledged(_ connection: UInt32) -> Int {
        sessions.connections[connection].session.unacknowledged
    }
}
