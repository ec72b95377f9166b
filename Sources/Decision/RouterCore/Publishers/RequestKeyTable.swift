internal import Basics
internal import StoreFormat

/// The keys of publishers' requests over HTTP, with what became of their pushes, so that a request
/// that is sent again has no effect again.
///
///     slots    0 │ 1 │ 2 │ 3 │ 4 │ …      28 bytes a key
///     app 0    ●───────●───────●          a chain for each app, the oldest key first
///     app 1        ●───────●
///     open     producer 7 ─► a request under way: key, number of its first push, counts so far
///
/// While a request is under way, its key belongs to the producer that its pushes are numbered with.
/// So the input that ends a batch accepts the pushes and counts them for the key at once: whatever
/// part of a request a crash leaves applied, its key says how far that part goes, and the rest
/// follows when the request is sent again. A key is kept from its first accepted push on; a request
/// whose pushes were all refused has changed nothing, and leaves none.
///
/// Keys are forgotten in the order of each app's chain, so that no search is needed and no app's
/// keys displace another's.
struct RequestKeyTable: ~Copyable {
    /// A line of a request, from 1, whose push was refused, and why.
    struct Rejection: Equatable, BitwiseCopyable {
        var line: UInt16
        var code: ErrorCode
    }

    /// A request under way.
    struct Open: Equatable {
        let key: RequestKey
        let app: AppID
        /// The number that the push of its first line has, or would have: an earlier part of the
        /// request may be applied already.
        let firstSeq: UInt64
        /// The lines up to the last accepted push.
        var lines = 0
        /// The accepted pushes.
        var accepted = 0
        /// The widgets that they matched.
        var matched: UInt64 = 0
        /// The refused lines that are remembered, in ascending order.
        var rejected: ContiguousArray<Rejection> = []
        /// Whether its session has ended while its producer has a fan-out, which still counts.
        var hasEnded = false

        /// Remembers that the line of the push `seq` was refused, and why.
        mutating func reject(_ seq: UInt64, with code: ErrorCode) {
            guard seq >= firstSeq, seq - firstSeq < UInt64(RequestKeyTable.linesLimit) else {
                return
            }
            let isFull = rejected.count == RequestKeyTable.rejectionsPerKey
            let line = UInt16(seq - firstSeq) + 1
            // The driver refuses what is too long before the router reads the lines in front of it.
            let index = rejected.firstIndex { $0.line >= line } ?? rejected.count
            if index < rejected.count, rejected[index].line == line { return }
            if index == RequestKeyTable.rejectionsPerKey { return }
            if isFull { rejected.removeLast() }
            rejected.insert(Rejection(line: line, code: code), at: index)
        }
    }

    /// The chain of an app's keys.
    struct Queue: Equatable, BitwiseCopyable {
        var oldest = RequestKeyID.none
        var newest = RequestKeyID.none
        var count = 0
        /// The refused lines that are remembered of its keys.
        var refusedLines = 0
    }

    /// The most lines of a request.
    static var linesLimit: Int { 10_000 }
    /// The most refused lines that are remembered of a request; a repeated answer names no others.
    static var rejectionsPerKey: Int { 64 }
    /// The most refused lines that are remembered of all requests. Each app has an equal share;
    /// beyond it, those of its further requests are not remembered.
    static var rejectionsLimit: Int { 65_536 }
    /// The least share of an app.
    static var leastRejectionsShare: Int { 1_024 }

    private(set) var slots = TrackedSlab<RequestKeyID, Entry>()
    private(set) var index = HashIndex()
    /// The chains by the apps' numbers.
    private(set) var queues = NumberedArray<AppID, Queue>()
    /// The requests under way, by their producers.
    private(set) var open: [ProducerID: Open] = [:]
    /// The refused lines of kept keys that have any.
    private(set) var rejections: [RequestKeyID: ContiguousArray<Rejection>] = [:]
    /// The number of these lines.
    private(set) var rejectionCount = 0
    /// The most refused lines of an app.
    var rejectionsPerApp = Self.rejectionsLimit
    /// Whether a checkpoint's record of the chains was restored.
    private(set) var isRestored = false
    private let hashKey: HashKey

    init(hashKey: HashKey) { self.hashKey = hashKey }

    /// The number of kept keys.
    var count: Int { slots.count }
    /// Bytes of the table that are allocated from the system.
    var byteCount: Int {
        slots.byteCount + index.byteCount + rejectionCount * MemoryLayout<Rejection>.stride
    }

