internal import Basics
internal import FrameCodec

/// The producers of all apps with the last push of each, and the idle ones in the order in which
/// they became idle.
///
///     slots    0 │ 1 │ 2 │ 3 │ 4 │ …      a number is reused once its producer is forgotten
///     in use       ●       ●              a session speaks for it, or it has a fan-out
///     idle     ●───────●───────●          a chain, the one that has been idle for longest first
///
/// Only idle producers may be forgotten: nothing in memory refers to their numbers, nor does the
/// journal after the entry that forgets them. The next one to forget is the first of the chain, so
/// no search is needed.
struct ProducerTable: ~Copyable {
    /// A producer that is known.
    struct Producer: BitwiseCopyable {
        var app: AppID
        fileprivate var nameCount: UInt8
        /// Whether it has an unfinished fan-out, for which its next pushes wait.
        fileprivate(set) var isFanningOut = false
        /// Where its name, an identifier, begins in the table's arena.
        fileprivate var name: UInt32
        /// The sequence number of its last accepted push; 0 for none.
        fileprivate(set) var lastSeq: UInt64 = 0
        /// When it became idle or, while it is in use, when its last session began; as the
        /// wall clock was then.
        fileprivate(set) var usedAt: WallTime
        /// The running time at which it became idle; see `RunningTime`.
        fileprivate(set) var idleSince: Milliseconds
        /// The connection whose session speaks for it; `none` if there is none.
        fileprivate(set) var connection = ConnectionSlot.none
        /// The number of the session that speaks for it.
        fileprivate(set) var session: UInt64 = 0
        /// How many of its pushes are not settled (`UnsettledPushes`): other partitions know it by
        /// its number.
        fileprivate(set) var unsettled: UInt32 = 0
        /// Its neighbours in the chain of idle producers.
        fileprivate(set) var older = ProducerID.none
        fileprivate(set) var newer = ProducerID.none

        /// Whether a session speaks for it.
        var hasSession: Bool { !connection.isNone }
        /// Whether it has neither a session nor a fan-out, nor pushes that are not settled.
        var isIdle: Bool { !hasSession && !isFanningOut && unsettled == 0 }
    }

    private(set) var slots = Slab<ProducerID, Producer>()
    private(set) var index = HashIndex()
    private(set) var names = ByteArena()
    /// The known producers of each app, by the app's number.
    private(set) var counts = NumberedArray<AppID, Int>()
    /// The pushes that were rejected last.
    private(set) var rejections = RejectionTable()
    /// The first and the last producer in the chain of idle ones.
    private(set) var oldest = ProducerID.none
    private(set) var newest = ProducerID.none
    /// The key of the hashes of names. It is secret, so that no client can choose names that
    /// collide.
    private let hashKey: HashKey

    init(hashKey: HashKey) { self.hashKey = hashKey }

    /// The number of known producers.
    var count: Int { slots.count }
    /// One more than the highest number that was ever used; it never falls.
    var end: UInt32 { slots.end }
    /// Bytes of the table that are allocated from the system.
    var byteCount: Int {
        slots.byteCount + index.byteCount + names.byteCount + rejections.byteCount
    }

    /// The number of an app's known producers.
    func count(of app: AppID) -> Int { counts[app, default: 0] }

    /// Whether a known producer has this number.
    func isKnown(_ number: ProducerID) -> Bool { slots.isInUse(number) }

    /// The producer with a number, which must be known.
    @inline(__always)
    subscript(number: ProducerID) -> Producer { slots[number] }

    /// The producer's name; valid until the table changes.
    func name(_ number: ProducerID) -> ByteView {
        unsafe names.view(slots[number].name, count: Int(slots[number].nameCount))
    }

    /// The number of an app's producer by its name; nil if it is not known.
    func find(of app: AppID, named name: ByteView) -> ProducerID? {
        index.find(hash(of: app, name: name)) { slots[$0].app == app && self.name($0) == name }
    }

    private func hash(of app: AppID, name: ByteView) -> UInt64 {
        hashKey.hash(UInt64(app.rawValue), followedBy: name)
    }

    // MARK: - What comes and goes

