package import Basics
package import Credentials
package import FrameCodec

/// The way from a partition's driver to the front of the same loop: calls, without a copy.
///
/// The front is apart from the partition, which it is given by each call. Only what stands in this
/// file changes it: a partition does not call its front, but leaves it messages (`FromPartition`).
final class DirectLink {
    /// The front.
    fileprivate(set) var front: Front

    init(_ front: consuming Front) { self.front = front }
}

/// What the driver does with connections: all of it goes to the front, with the partition.
extension Router {
    // MARK: - Connections

    /// Begins a connection that was accepted, on a slot that no open connection has.
    package mutating func opened(_ connection: ConnectionSlot, now: Instant) {
        let link = link
        link.front.opened(connection, now: now, in: &self)
    }

    /// Ends a connection that was closed: its slot may be used again.
    package mutating func closed(_ connection: ConnectionSlot) {
        let link = link
        link.front.closed(connection, in: &self)
    }

    /// The number of connections that have not said HELLO.
    package var awaitingHelloCount: Int { link.front.sessions.awaitingHello.count }

    /// How long the oldest connection that has not said HELLO has had for it; nil if there is none.
    package mutating func longestAwaiting(at now: MonotonicTime) -> Milliseconds? {
        link.front.longestAwaiting(at: now)
    }

    /// Ends the oldest connection that has not said HELLO, to make room; returns whether there was
    /// one.
    @discardableResult
    package mutating func evictOldestAwaiting() -> Bool {
        let link = link
        return link.front.evictOldestAwaiting(in: &self)
    }

    /// Whether an ACK for accepted frames of the connection has still to be sent.
    package func hasUnsentAcknowledgement(_ connection: ConnectionSlot) -> Bool {
        link.front.hasUnsentAcknowledgement(connection)
    }

    /// The number of frames of a connection that no ACK has covered yet.
    package func unacknowledged(_ connection: ConnectionSlot) -> Int {
        link.front.sessions.connections[connection].session.unacknowledged
    }

    /// Stops RELOADs for a connection, because its output is above its limit.
    package mutating func outputFilled(_ connection: ConnectionSlot) {
        let link = link
        link.front.outputFilled(connection, in: &self)
    }

    /// Lets RELOADs for a connection be sent again, because it accepts output again.
    package mutating func outputDrained(_ connection: ConnectionSlot) {
        let link = link
        link.front.outputDrained(connection, in: &self)
    }

    /// Whether the connection has a session.
    package func isEstablished(_ connection: ConnectionSlot) -> Bool {
        link.front.isEstablished(connection)
    }

    /// Whether the connection has the session of a publisher.
    package func isPublisher(_ connection: ConnectionSlot) -> Bool {
        link.front.isPublisher(connection)
    }

    /// How long a connection has been sending one frame; nil if it is not sending one, or if
    /// the rest of its input waits for the router.
    package func partialFrameAge(_ connection: ConnectionSlot, now: Instant) -> Milliseconds? {
        link.front.partialFrameAge(connection, now: now, of: self)
    }

    /// Ends a connection, because others need the memory in which its input is kept. It is one that
    /// is sending one frame, or that of a publisher of a paused app.
    package mutating func evictInput(_ connection: ConnectionSlot, now: Instant) {
        let link = link
        link.front.evictInput(connection, now: now, in: &self)
    }

    /// Sends GOAWAY to every session, because the router stops; the driver sends what is left and
    /// closes.
    package mutating func drain() {
        let link = link
        link.front.drain(&self)
    }

    // MARK: - Frames

    /// Accepts the whole frames at the beginning of what a connection has received, as far as the
    /// connection's share of the tick's work allows.
    ///
    /// - Parameters:
    ///   - connection: the connection's slot.
    ///   - bytes: the bytes; valid until the method returns.
    ///   - areNew: whether some of them have just been read from the kernel, which is charged as
    ///     more work.
    ///   - isMeasured: whether `measured` follows, with what this has cost.
    ///   - now: the present time.
    /// - Returns: the number of bytes consumed; all of them if the session has ended. The rest must
    ///   be offered again: together with what comes next or, if `isPaused` or `awaitsVerdict` is
    ///   true for the connection, as soon as it is false.
    package mutating func received(
        on connection: ConnectionSlot,
        bytes: ByteView,
        areNew: Bool = true,
        isMeasured: Bool = false,
        now: Instant
    ) -> Int {
        let link = link
        return link.front.received(
            on: connection,
            bytes: bytes,
            areNew: areNew,
            isMeasured: isMeasured,
            now: now,
            in: &self
        )
    }

    /// Decides what this tick's input and the time that has passed lead to: RELOADs, then ACKs.
    ///
    /// A step makes RELOADs until they have cost as much as `RouterLimits.reloadsPerStep` of one
    /// widget each, and applies at most `matchesPerStep` matches of fan-outs. While `needsStep`, a
    /// further step continues with the rest.
    package mutating func step(now: Instant) {
        let link = link
        link.front.step(now: now, in: &self)
    }

