internal import DataStructures
internal import LibuvLoop
internal import ReloadModel

/// Connections by slot: small numbers that the router knows them by, used again when they are gone.
///
///     taken ──► released: frames of this turn may still name it ──► free when these are sent
struct PeerTable {
    private var entries: ContiguousArray<PeerEntry> = []
    private var free: ContiguousArray<UInt32> = []
    private var released: ContiguousArray<UInt32> = []
    private(set) var openCount = 0
    /// How many of them linger without a session.
    private(set) var refusedCount = 0
    /// Slots with output of this turn.
    private(set) var dirty: ContiguousArray<UInt32> = []
    /// Connections whose peers have ended their side and are still owed answers: see `Server.hangUp`.
    var hungUp: ContiguousArray<HungUpConnection> = []
    var shares: AddressShares

    init(_ limits: RouterLimits) {
        shares = AddressShares(limits)
    }

    subscript(slot: UInt32) -> PeerEntry {
        @inline(__always) _read { yield entries[Int(slot)] }
        @inline(__always) _modify { yield &entries[Int(slot)] }
    }

    /// All slots that there ever were.
    var slots: Range<UInt32> { 0..<UInt32(entries.count) }
    var byteCount: Int { entries.capacity * MemoryLayout<PeerEntry>.stride }

    /// Gives a slot to a connection, or to a publisher over HTTP.
    ///
    /// - Parameters:
    ///   - connection: nil for such a publisher.
    ///   - network: who is at its other end.
    ///   - time: in ms since 1970.
    /// - Returns: the slot.
    mutating func take(
        _ connection: TCPConnection?,
        of network: PeerNetwork? = nil,
        at time: Int64
    ) -> UInt32 {
        let slot = free.popLast() ?? UInt32(entries.count)
        if Int(slot) == entries.count { entries.append(PeerEntry()) }
        self[slot] = PeerEntry(
            connection: connection,
            network: network,
            openedAt: time,
            serial: self[slot].serial &+ 1
        )
        if connection != nil { openCount += 1 }
        return slot
    }

    /// Takes a slot back; it is free when the frames have been sent that may name it.
    mutating func release(_ slot: UInt32) {
        if self[slot].isRefused { refusedCount -= 1 }
        self[slot].isRefused = false
        if self[slot].connection != nil { openCount -= 1 }
        self[slot].connection = nil
        if let network = self[slot].network {
            shares.closed(network, hadSession: self[slot].hasSession)
            self[slot].network = nil
        }
        released.append(slot)
    }

    /// Takes a slot back that the router has refused, so that no frame names it.
    mutating func giveBack(_ slot: UInt32) { free.append(slot) }

    /// The frames have been sent that may name released slots.
    mutating func freeReleased() {
        free.append(contentsOf: released)
        released.removeAll(keepingCapacity: true)
    }

    /// The peer was welcomed.
    mutating func sessionBegins(_ slot: UInt32) {
        self[slot].hasSession = true
        self[slot].connection?.readLimit = Loop.slabBytes
        if let network = self[slot].network { shares.welcomed(network) }
    }

    /// The peer was told why it gets no session.
    mutating func noteRefused(_ slot: UInt32) {
        if self[slot].isRefused { return }
        self[slot].isRefused = true
        refusedCount += 1
    }

    /// Marks a connection to be flushed at the end of the turn.
    mutating func markDirty(_ slot: UInt32) {
        if self[slot].isDirty { return }
        self[slot].isDirty = true
        dirty.append(slot)
    }

    /// Writes a frame that waits for nothing but its peer's WELCOME.
    ///
    /// - Parameters:
    ///   - bytes: the whole frame.
    ///   - slot: the peer's.
    /// - Returns: false if there is no connection, or a WELCOME to wait for: nothing is written then.
    mutating func write(_ bytes: ByteView, to slot: UInt32) -> Bool {
        guard self[slot].behindWelcome == nil, let connection = self[slot].connection else {
            return false
        }
        markDirty(slot)
        connection.append(bytes)
        return true
    }

    mutating func removeDirty() { dirty.removeAll(keepingCapacity: true) }
}