    /// Adds a producer, which must not be known, and returns the lowest free number; it is idle at
    /// first. The name is a valid identifier. Running time is counted up to now.
    mutating func insert(
        of app: AppID,
        named name: ByteView,
        now: Instant,
        counting running: inout RunningTime
    ) -> ProducerID {
        let number = slots.nextSlot
        insert(of: app, named: name, at: number)
        becameIdle(number, now: now, counting: &running)
        return number
    }

    private mutating func insert(of app: AppID, named name: ByteView, at number: ProducerID) {
        precondition((1...RouterLimits.identifierBytes).contains(name.count), "no identifier")
        let producer = Producer(
            app: app,
            nameCount: UInt8(name.count),
            name: names.store(name),
            usedAt: .zero,
            idleSince: .zero
        )
        slots.insert(producer, at: number)
        index.insert(hash(of: app, name: name), number: number)
        counts[app, default: 0] += 1
    }

    /// Forgets a producer, which must be idle.
    mutating func forget(_ number: ProducerID) {
        let producer = slots[number]
        precondition(isKnown(number) && producer.isIdle, "forgets a producer that is in use")
        unlink(number)
        index.remove(hash(of: producer.app, name: name(number)), number: number)
        unsafe names.free(producer.name, byteCount: Int(producer.nameCount))
        counts[producer.app] -= 1
        rejections.forget(number)
        slots.remove(number)
    }

    // MARK: - Use

    /// Records the highest sequence number of the pushes of a batch that was accepted.
    @inline(__always)
    mutating func accepted(_ seq: UInt64, of number: ProducerID) {
        assert(isKnown(number), "the number has no producer")
        assert(seq > slots[number].lastSeq, "the producer's push numbers go back")
        slots[number].lastSeq = seq
    }

    /// Records that a push was rejected.
    mutating func rejected(_ seq: UInt64, with code: ErrorCode, of number: ProducerID) {
        assert(isKnown(number) && seq > 0, "no producer has such a push")
        rejections.add(.init(seq: seq, code: code), of: number)
    }

    /// Records that a push may be accepted although one of its number was rejected, in an earlier
    /// session.
    mutating func withdrawRejection(of seq: UInt64, of number: ProducerID) {
        rejections.remove(seq, of: number)
    }

    /// Makes a session the one that speaks for a producer, in place of the one before.
    mutating func sessionBegan(
        _ number: ProducerID,
        on connection: ConnectionSlot,
        session: UInt64,
        now: Instant,
        counting running: inout RunningTime
    ) {
        assert(isKnown(number) && session > 0)
        running.advance(to: now)
        if slots[number].isIdle { unlink(number) }
        slots[number].connection = connection
        slots[number].session = session
        slots[number].usedAt = now.wall
    }

    /// Records that a session has ended; nothing changes unless it speaks for the producer.
    ///
    /// If `now` is nil, the session ended with its process at an unknown time, for which the time
    /// at which running time was last counted stands.
    mutating func sessionEnded(
        _ number: ProducerID,
        on connection: ConnectionSlot,
        session: UInt64,
        now: Instant?,
        counting running: inout RunningTime
    ) {
        if slots[number].connection != connection || slots[number].session != session { return }
        slots[number].connection = .none
        if slots[number].isIdle { becameIdle(number, now: now, counting: &running) }
    }

    /// Records that a fan-out of the producer has begun.
    mutating func fanOutBegan(_ number: ProducerID) {
        assert(isKnown(number) && !slots[number].isFanningOut, "a producer has one fan-out")
        if slots[number].isIdle { unlink(number) }
        slots[number].isFanningOut = true
    }

    /// Records that the producer's fan-out has ended; `now` is nil as for `sessionEnded`.
    mutating func fanOutEnded(
        _ number: ProducerID,
        now: Instant?,
        counting running: inout RunningTime
    ) {
        if !slots[number].isFanningOut { return }
        slots[number].isFanningOut = false
        if slots[number].isIdle { becameIdle(number, now: now, counting: &running) }
    }

    /// Records that pushes of a producer are kept until they are settled.
    mutating func keptUnsettled(_ count: UInt32, of number: ProducerID) {
        if slots[number].isIdle { unlink(number) }
        slots[number].unsettled += count
    }

