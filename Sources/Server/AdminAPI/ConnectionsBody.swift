package import ReloadModel
package import RouterCore
package import StrictJSON
package import Times

/// A page of the list of connections.
package struct ConnectionsBody: AdminBody {
    /// A connection: the router's view of it, and what only the server knows.
    package struct Connection: Sendable {
        /// The router's view of the connection.
        package var view: ConnectionView
        /// The peer's address; nil for a publisher over HTTP.
        package var peer: String?
        /// When it was opened.
        package var openedAt: WallTime
        /// When its last frame arrived or it was opened, as a date; see
        /// `ConnectionView.lastFrameAt`.
        package var lastFrameAt: WallTime
        /// Bytes of frames that the router has consumed.
        package var inputBytes: UInt64
        /// Bytes of output so far, sent or still waiting.
        package var outputBytes: UInt64
        /// Bytes of output that the system has not accepted yet.
        package var unsentBytes: Int
        /// True if it is paused until its peer has read enough output.
        package var isFull: Bool

        /// Makes a connection from its parts.
        package init(
            view: ConnectionView,
            peer: String?,
            openedAt: WallTime,
            lastFrameAt: WallTime,
            inputBytes: UInt64,
            outputBytes: UInt64,
            unsentBytes: Int,
            isFull: Bool
        ) {
            self.view = view
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
    private let next: ConnectionSlot?

    /// - Parameters:
    ///   - connections: in the order of their slots.
    ///   - next: the slot after which the next page begins; nil if this is the last page.
    package init(_ connections: [Connection], next: ConnectionSlot?) {
        self.connections = connections
        self.next = next
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("connections", of: connections) { connection, json in
            let view = connection.view
            json.beginObject()
            json.member("slot", value: view.slot.rawValue)
            json.member("peer", value: connection.peer)
            json.member("role", value: view.role)
            json.member("app", value: view.app)
            json.member("name", value: view.name)
            json.member("openedAt", value: connection.openedAt)
            json.member("lastFrameAt", value: connection.lastFrameAt)
            json.member("inputBytes", value: connection.inputBytes)
            json.member("outputBytes", value: connection.outputBytes)
            json.member("unsentBytes", value: connection.unsentBytes)
            json.member("frames", value: view.frames)
            json.member("unacknowledged", value: view.unacknowledged)
            json.member("devices", value: view.devices)
            json.member("isHeld", value: view.isPaused)
            json.member("isFull", value: connection.isFull)
            json.endObject()
        }
        json.member("next", value: next?.rawValue)
        json.endObject()
    }
}
