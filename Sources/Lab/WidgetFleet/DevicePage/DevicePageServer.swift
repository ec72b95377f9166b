package import HTTPServing
internal import Synchronization

/// Shows the screens of devices live, in browsers on this machine.
///
///     show, flash ──► state ──► events of each browser
///     a button of the page ──► POST ──► onCommand
///
/// May be used from any thread. The page's files are compiled into the program; it loads nothing
/// from elsewhere.
package final class DevicePageServer: Sendable {
    /// The most devices; snapshots of further ones are ignored.
    package static var devicesLimit: Int { 64 }
    /// The most connections of browsers; a new one beyond that displaces another.
    package static var connectionsLimit: Int { 128 }

    private let screens: DeviceScreens
    private let server: HTTPServer

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - address: where to listen; port 0 lets the system pick one.
    ///   - onCommand: called for the page's buttons on the server's thread; it must not block.
    /// - Throws: `HTTPServerError` if the address cannot be bound.
    package init(
        _ address: ListeningAddress,
        onCommand: @escaping @Sendable (PageCommand) -> Void
    ) throws(HTTPServerError) {
        var limits = HTTPServerLimits()
        limits.connections = Self.connectionsLimit
        let screens = DeviceScreens(onCommand: onCommand)
        self.screens = screens
        server = try HTTPServer(address, limits: limits, handler: screens)
    }

    deinit { stop() }

    /// The address of the page.
    package var url: String { "http://\(server.address)/" }

    /// Shows the current state of a device.
    ///
    /// - Returns: false if there are too many devices.
    @discardableResult
    package func show(_ snapshot: HomeScreenSnapshot) -> Bool {
        screens.state.withLock { state in
            state.show(snapshot, limit: Self.devicesLimit) { $0.send($1) }
        }
    }

    /// Makes a widget flash, with the cause of a reload.
    ///
    /// - Parameters:
    ///   - widget: the widget's id.
    ///   - device: the name of its device.
    ///   - cause: why it reloaded.
    ///   - changed: true if it displays something else now.
    package func flash(widget: String, of device: String, cause: String, changed: Bool) {
        let reload = PageReload(widget: widget, cause: cause, changed: changed)
        screens.state.withLock { state in
            state.broadcast(reload.message, toViewersOf: device) { $0.send($1) }
        }
    }

    /// Closes all connections and ends the server's thread.
    ///
    /// Does nothing if the server was stopped before.
    package func stop() {
        let viewers = screens.state.withLock { $0.removeViewers() }
        for viewer in viewers { viewer.close() }
        server.stop()
    }
}
