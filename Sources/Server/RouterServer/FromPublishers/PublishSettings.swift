internal import Basics
package import Cryptography
internal import HTTPMessages
package import HTTPServing

/// What the listener for publishers needs of the program.
package struct PublishSettings {
    /// The address to listen on.
    package var address: ListeningAddress
    /// How it proves itself with TLS; nil to speak without.
    package var security: ServerSecurity?
    /// The limits of its connections.
    package var limits = Self.limits
    /// Called with the address of each client whose handshake has failed, and the reason.
    package var onRefusal: (_ peer: String, _ reason: String) -> Void = { _, _ in }

    /// Settings with the default limits.
    package init(address: ListeningAddress, security: ServerSecurity?) {
        self.address = address
        self.security = security
    }

    /// The default limits.
    ///
    /// They bound the memory: `connections` times twice `connectionMemory`, one answer and a piece
    /// of a body, `allBodiesBytes`, and thrice the longest body while it is read.
    package static var limits: HTTPServerLimits {
        var limits = HTTPServerLimits()
        // A thousand publishers, besides the eighth that is reserved for connections whose client
        // has not proved to be one yet. All count, however far they have come.
        limits.connections = 1_200
        limits.handshakes = nil
        limits.endings = nil
        limits.targetBytes = RequestLimits().targetBytes
        limits.bodyReadBytes = 128 << 10
        // Several times the longest answer.
        limits.unreadBytes = 256 << 10
        return limits
    }
}

/// The limits of the loop's work for publishers over HTTP.
enum PublishLimits {
    /// The longest body in bytes that the loop reads itself, in half a millisecond at most; longer
    /// ones are read on a thread, one after the other.
    static var loopBodyBytes: Int { 32 << 10 }
    /// The most bodies that wait for that thread; beyond it requests with such bodies are refused
    /// with 503 `busy`.
    static var waitingBodies: Int { 256 }
    /// The requests of all connections in one tick after which others wait for the next one, so
    /// that a tick ends in about a millisecond: publishers with sessions notice how long it is.
    static var requestsPerTick: Int { 64 }
    /// The connections that are resumed in one tick.
    static var resumedPerTick: Int { 64 }
}
