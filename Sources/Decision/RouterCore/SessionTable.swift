internal import ReloadModel

/// What the router keeps of connections, beside the state: who waits for what.
struct SessionTable: ~Copyable {
    let names: SessionNames
    /// Connections that an ACK is due to.
    var acknowledging: ContiguousArray<UInt32> = []
    /// Connections that have not said HELLO, oldest first; those that have are passed over.
    var awaitingHello = AwaitingQueue()
    /// The connection whose silence is looked at next; nil between two sweeps.
    var nextSwept: UInt32?
    /// When the present sweep or the last one began, and how long after the one before; ms, monotonic.
    var sweptAt: Int64 = 0
    var sweptTime: Int64 = 0

    init(names: SessionNames) { self.names = names }
}