    /// Whether `received` accepts no frame of a connection now.
    ///
    /// The driver keeps the bytes that arrive meanwhile, and offers them again afterwards.
    package func isPaused(_ connection: ConnectionSlot) -> Bool {
        link.front.isPaused(connection, of: self)
    }

    /// Whether the connection is a publisher's whose app is paused, so that none of its frames is
    /// accepted.
    package func isPausedPublisher(_ connection: ConnectionSlot) -> Bool {
        link.front.isPausedPublisher(connection, of: self)
    }

    /// Whether a publisher's frames cannot be accepted before an operator resumes its app.
    package func waitsForOperator(_ connection: ConnectionSlot) -> Bool {
        link.front.isPublisher(connection) && waitsForOperator(publisherOn: connection)
    }

    // MARK: - Sessions

    /// The HELLO of a connection that awaits the driver's verdict; nil if it awaits none.
    package func awaitedHello(_ connection: ConnectionSlot) -> HelloMessage? {
        awaitsVerdict(connection) ? link.front.sessions.hellos[connection] : nil
    }

    /// Whether the HELLO of a connection awaits the driver's verdict: no frame of it is accepted.
    package func awaitsVerdict(_ connection: ConnectionSlot) -> Bool {
        link.front.awaitsVerdict(connection)
    }

    /// Lets a client in whose HELLO awaits a verdict: begins its session and answers WELCOME, or
    /// ends the connection if there is no app of this name or no more room. The connection has an
    /// `awaitedHello`; the router must not be `isSearching`. At `end` the session ends, because
    /// what let it in is no longer good; `devices` are those for which a gateway may speak. Returns
    /// how many pushes the client knows to be answered of which this router knows nothing.
    @discardableResult
    package mutating func admit(
        _ connection: ConnectionSlot,
        until end: WallTime = .max,
        devices: NamePatterns = .all,
        now: Instant
    ) -> UInt64 {
        let link = link
        return link.front.admit(connection, until: end, devices: devices, now: now, in: &self)
    }

    /// Opens a slot, which no open connection has, for a publisher that sends no HELLO, because its
    /// right to push was checked elsewhere. In all else it is a publisher that asks for outcomes:
    /// an older session of the same producer, whose name is a valid identifier, is ended. Returns
    /// the sequence number of the producer's last accepted push; 0 for none.
    ///
    /// - Throws: `app-unknown`, `quota-exceeded` or `too-many-producers`; then the slot is free.
    package mutating func openPublisher(
        _ connection: ConnectionSlot,
        app: String,
        producer: String,
        now: Instant
    ) throws(ProtocolError) -> UInt64 {
        let link = link
        return try link.front.openPublisher(
            connection,
            app: app,
            producer: producer,
            now: now,
            in: &self
        )
    }

    /// Sets whether the following pushes of a publisher that `openPublisher` has opened get an
    /// OUTCOME each, or those alone that have come before.
    ///
    /// An OUTCOME costs as much as a hundred frames, and says more than a publisher over HTTP
    /// learns.
    package mutating func reportOutcomes(_ areWanted: Bool, on connection: ConnectionSlot) {
        link.front.sessions.connections[connection].wantsOutcomes = areWanted
    }

    /// Ends a session, or a connection whose HELLO awaits a verdict; what was accepted is
    /// acknowledged first.
    package mutating func end(
        _ connection: ConnectionSlot,
        with error: ProtocolError,
        now: Instant
    ) {
        let link = link
        link.front.end(connection, with: error, now: now, in: &self)
    }

    /// Limits an open session: until when it lasts, and for which devices a gateway may speak from
    /// now on.
    package mutating func limit(
        _ connection: ConnectionSlot,
        until end: WallTime,
        devices: NamePatterns
    ) {
        let link = link
        link.front.limit(connection, until: end, devices: devices, in: &self)
    }

    /// The devices for which a gateway's session may speak; nil for another session.
    package func gatewayDevices(_ connection: ConnectionSlot) -> NamePatterns? {
        if link.front.sessions.connections[connection].session.phase != .gateway { return nil }
        return state.gatewayDevices[connection] ?? .all
    }

    /// The name of a connection's session in logs on both ends, the same for the whole session; it
    /// is no secret and gives no privileges. Nil before HELLO was accepted.
    package func sessionName(_ connection: ConnectionSlot) -> String? {
        link.front.sessionName(connection)
    }

    /// The name for which a session speaks: of its producer or device; nil for a gateway, and
    /// without a session.
    package func peerName(_ connection: ConnectionSlot) -> [UInt8]? {
        isEstablished(connection) ? peerName(ofSessionOn: connection) : nil
    }

    // MARK: - Liveness

