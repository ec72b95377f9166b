package import Basics

/// Settings of the admin server.
package struct AdminSettings: Sendable {
    /// Who is let in.
    package var authorization: Authorization
    /// True if the server is for this machine alone, so that requests for a name are refused.
    package var isLocal = false
    /// Whether the server speaks TLS alone.
    package var isSecure = false
    /// Where operators' commands are written down; nil if they are not.
    package var audit: AuditLog?
    /// The dashboard's files.
    package var files = StaticFiles()
    /// When the store was last backed up, or else made; nil if there is no store. Called on the
    /// thread that answers.
    package var lastBackup: (@Sendable () -> WallTime?)?
    /// The counts of the listener for publishers, which are among the metrics; nil if there is
    /// none.
    package var publishing: HTTPRequestCounts?
    /// The most bytes of the bodies of all requests at a time.
    package var allBodiesBytes = 64 << 20
    /// How long a connection may be without a request.
    package var idle = Milliseconds.seconds(75)
    /// When the process started; a part of request ids, so that they differ between runs.
    package var startedAt = WallTime.zero
    /// Reads the clock, for the audit log.
    package var now: @Sendable () -> WallTime
    /// Called for every answer, on any thread, before it is sent; for logging.
    package var onAnswer: (@Sendable (AnsweredRequest) -> Void)?
    /// Called with the address of each client whose TLS handshake has failed, and the reason, on a
    /// thread of the server; for logging.
    package var onRefusedHandshake: @Sendable (_ peer: String, _ reason: String) -> Void = { _, _ in
    }

    /// Makes settings without files and without a log.
    package init(_ authorization: Authorization, now: @escaping @Sendable () -> WallTime) {
        self.authorization = authorization
        self.now = now
    }
}

/// A request and its outcome, without secrets, for the log.
package struct AnsweredRequest: Equatable, Sendable {
    /// The answer's `X-Request-Id`.
    package let id: String
    /// The method; `(other)` if no route accepts it.
    package let method: String
    /// The route's path with names in braces, or `(none)`.
    package let route: String
    /// True if it is an operator's command; see `AdminRoute.isCommand`.
    package let isCommand: Bool
    /// The HTTP status of the answer.
    package let status: UInt32
}
