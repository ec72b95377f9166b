package import RouterCore
package import StrictJSON

/// A page of the list of connections.
package struct ConnectionsBody: AdminBody {
    /// A connection: the router's view of it, and what only the server knows.
    package struct Connection: Sendable {
        package var facts: ConnectionFacts
        /// The peer's address; nil for a publisher over HTTP.
        package var peer: String?
        /// When it was opened, in ms since 1970.
        package var openedAt: Int64
        /// When its last frame arrived, in ms since 1970.
        package var lastFrameAt: Int64
        /// Bytes of frames that the router has consumed.
        package var inputBytes: UInt64
        /// Bytes of output so far, sent or still waiting.
        package var outputBytes: UInt64
        /// Bytes of output that the system has not accepted yet.
        package var unsentBytes: Int
        /// True if it is paused until its peer has read enough output.
        package var isFull: Bool

        package init(
            facts: ConnectionFacts,
            peer: String?,
            openedAt: Int64,
            lastFrameAt: Int64,
            inputBytes: UInt64,
            outputBytes: UInt64,
            unsentBytes: Int,
            isFull: Bool
        ) {
            self.facts = facts
            self.peer = peer
            self.openedAt = openedAt
            self.lastFrameAt = lastFrameAt
            self.inputBytes = inputBytes
            self.outputBytes = outputBytes
            self.unsentBytes = unsentBytes
            self.isFull = isFull
        }
    }

    private let connections: [Connection]
    private let next: UInt32?

    /// - Parameters:
    ///   - connections: in the order of their slots.
    ///   - next: the slot after which the next page begins; nil if this is the last page.
    package init(_ connections: [Connection], next: UInt32?) {
        self.connections = connections
        self.next = next
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("connections", of: connections) { connection, json in
            let facts = connection.facts
            json.beginObject()
            json.member("slot", facts.slot)
            json.member("peer", connection.peer)
            json.member("role", facts.role)
            json.member("app", facts.app)
            json.member("name", facts.name)
            json.member("openedAt", connection.openedAt)
            json.member("lastFrameAt", connection.lastFrameAt)
            json.member("inputBytes", connection.inputBytes)
            json.member("outputBytes", connection.outputBytes)
            json.member("unsentBytes", connection.unsentBytes)
            json.member("frames", facts.frames)
            json.member("unacknowledged", facts.unacknowledged)
            json.member("devices", facts.devices)
            json.member("isHeld", facts.isHeld)
            json.member("isFull", connection.isFull)
            json.endObject()
        }
        json.member("next", next)
        json.endObject()
    }
}