    /// Does what is due about once a second: sends PING to publishers of paused apps, adapts the
    /// counts of hot keys, forgets idle producers and devices and old keys of requests, and begins
    /// to check all connections for silence, unless a sweep is still running. Afterwards
    /// `continueSweep` is to be called while `isSweeping`.
    package mutating func beginSweep(now: Instant) {
        let link = link
        link.front.beginSweep(now: now, in: &self)
    }

    /// Whether a sweep has connections left to check, in this tick or the next.
    package var isSweeping: Bool { link.front.isSweeping }

    /// Checks the next connections for silence, up to the number that one tick may check:
    /// connections that were opened together become silent together, and their PINGs in a single
    /// tick would make that tick long, and delay all pushes. `isHeard` says whether the driver
    /// reads from a connection now; otherwise its silence means nothing.
    package mutating func continueSweep(now: Instant, isHeard: (ConnectionSlot) -> Bool) {
        let link = link
        link.front.continueSweep(now: now, isHeard: isHeard, in: &self)
    }

    // MARK: - Work

    /// Whether a connection has used up its share of the work or rests, so that its frames wait for
    /// further rounds.
    package func isOverdrawn(_ connection: ConnectionSlot) -> Bool {
        link.front.isOverdrawn(connection, of: self)
    }

    /// When a connection's frames are accepted again after costly ones; nil if they are accepted
    /// now.
    package func restEnd(_ connection: ConnectionSlot) -> MonotonicTime? {
        link.front.restEnd(connection, of: self)
    }

    /// Counts a connection whose frames have to wait among those that share the next round's work.
    package mutating func waits(_ connection: ConnectionSlot) {
        let link = link
        link.front.waits(connection, in: &self)
    }

    /// Lets a connection share the work with others of its group from now on.
    package mutating func join(_ group: WorkGroup, on connection: ConnectionSlot) {
        link.front.sessions.connections[connection].group = group
    }

    /// Replaces the estimated cost of the driver's present callback by what it has cost so far. The
    /// connection that pays may have been closed in this callback.
    package mutating func measured(_ time: Nanoseconds, of connection: ConnectionSlot) {
        let link = link
        link.front.measured(time, of: connection, in: &self)
    }

    /// Replaces the estimated cost of the driver's present callback by what was measured, of work
    /// that the group of a connection pays alone.
    package mutating func measured(_ time: Nanoseconds, ofGroupOf connection: ConnectionSlot) {
        measured(time, of: link.front.sessions.connections[connection].group)
    }

    // MARK: - Operators

    /// Installs a new app file: its rules and policies hold from now on; see `begin`. Sessions of
    /// an app that is no longer declared are ended.
    @discardableResult
    package mutating func install(
        _ declarations: AppCatalog,
        source: [UInt8] = [],
        revision: UInt32 = 0,
        after change: CatalogChange? = nil
    ) -> [AppDeclaration] {
        let replaced = begin(declarations, source: source, revision: revision, after: change)
        takeMessages()
        return replaced
    }

    /// Applies the next portion of a change; see `begin`.
    @discardableResult
    package mutating func apply(_ portion: CatalogChange.Portion) -> [AppDeclaration] {
        let replaced = begin(portion)
        takeMessages()
        return replaced
    }

    /// Lets the front take what the partition has left for it.
    mutating func takeMessages() {
        let link = link
        link.front.take(from: &self)
    }

    /// Pauses an app or resumes it.
    ///
    /// - Throws: `app-unknown`.
    package mutating func setPaused(_ isPaused: Bool, app name: String) throws(ProtocolError) {
        guard let app = try pause(isPaused, app: name) else { return }
        let link = link
        link.front.reportPause(isPaused, of: app, in: &self)
    }

    /// The connections by their role.
    package var roles: RoleCounts { link.front.sessions.roles }

    /// Bytes allocated for connections in the front.
    var connectionByteCount: Int { link.front.sessions.connections.byteCount }

    /// The open connections, in the order of their slots.
    ///
    /// - Parameters:
    ///   - first: the slot to begin with.
    ///   - limit: the largest number of connections to return.
    /// - Returns: the connections, and the slot to begin the next call with; nil if there are no
    ///   more.
    /// - Complexity: proportional to the slots that are examined.
    package func connections(
        from first: ConnectionSlot,
        limit: Int
    ) -> (found: [ConnectionView], next: ConnectionSlot?) {
        link.front.connections(from: first, limit: limit, of: self)
    }

    /// Checks that all tables agree with each other; to be called between two calls of the router.
    ///
    /// Besides what must hold for the state and in the front: each session is open in the state as
    /// on its connection, each reload that waits for a time has a timer, each device with a pending
    /// RELOAD is in a queue, and each reload request has ended for a reason or is pending.
    ///
    /// - Throws: the first contradiction, as a sentence that names the table and the entry.
    /// - Complexity: proportional to everything that is stored.
    package func checkInvariants() throws(InvariantViolation) {
        try checkPartition()
        // A router that follows a log has no connections of its own.
        if outbox.agenda.isKept { try link.front.checkInvariants(of: self) }
    }
}