    /// The number of an app's kept keys.
    func count(of app: AppID) -> Int { queues[app, default: Queue()].count }

    /// The kept key with the name of another one; nil if there is none.
    func find(_ key: RequestKey) -> RequestKeyID? {
        index.find(hash(of: key)) { slots[$0].key.hasName(of: key) }
    }

    private func hash(of key: RequestKey) -> UInt64 { hashKey.hash(key.high) }

    /// How many of an app's oldest keys, at most `most`, have been kept for long enough.
    func countOld(of app: AppID, at now: KeepTime, atMost most: Int) -> Int {
        var count = 0
        var next = queues[app, default: Queue()].oldest
        while count < most, !next.isNone, slots[next].since.isOld(at: now) {
            count += 1
            next = slots[next].newer
        }
        return count
    }

    // MARK: - Requests under way

    /// The key of a producer's request under way; nil if there is none.
    @inline(__always)
    func openKey(of producer: ProducerID) -> RequestKey? {
        open.isEmpty ? nil : open[producer]?.key
    }

    /// Begins a request whose pushes a producer will number, or continues one of which a part is
    /// applied.
    mutating func begin(_ key: RequestKey, of producer: ProducerID, app: AppID, firstSeq: UInt64) {
        assert(open[producer] == nil, "the producer has a request under way")
        var request = Open(key: key, app: app, firstSeq: firstSeq)
        if let number = find(key) {
            let entry = slots[number]
            assert(entry.key == key && !entry.isAnswered, "the request cannot be continued")
            request.lines = entry.lines
            request.accepted = entry.accepted
            request.matched = UInt64(entry.matched)
            request.rejected = rejections[number] ?? []
        }
        open[producer] = request
    }

    /// Counts the `count` pushes of a batch that was accepted, the last of which is `seq`, if they
    /// are of a request with a key. The present is given in running time.
    mutating func accepted(
        upTo seq: UInt64,
        count: UInt64,
        of producer: ProducerID,
        now: Milliseconds
    ) {
        if open.isEmpty { return }
        guard let firstSeq = open[producer]?.firstSeq else { return }
        open[producer]!.lines = Int(seq - firstSeq) + 1
        open[producer]!.accepted += Int(count)
        store(open[producer]!, isAnswered: false, now: now)
    }

    /// Adds what the accepted pushes of a producer's request matched.
    mutating func matched(_ count: UInt32, of producer: ProducerID, now: Milliseconds) {
        if open.isEmpty || count == 0 { return }
        guard open[producer] != nil else { return }
        open[producer]!.matched += UInt64(count)
        store(open[producer]!, isAnswered: false, now: now)
    }

    /// Remembers that a line of a producer's request was refused.
    mutating func rejected(_ seq: UInt64, with code: ErrorCode, of producer: ProducerID) {
        if open.isEmpty { return }
        open[producer]?.reject(seq, with: code)
    }

    /// Ends the request of a producer at a running time. `lines` is the number of all its lines, if
    /// each is accepted or refused; otherwise 0.
    mutating func end(of producer: ProducerID, lines: Int, now: Milliseconds) {
        guard var request = open.removeValue(forKey: producer) else { return }
        if lines == 0 || request.accepted == 0 { return }
        request.lines = lines
        store(request, isAnswered: true, now: now)
    }

    /// Ends the request of a producer whose session has ended; if the producer has a fan-out, its
    /// matches still count.
    mutating func sessionEnded(of producer: ProducerID, isFanningOut: Bool) {
        if open.isEmpty { return }
        if isFanningOut { open[producer]?.hasEnded = true } else { open[producer] = nil }
    }

    /// Counts what the last fan-out of a producer's request matched.
    mutating func fanOutEnded(of producer: ProducerID, matched count: UInt32, now: Milliseconds) {
        matched(count, of: producer, now: now)
        if open[producer]?.hasEnded == true { open[producer] = nil }
    }

    /// Writes what is known of a request into its key's slot, which is assigned at first.
    private mutating func store(_ request: Open, isAnswered: Bool, now: Milliseconds) {
        let number = find(request.key) ?? insert(request.key, of: request.app, now: now)
        slots[number].matched = UInt32(clamping: request.matched)
        slots[number].count(
            accepted: request.accepted,
            lines: request.lines,
            isAnswered: isAnswered
        )
        // Lines after the last accepted one are judged again if the request has to be continued.
        let refused = ContiguousArray(request.rejected.prefix { Int($0.line) <= request.lines })
        if !refused.isEmpty || rejections[number] != nil {
            remember(refused, of: number, app: request.app)
        }
    }

