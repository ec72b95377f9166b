package import Platform

/// What the program that runs the server has to do with it.
package struct ServerTies {
    /// What else SIGHUP has done, beside reading the app file again.
    package var onHangUp: () -> Void = {}
    /// Told once a second that time goes on, so that it says what it has left out; nil for none.
    package var logLimiter: LogLimiter?
    var manager = ServiceManager()
}
