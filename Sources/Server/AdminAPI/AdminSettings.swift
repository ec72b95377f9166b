/// What an admin server is made with.
package struct AdminSettings: Sendable {
    /// Who may ask.
    package var authorization: Authorization
    /// The page and what belongs to it.
    package var files = StaticFiles()
    /// When the process began, in milliseconds since 1970: a part of the ids of requests.
    package var startedAt: Int64 = 0
    /// Is told of every answer, on any thread, before it is sent; for logs.
    package var onAnswer: (@Sendable (AnsweredRequest) -> Void)?

    package init(_ authorization: Authorization) {
        self.authorization = authorization
    }
}

/// A request and what became of it, without anything that is secret.
package struct AnsweredRequest: Equatable, Sendable {
    /// As `X-Request-Id` says it.
    package let id: String
    /// `(other)` if nothing takes it.
    package let method: String
    /// Its path with names in braces, or `(none)`.
    package let route: String
    /// Whether it is an operator's, to change what the router does.
    package let isCommand: Bool
    package let status: UInt32
}
