internal import Basics
internal import LibuvLoop

/// Connections by slot: a slot is the small number by which the router knows a connection, and is
/// reused.
///
///     taken ──► released: frames of this tick may still name it ──► free when these are sent
final class PeerTable {
    /// The entries of all slots that have ever been used, by slot.
    private(set) var entries: ContiguousArray<PeerEntry> = []
    /// The slots that can be assigned to new connections.
    private(set) var free: ContiguousArray<ConnectionSlot> = []
    /// The released slots, which `freeReleased` makes free.
    private(set) var released: ContiguousArray<ConnectionSlot> = []
    /// Slots that have an open connection.
    private(set) var openCount = 0
    /// Connections that were refused a session and linger until they have read their ERROR.
    private(set) var refusedCount = 0
    /// Slots with output written in this tick.
    private(set) var dirty: ContiguousArray<ConnectionSlot> = []
    /// Connections whose peers have ended their side while answers are outstanding: see
    /// `Server.hangUp`.
    var hungUp: ContiguousArray<HungUpConnection> = []
    /// Counts connections by network.
    var shares: AddressShares

    init(_ limits: RouterLimits) { shares = AddressShares(limits) }

    subscript(slot: ConnectionSlot) -> PeerEntry {
        @inline(__always) _read { yield entries[slot.index] }
        @inline(__always) _modify { yield &entries[slot.index] }
    }

    /// All slots that have ever been used.
    var slots: NumberRange<ConnectionSlot> { NumberRange(count: entries.count) }
    /// Bytes of memory of the table's entries.
    var byteCount: Int { entries.capacity * MemoryLayout<PeerEntry>.stride }

    /// Assigns a slot to a connection, or to a publisher over HTTP, which has none, nor a network.
    func take(
        _ connection: TCPConnection?,
        of network: PeerNetwork? = nil,
        at time: WallTime
    ) -> ConnectionSlot {
        let slot = free.popLast() ?? ConnectionSlot(index: entries.count)
        if slot.index == entries.count { entries.append(PeerEntry()) }
        assert(self[slot].connection == nil, "the slot has a connection")
        assert(self[slot].network == nil, "the slot's last connection still counts")
        assert(!self[slot].isDirty, "the slot's last connection is still to be flushed")
        self[slot] = PeerEntry(
            connection: connection,
            network: network,
            openedAt: time,
            serial: self[slot].serial &+ 1
        )
        if connection != nil { openCount += 1 }
        return slot
    }

    /// Releases a slot. It is reused only after `freeReleased`, since frames of this tick may still
    /// name it.
    func release(_ slot: ConnectionSlot) {
        assert(!free.contains(slot), "the slot is free already")
        if self[slot].isRefused { refusedCount -= 1 }
        self[slot].isRefused = false
        if self[slot].connection != nil { openCount -= 1 }
        assert(openCount >= 0 && refusedCount >= 0, "more connections end than were open")
        self[slot].connection = nil
        if let network = self[slot].network {
            shares.closed(network, hadSession: self[slot].hasSession)
            self[slot].network = nil
        }
        released.append(slot)
    }

    /// Frees a slot at once that the router has refused to open: no frame names it.
    func freeUnopened(_ slot: ConnectionSlot) {
        assert(self[slot].connection == nil && self[slot].network == nil, "the slot was opened")
        free.append(slot)
    }

    /// Frees the released slots; to be called when the tick's frames have been sent.
    func freeReleased() {
        free.append(contentsOf: released)
        released.removeAll(keepingCapacity: true)
    }

    /// Marks the peer's session as begun: one read may bring `Loop.slabBytes` from now on, and the
    /// peer no longer counts as silent.
    func sessionBegins(_ slot: ConnectionSlot) {
        assert(!self[slot].hasSession, "a connection has one session")
        self[slot].hasSession = true
        self[slot].connection?.readLimit = Loop.slabBytes
        if let network = self[slot].network { shares.welcomed(network) }
    }

    /// Marks the peer as refused: its ERROR was sent, and it lingers without a session.
    func markRefused(_ slot: ConnectionSlot) {
        assert(!self[slot].hasSession, "a peer is refused whose session has begun")
        assert(self[slot].connection != nil, "no peer is there to be refused")
        if self[slot].isRefused { return }
        self[slot].isRefused = true
        refusedCount += 1
    }

    /// Marks a connection to be flushed at the end of the tick.
    func markDirty(_ slot: ConnectionSlot) {
        if self[slot].isDirty { return }
        self[slot].isDirty = true
        dirty.append(slot)
    }

    /// Appends a frame to a connection's output; false if it must wait for the peer's WELCOME, or
    /// there is no connection.
    func write(_ bytes: ByteView, to slot: ConnectionSlot) -> Bool {
        guard self[slot].afterWelcome == nil, let connection = self[slot].connection else {
            return false
        }
        markDirty(slot)
        connection.append(bytes)
        return true
    }

    /// Forgets which slots have output, once they were flushed.
    func removeDirty() { dirty.removeAll(keepingCapacity: true) }
}

extension TCPConnection {
    /// The slot of a connection; `none` before it has one, and after the end.
    var peerSlot: ConnectionSlot { ConnectionSlot(rawValue: slot) }
}
