package import Platform
internal import Times

/// What connects the server to the program that runs it.
package struct ServerIntegration {
    /// Called on SIGHUP, after the app file was read again.
    package var onHangUp: () -> Void = {}
    /// Limits how often a message is logged; its `report` is called about once a second. Nil if all
    /// messages are logged.
    package var logLimiter: LogLimiter?
    var manager = ServiceManager()
}