    /// Records that a push of the producer is settled.
    mutating func settled(_ number: ProducerID, now: Instant, counting running: inout RunningTime) {
        assert(slots[number].unsettled > 0, "more pushes are settled than were kept")
        slots[number].unsettled -= 1
        if slots[number].isIdle { becameIdle(number, now: now, counting: &running) }
    }

    /// Adds the producer to the end of the chain of idle ones.
    private mutating func becameIdle(
        _ number: ProducerID,
        now: Instant?,
        counting running: inout RunningTime
    ) {
        if let now { running.advance(to: now) }
        if let counted = running.countedAt { slots[number].usedAt = counted.wall }
        slots[number].idleSince = running.total
        link(number)
    }

    // MARK: - Idleness

    /// The producer that has been idle for longest; nil if none is idle.
    var longestIdle: ProducerID? { oldest.optional }

    /// The producer that became idle next after an idle one; nil if it was the last.
    func nextIdle(after number: ProducerID) -> ProducerID? { slots[number].newer.optional }

    /// How long a producer has been idle at a running time; 0 if it is in use.
    func idleTime(_ number: ProducerID, at running: Milliseconds) -> Milliseconds {
        let producer = slots[number]
        return producer.isIdle ? running - producer.idleSince : .zero
    }

    private mutating func link(_ number: ProducerID) {
        assert(slots[number].isIdle, "only idle producers are in the chain")
        slots[number].older = newest
        slots[number].newer = .none
        if newest == .none { oldest = number } else { slots[newest].newer = number }
        newest = number
    }

    private mutating func unlink(_ number: ProducerID) {
        let (older, newer) = (slots[number].older, slots[number].newer)
        assert((older == .none) == (oldest == number), "the producer is not in the chain")
        if older == .none { oldest = newer } else { slots[older].newer = newer }
        if newer == .none { newest = older } else { slots[newer].older = older }
    }

    // MARK: - Restoring

    /// What a checkpoint contains about a producer; see `Producer`.
    struct StoredProducer {
        let app: AppID
        let name: ByteView
        let lastSeq: UInt64
        let usedAt: WallTime
        let idleSince: Milliseconds
        let forgottenRejection: UInt64
        /// The rejected pushes that are known; see `RejectionTable.Rejections`.
        var rejected: ContiguousArray<RejectionTable.Rejection> = []
    }

    /// Adds a producer from a checkpoint; if it is idle, `finishRestoring` adds it to the chain.
    /// Returns whether its rejected pushes are in order.
    mutating func restore(_ number: ProducerID, from restored: StoredProducer) -> Bool {
        insert(of: restored.app, named: restored.name, at: number)
        slots[number].lastSeq = restored.lastSeq
        slots[number].usedAt = restored.usedAt
        slots[number].idleSince = restored.idleSince
        return rejections.restore(
            restored.rejected,
            forgottenSeq: restored.forgottenRejection,
            of: number
        )
    }

    /// Extends the numbers to `end`; those below it without a restored producer become free.
    mutating func restore(end: UInt32) {
        let nobody = Producer(app: .first, nameCount: 0, name: 0, usedAt: .zero, idleSince: .zero)
        slots.extend(to: end, filling: nobody)
    }

    /// Sets the session that spoke for a producer when the checkpoint began.
    mutating func restoreSession(
        _ number: ProducerID,
        on connection: ConnectionSlot,
        session: UInt64
    ) {
        slots[number].connection = connection
        slots[number].session = session
    }

    /// Restores that a push of a producer is not settled.
    mutating func restoreUnsettled(_ number: ProducerID) { slots[number].unsettled += 1 }

    /// Links all idle producers in the order in which they became idle.
    mutating func finishRestoring() {
        var idle: [(since: Milliseconds, number: ProducerID)] = []
        for number in slots.ids where isKnown(number) && slots[number].isIdle {
            idle.append((slots[number].idleSince, number))
        }
        idle.sort { ($0.since, $0.number) < ($1.since, $1.number) }
        for producer in idle { link(producer.number) }
    }
}