    private mutating func remember(
        _ refused: ContiguousArray<Rejection>,
        of key: RequestKeyID,
        app: AppID
    ) {
        let former = rejections.removeValue(forKey: key)?.count ?? 0
        rejectionCount -= former
        queues[app].refusedLines -= former
        let isTooMany = queues[app].refusedLines + refused.count > rejectionsPerApp
        if refused.isEmpty || isTooMany { return }
        rejections[key] = refused
        rejectionCount += refused.count
        queues[app].refusedLines += refused.count
    }

    // MARK: - Keys that come and go

    private mutating func insert(
        _ key: RequestKey,
        of app: AppID,
        now: Milliseconds
    ) -> RequestKeyID {
        let number = slots.insert(Entry(key: key, since: KeepTime(now)))
        index.insert(hash(of: key), number: number)
        var queue = queues[app, default: Queue()]
        if queue.newest.isNone { queue.oldest = number } else { slots[queue.newest].newer = number }
        queue.newest = number
        queue.count += 1
        queues[app, default: Queue()] = queue
        return number
    }

    /// Forgets an app's oldest keys, of which there must be `count` at least.
    mutating func forgetOldest(_ count: Int, of app: AppID) {
        for _ in 0..<count {
            let number = queues[app].oldest
            let entry = slots[number]
            index.remove(hash(of: entry.key), number: number)
            remember([], of: number, app: app)
            queues[app].oldest = entry.newer
            if entry.newer.isNone { queues[app].newest = .none }
            queues[app].count -= 1
            slots[number] = .empty
            slots.remove(number)
        }
    }

    // MARK: - Checkpoints

    /// Starts to track which pages change; see `TrackedSlab`.
    mutating func startTracking(isSaved: Bool) { slots.startTracking(isSaved: isSaved) }

    /// Begins a checkpoint of the present keys.
    mutating func beginCheckpoint() { slots.beginCheckpoint() }

    /// Abandons the running checkpoint.
    mutating func abandonCheckpoint() { slots.abandonCheckpoint() }

    /// The next page for the running checkpoint; nil if every page is written.
    mutating func nextUnwritten() -> SlabPage<Entry>? { slots.nextUnwritten() }

    // MARK: - Restoring

    /// Adds a page of keys that `restoreQueue` has yet to link.
    mutating func restore(
        _ body: (inout TrackedSlab<RequestKeyID, Entry>) throws(StoreError) -> Void
    ) throws(StoreError) {
        try body(&slots)
    }

    /// Records that the record of the chains was read; it comes after all pages.
    mutating func restoredQueues() {
        isRestored = true
        if rejections.isEmpty { return }
        for app in queues.ids {
            var number = queues[app].oldest
            while !number.isNone {
                queues[app].refusedLines += rejections[number]?.count ?? 0
                number = slots[number].newer
            }
        }
    }

    /// Links an app's keys, and returns whether they are a chain of entries that can be.
    mutating func restoreQueue(_ queue: Queue, of app: AppID) -> Bool {
        if count(of: app) > 0 || queue.count < 1 { return false }
        var (number, last) = (queue.oldest, RequestKeyID.none)
        for _ in 0..<queue.count {
            guard slots.has(number), !slots.isInUse(number) else { return false }
            let entry = slots[number]
            if entry.accepted < 1 || entry.accepted > entry.lines || entry.lines > Self.linesLimit
                || find(entry.key) != nil
            {
                return false
            }
            slots.insert(entry, at: number)
            index.insert(hash(of: entry.key), number: number)
            (last, number) = (number, entry.newer)
        }
        queues[app, default: Queue()] = queue
        return number.isNone && last == queue.newest
    }

    /// Restores a request that was under way, and returns whether it can be.
    mutating func restore(_ request: Open, of producer: ProducerID) -> Bool {
        let isPossible =
            request.accepted <= request.lines && request.lines <= Self.linesLimit
            && open[producer] == nil
        if isPossible { open[producer] = request }
        return isPossible
    }

    /// Restores the refused lines of a key, and returns whether they can be.
    mutating func restore(_ refused: ContiguousArray<Rejection>, of number: RequestKeyID) -> Bool {
        guard slots.isInUse(number), rejections[number] == nil, !refused.isEmpty,
            refused.count <= Self.rejectionsPerKey,
            refused.allSatisfy({ (1...slots[number].lines).contains(Int($0.line)) })
        else { return false }
        rejections[number] = refused
        rejectionCount += refused.count
        return true
    }
}
