package import Basics
package import RouterCore

/// A connection: the router's view of it, and what only the server knows.
package struct ListedConnection: ListedEntry {
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

    /// The name of the list.
    package static var list: String { "connections" }

    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("slot", value: view.slot.rawValue)
        json.member("peer", value: peer)
        json.member("role", value: view.role)
        json.member("app", value: view.app)
        json.member("name", value: view.name)
        json.member("openedAt", value: openedAt)
        json.member("lastFrameAt", value: lastFrameAt)
        json.member("inputBytes", value: inputBytes)
        json.member("outputBytes", value: outputBytes)
        json.member("unsentBytes", value: unsentBytes)
        json.member("frames", value: view.frames)
        json.member("unacknowledged", value: view.unacknowledged)
        json.member("devices", value: view.devices)
        json.member("isHeld", value: view.isPaused)
        json.member("isFull", value: isFull)
    }
}
