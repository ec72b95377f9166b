/// What has come of a request's body.
package enum HTTPBody: Equatable, Sendable {
    /// All of it; empty if there is none.
    case whole([UInt8])
    /// It is longer than the handler takes; nothing of it is kept.
    case tooLarge
    /// All bodies together would be longer than `HTTPServerLimits.allBodiesBytes`; nothing of it is
    /// kept.
    case noRoom
}
