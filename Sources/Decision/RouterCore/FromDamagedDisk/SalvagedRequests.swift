internal import Basics
internal import StoreFormat
internal import WidgetMatching

/// The keys of requests over HTTP that a salvage keeps, so that what is sent again has no effect
/// again.
///
///     table: keys, and the chains that say whose they are ─┐
///     journal: `request`, `batch`, `rejected`, `answered` ─┴─► sessions of an own producer
///
/// A key that the table has is counted on from the checkpoint: what came before is in the table.
/// Of the others, all of the journal counts. What the journal says was forgotten is kept all the
/// same, until the router forgets it once more. How many widgets a request has matched follows from
/// records that are gone, so its repeated answer says 0.
struct SalvagedRequests {
    /// A key, and what is known of its request.
    struct Kept {
        /// The number that its app had.
        let app: Int
        let key: RequestKey
        /// Whether the table has it.
        let isOfTable: Bool
        var lines: Int
        var accepted: Int
        var isAnswered: Bool
        var rejected: ContiguousArray<RequestKeyTable.Rejection>
    }

    /// The keys, oldest first.
    private(set) var kept: [Kept] = []
    /// Where a key is among them, by its name.
    private var index: [RequestKey: Int] = [:]
    /// Keys of the table that no chain has named yet.
    private var loose: [UInt32: RequestKeyTable.Entry] = [:]
    /// The requests under way, by the numbers of their producers.
    private var open: [Int: RequestKeyTable.Open] = [:]
    /// Those that were under way at the checkpoint, until the journal gets there.
    private var openAtCheckpoint: [Int: RequestKeyTable.Open]?
    /// Whether the records that come are in the checkpoint already.
    private var isCovered = false
    /// By the names of keys, the numbers of producers that say whose these are, if others may have
    /// had the numbers when the keys came.
    private var guesses: [RequestKey: Int] = [:]
    /// Requests in the journal whose producers, or whose ends, are not known.
    private var unknownRequests: UInt64 = 0

    /// How many keys cannot be kept, because it is not known whose they are.
    var lostCount: UInt64 { UInt64(loose.count) + unknownRequests }

    // MARK: - The table

    /// Adds a page of keys.
    mutating func add(page: UInt32, from reader: inout StoreReader) throws(StoreError) {
        if page >= SlabPages.limit { throw reader.corrupt("there is no page \(page)") }
        var number = SlabPages.first(of: page)
        while !reader.isAtEnd {
            var entry = RequestKeyTable.Entry.empty
            try entry.read(&reader)
            let isPossible =
                entry.accepted <= entry.lines && entry.lines <= RequestKeyTable.linesLimit
            if isPossible && entry.accepted > 0 { loose[number] = entry }
            number += 1
        }
    }

    /// Adds the chains, which come after all pages.
    mutating func addQueues(_ reader: inout StoreReader) throws(StoreError) {
        _ = try reader.read(UInt32.self)
        var places: [UInt32: Int] = [:]
        for _ in 0..<(try reader.readCount(atMost: AppID.count)) {
            let app = try reader.readNumber(of: AppID.self)
            var number = try reader.read(UInt32.self)
            _ = try reader.read(UInt32.self)
            _ = try reader.readVarint()
            // A chain ends where a page is missing.
            while let entry = loose.removeValue(forKey: number) {
                places[number] = kept.count
                insert(
                    Kept(
                        app: app.index,
                        key: entry.key,
                        isOfTable: true,
                        lines: entry.lines,
                        accepted: entry.accepted,
                        isAnswered: entry.isAnswered,
                        rejected: []
                    )
                )
                number = entry.newer.rawValue
            }
        }
        var found: [Int: RequestKeyTable.Open] = [:]
        for _ in 0..<(try reader.readCount(atMost: reader.remainingCount)) {
            let producer = Int(try reader.readNumber())
            found[producer] = try RequestKeyTable.Open(reading: &reader)
        }
        openAtCheckpoint = found
        for _ in 0..<(try reader.readCount(atMost: reader.remainingCount)) {
            let place = places[try reader.readNumber()]
            let rejected = try reader.readRefusedLines()
            if let place { kept[place].rejected = rejected }
        }
    }

    // MARK: - The journal

    /// Begins a record of the journal. `checkpoint` is the position of the last record which is in
    /// the checkpoint; nil if it is not known.
    mutating func begin(record position: UInt64, checkpoint: UInt64?) {
        isCovered = position <= checkpoint ?? .max
        if isCovered { return }
        if let openAtCheckpoint { open = openAtCheckpoint }
        openAtCheckpoint = nil
    }

