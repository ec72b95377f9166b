/// The body of a request, or why it was not kept.
package enum HTTPBody: Equatable, Sendable {
    /// The complete body; empty if there is none.
    case whole([UInt8])
    /// The body is longer than the handler accepts; nothing of it was kept.
    case tooLarge
    /// The bodies of all requests would exceed `HTTPServerLimits.allBodiesBytes`; nothing of it was
    /// kept.
    case noRoom
}
