package import RouterCore
package import StrictJSON

/// A page of connections.
package struct ConnectionsBody: AdminBody {
    /// A connection, with what only the server knows of it.
    package struct Connection: Sendable {
        package var facts: ConnectionFacts
        /// The address; nil of a publisher whose pushes come over HTTP.
        package var peer: String?
        /// In ms since 1970.
        package var openedAt: Int64
        package var lastFrameAt: Int64
        package var inputBytes: UInt64
        package var outputBytes: UInt64
        /// Output that the system has not taken.
        package var unsentBytes: Int
        /// Whether it is not read from until it has taken its output.
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
    ///   - connections: by slot.
    ///   - next: behind which slot the next page begins; nil for none.
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