    /// A producer begins or continues a request. The app is that of the producer that has the
    /// number at the checkpoint; if it is not known (nil), it is the app of the key. `firstSeq` is
    /// the number that the push of its first line has, or would have; `isLater` says whether this
    /// is known to be after the checkpoint.
    mutating func began(
        _ key: RequestKey,
        of producer: Int,
        app: Int?,
        firstSeq: UInt64,
        isLater: Bool = true
    ) {
        open[producer] = nil
        guard let app = app ?? index[key.name].map({ kept[$0].app }) else {
            unknownRequests += 1
            return
        }
        var request = RequestKeyTable.Open(
            key: key,
            app: AppID(rawValue: UInt16(truncatingIfNeeded: app)),
            firstSeq: firstSeq
        )
        if let place = index[key.name] {
            let known = kept[place]
            if known.isAnswered || known.isOfTable && isCovered { return }
            (request.lines, request.accepted) = (known.lines, known.accepted)
            request.rejected = known.rejected
        } else if !isLater {
            guesses[key.name] = producer
        }
        open[producer] = request
    }

    /// Pushes of a producer were accepted, up to a number.
    mutating func accepted(upTo seq: UInt64, count: UInt64, of producer: Int) {
        guard var request = open[producer], seq >= request.firstSeq,
            seq - request.firstSeq < UInt64(RequestKeyTable.linesLimit)
        else { return }
        request.lines = max(request.lines, Int(seq - request.firstSeq) + 1)
        request.accepted += min(Int(clamping: count), request.lines - request.accepted)
        open[producer] = request
        store(request, isAnswered: false)
    }

    /// A push of a producer was refused.
    mutating func rejected(_ seq: UInt64, with code: ErrorCode, of producer: Int) {
        open[producer]?.reject(seq, with: code)
    }

    /// A producer's request has ended; `lines` is 0 if some of them are left.
    mutating func ended(of producer: Int, lines: Int) {
        guard var request = open.removeValue(forKey: producer) else { return }
        if lines < request.lines || lines > RequestKeyTable.linesLimit { return }
        if request.accepted == 0 { return }
        request.lines = lines
        store(request, isAnswered: true)
    }

    /// A session of a producer has begun: its pushes are of no earlier request.
    mutating func sessionBegan(of producer: Int) { open[producer] = nil }

    /// A session has begun of one of several producers, and it is not known of which.
    mutating func sessionBegan(ofOneWhere isPossible: (Int) -> Bool) {
        let count = open.count
        open = open.filter { !isPossible($0.key) }
        unknownRequests += UInt64(count - open.count)
    }

    /// Numbers were those of other producers until now, and so it is not known whose the keys are
    /// that came with them.
    mutating func numbersReused(_ isReused: (Int) -> Bool) {
        let unclear = guesses.filter { isReused($0.value) }
        if unclear.isEmpty { return }
        open = open.filter { unclear[$0.value.key.name] == nil }
        let count = kept.count
        kept.removeAll { unclear[$0.key.name] != nil }
        for name in unclear.keys { guesses[name] = nil }
        if kept.count == count { return }
        unknownRequests += UInt64(count - kept.count)
        index = [:]
        for place in kept.indices { index[kept[place].key.name] = place }
    }

    private mutating func insert(_ request: Kept) {
        index[request.key.name] = kept.count
        kept.append(request)
    }

    private mutating func store(_ request: RequestKeyTable.Open, isAnswered: Bool) {
        let rejected = request.rejected.filter { Int($0.line) <= request.lines }
        let now = Kept(
            app: request.app.index,
            key: request.key,
            isOfTable: false,
            lines: request.lines,
            accepted: request.accepted,
            isAnswered: isAnswered,
            rejected: ContiguousArray(rejected)
        )
        guard let place = index[request.key.name] else { return insert(now) }
        kept[place].lines = now.lines
        kept[place].accepted = now.accepted
        kept[place].isAnswered = isAnswered
        kept[place].rejected = now.rejected
    }
}

extension SalvagedRequests.Kept {
    /// Writes the request as one of a producer, whose push before its first one is `lastSeq`.
    func write(to writer: inout StoreWriter, of producer: ProducerID, after lastSeq: UInt64) {
        let firstSeq = lastSeq + 1
        let source = PushSource.producer(producer)
        RouterInput.requestBegan(producer: producer, key: key, firstSeq: firstSeq)
            .write(to: &writer)
        for line in rejected {
            let seq = lastSeq + UInt64(line.line)
            RouterInput.pushRejected(producer: producer, seq: seq, code: line.code)
                .write(to: &writer)
        }
        let batch = WidgetMatcher.batchLimit
        var (seq, left) = (lastSeq, accepted)
        while left > batch {
            seq += UInt64(batch)
            left -= batch
            RouterInput.batchEnded(source: source, last: seq, count: UInt64(batch))
                .write(to: &writer)
        }
        let end = lastSeq + UInt64(lines)
        RouterInput.batchEnded(source: source, last: end, count: UInt64(left))
            .write(to: &writer)
        if isAnswered {
            RouterInput.requestEnded(producer: producer, lines: lines).write(to: &writer)
        }
    }
}

extension RequestKey {
    /// The same for all requests of a name, whatever they say.
    fileprivate var name: RequestKey { RequestKey(high: high, low: low, content: 0) }
}
