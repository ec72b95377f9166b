internal import Basics

/// A connection as a partition knows it: nothing but what it answers with.
struct FrontSession: Equatable, BitwiseCopyable {
    /// The connection's number; `none` if there is none.
    var connection: ConnectionSlot
    /// The generation of the number, which another connection may have later.
    var generation: UInt32

    /// No connection.
    static var none: FrontSession { FrontSession(connection: .none, generation: 0) }

    /// Whether it is no connection.
    @inline(__always)
    var isNone: Bool { connection.isNone }
}
