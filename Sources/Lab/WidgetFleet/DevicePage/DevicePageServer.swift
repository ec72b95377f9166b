package import HTTPServing
internal import Synchronization

/// Shows devices' screens in browsers on this machine, live.
///
///     show, flash ──► state ──► events of each browser
///     a button of the page ──► POST ──► onCommand
///
/// From any thread. What the page consists of lies in the program; it loads nothing from elsewhere.
package final class DevicePageServer: Sendable {
    /// Devices at a time; what is shown of another one is not taken.
    package static var devicesLimit: Int { 64 }
    /// Browsers and their requests at a time; the oldest one makes room.
    package static var connectionsLimit: Int { 128 }

    private let screens: DeviceScreens
    private let server: HTTPServer

    /// Binds, listens and serves.
    ///
    /// - Parameters:
    ///   - address: where; the system picks a port if it is 0.
    ///   - onCommand: is told of the page's buttons on the server's thread, and must not block.
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    package init(
        _ address: LoopbackAddress,
        onCommand: @escaping @Sendable (PageCommand) -> Void
    ) throws(HTTPServerError) {
        var limits = HTTPServerLimits()
        limits.connections = Self.connectionsLimit
        let screens = DeviceScreens(onCommand: onCommand)
        self.screens = screens
        server = try HTTPServer(address, limits: limits, handler: screens)
    }

    deinit { stop() }

    /// Where a browser finds the page.
    package var url: String { "http://\(server.address)/" }

    /// Shows a device as it is now.
    ///
    /// - Returns: false if there are too many devices.
    @discardableResult
    package func show(_ snapshot: HomeScreenSnapshot) -> Bool {
        screens.state.withLock { state in
            state.show(snapshot, limit: Self.devicesLimit) { $0.send($1) }
        }
    }

    /// Has a widget flash with the reason of a reload.
    ///
    /// - Parameters:
    ///   - widget: its id.
    ///   - device: whose it is.
    ///   - cause: why it reloaded.
    ///   - changed: whether something else is to be seen since.
    package func flash(widget: String, of device: String, cause: String, changed: Bool) {
        let reload = PageReload(widget: widget, cause: cause, changed: changed)
        screens.state.withLock { state in
            state.tell(reload.message, toViewersOf: device) { $0.send($1) }
        }
    }

    /// Closes all connections and ends the server's thread.
    ///
    /// Stopping twice is no error.
    package func stop() {
        let viewers = screens.state.withLock { $0.removeViewers() }
        for viewer in viewers { viewer.close() }
        server.stop()
    }
}
