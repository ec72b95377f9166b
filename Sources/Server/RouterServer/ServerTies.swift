package import Platform

/// What connects the server to the program that runs it.
package struct ServerTies {
    /// Called on SIGHUP, after the app file was read again.
    package var onHangUp: () -> Void = {}
    /// Reports, about once a second, the messages that it has suppressed; nil if none are.
    package var logLimiter: LogLimiter?
    var manager = ServiceManager()
}
