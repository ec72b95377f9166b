package import Basics
internal import FrameCodec
internal import ReloadScheduling
package import StoreFormat

/// What can be kept of a store when records of its table are missing: apps, producers with the last
/// push of each, keys of requests, devices with their widgets and push tokens, and which tokens are
/// revoked.
///
/// The rest of the state is in records that depend on each other: dates, budgets, and reloads that
/// wait. So it is left out and counted, and a journal is made that lets a new router learn the
/// other things as it would from clients. Its first body numbers the producers; then there is one
/// for each producer, each key of a request and each device.
///
///     table: what can be read ─┐
///     journal: all that can be read ─┴─► bodies of a new journal
package struct StateSalvage: ~Copyable {
    struct Report {
        var app: Int
        /// The body of a WIDGETS frame.
        var body: [UInt8]
    }

    /// The name of a device and the number that its app had.
    struct DeviceName: Hashable, Comparable {
        let app: Int
        let device: [UInt8]

        static func < (one: DeviceName, other: DeviceName) -> Bool {
            one.app == other.app
                ? one.device.lexicographicallyPrecedes(other.device) : one.app < other.app
        }
    }

    /// The name of a producer of the router's own, for requests over HTTP; there is one for each
    /// sender and lane, and a salvage gives all requests of an app to this one.
    static var ownProducer: [UInt8] { Array("(http)".utf8) }

    var table = SalvagedTable()
    private var parts = RecordParts()
    /// The record of which a part is missing, so that the others are of no use.
    private var dropped: TableKey?
    private var isTableRead = false
    /// Why records cannot be kept, one sentence each.
    package private(set) var problems: [StoreError] = []
    var requests = SalvagedRequests()
    var losses = SalvageLosses()
    /// The position of the first record that the journal has had; nil if it is not known.
    private var firstPosition: UInt64?
    /// The position of the journal's record that is read.
    private var position: UInt64 = 0
    /// Whether the journal that was read lacks nothing so far, from the very first record on.
    private var isUnbroken = true
    /// Whether entries are missing of after the checkpoint.
    private var hasGap = false
    /// Whether it is known which numbers of producers are free.
    private var knowsFreeNumbers = true
    var clock: (Instant, ScheduleClock)?
    /// The names of apps, by the numbers that they had.
    var apps: [String] = []
    /// The names of these and of apps whose numbers are not known. `String` compares what letters
    /// look like, but apps differ by their bytes.
    var knownApps: Set<[UInt8]> = []
    var kinds: [String] = []
    var appFile: [UInt8] = []
    var producers = SalvagedProducers()
    var reports: [Report] = []
    /// Lists of before the checkpoint, which come before those of the table.
    var coveredReports: [Report] = []
    /// The app of each session that was open.
    var sessions: [UInt32: Int] = [:]
    /// The same at the checkpoint, until the journal gets there; nil if it is not known.
    private var sessionsAtCheckpoint: [UInt32: Int]?
    /// The numbers of devices whose tokens are for Apple's sandbox.
    var sandboxDevices: Set<UInt32> = []
    var revocations: [DeviceName: WallTime] = [:]

    /// Makes a salvage of nothing.
    package init() {}

    /// The number of accepted pushes of producers of which it is not known who they are.
    package var namelessPushes: UInt64 { producers.namelessPushes }

    /// What was read and is not kept; complete after `bodies`.
    package var lost: SalvageLosses {
        var lost = losses
        lost.add(requests.lostCount, of: .requestKeys)
        let lacksList = !table.isEmpty && !table.isCurrent(.revocations)
        lost.lacksRevocations = hasGap || lacksList
        return lost
    }

    // MARK: - Reading

    /// Adds a record of the table, or a part of one; they come in the order of their keys, and of
    /// each number only the newest.
    package mutating func add(_ key: TableKey, body: ByteView) {
        finishRecord(before: key)
        table.begin(key)
        // Records that are left out need not be joined.
        if [.origin, .fields].contains(StateRecord(rawValue: key.type)) { return }
        var record = key
        record.part = 0
        if record == dropped { return }
        do throws(StoreError) {
            let isLong = StateRecord.mayHaveMoreParts(key.type, byteCount: body.count)
            if try parts.begin(key, body: body, isLong: isLong) { return }
            take(key, body: body)
        } catch {
            parts.drop()
            dropped = record
            problems.append(error)
        }
    }

    private mutating func finishRecord(before key: TableKey?) {
        guard let whole = parts.finish(before: key) else { return }
        take(whole.key, body: whole.body)
    }

    mutating func endTable() {
        if isTableRead { return }
        isTableRead = true
        finishRecord(before: nil)
        if table.isEmpty { return }
        if !table.isCurrent(.connections) { sessions = [:] }
        sessionsAtCheckpoint = table.isCurrent(.connections) ? sessions : nil
        if !apps.isEmpty && !table.isCurrent(.catalog) {
            let sentence = "the table's apps, kinds and app file are of an earlier checkpoint"
            problems.append(StoreError.corrupt(sentence))
        }
        let count = producers.known.count
        knowsFreeNumbers =
            table.isCurrent(.shared) && table.producerCount == count
            && (count == 0 || table.isCurrent(.producers))
    }

    /// Adds a whole record of the table.
    private mutating func take(_ key: TableKey, body: ByteView) {
        guard let record = StateRecord(rawValue: key.type) else { return }
        do throws(StoreError) {
            var reader = StoreReader(body)
            try read(record, key: key, from: &reader)
            table.end(record, of: key.epoch)
        } catch {
            problems.append(error.found(in: "table record \(key)"))
        }
    }

    /// Begins the journal, at the position of the first record that its files have had; nil if it
    /// is not known.
    package mutating func beginJournal(at first: UInt64?) { firstPosition = first }

    private mutating func add(_ report: Report) {
        // The table has the same list, or a later one, unless it has lost it.
        if isCovered { coveredReports.append(report) } else { reports.append(report) }
    }

    /// Adds a record of the journal; records come in their order, those of before the checkpoint
    /// included. What follows an entry that cannot be read is left out.
    package mutating func add(_ record: JournalRecord) {
        endTable()
        // What comes before the first record may be in a checkpoint whose position is not known.
        let first = firstPosition ?? record.position
        let start = position == 0 && !table.isEmpty ? first - 1 : 0
        let isGap = record.position > max(position, table.position ?? start) + 1
        if record.position > position + 1 { noteGap() }
        position = record.position
        requests.begin(record: position, checkpoint: table.position)
        if position > table.position ?? .max, let known = sessionsAtCheckpoint {
            (sessions, sessionsAtCheckpoint) = (known, nil)
        }
        if isGap { noteGap() }
        do throws(StoreError) {
            var reader = InputReader(record.body)
            var isAtEnd = false
            while !isAtEnd {
                isAtEnd = try !reader.next { input in
                    add(input)
                    return nil
                }
            }
        } catch {
            problems.append(error.found(in: "journal record \(position)"))
            noteGap()
        }
    }

    /// Ends the journal; `last` is the position of the last record that it is known to have had.
    package mutating func endJournal(at last: UInt64) {
        endTable()
        if last <= max(position, table.position ?? 0) { return }
        position = last
        requests.begin(record: position, checkpoint: table.position)
        noteGap()
    }

    /// Remembers that entries are missing after the last one that was read: any session and any
    /// request may have ended there.
    private mutating func noteGap() {
        (isUnbroken, sessions) = (false, [:])
        if !isLater { requests.numbersReused { _ in true } }
        requests.sessionBegan { _ in true }
        if !isCovered { (hasGap, knowsFreeNumbers) = (true, false) }
    }

    /// Whether the record is known to be of after the checkpoint.
    private var isLater: Bool { table.isEmpty || position > table.position ?? .max }

    /// Whether the record is known to be in the checkpoint.
    private var isCovered: Bool { position <= table.position ?? 0 }

    private mutating func add(_ input: borrowing RouterInput) {
        switch input {
        case .clock(let now, let schedule): clock = (now, schedule)
        case .catalogInstalled(let declarations, let source, _, _):
            // A whole table has what came later, which may be missing here.
            if !isCovered || !table.isCurrent(.catalog) { appFile = source.array }
            number(declarations)
        case .catalogChanged(let declared, _, _, _, _): number(declared)
        case .sessionOpened(let connection, let role, let app, let name):
            sessions[connection.rawValue] = app.index
            if role == .publisher { sessionBegan(of: name.array, app: app.index) }
        case .deviceFrame(let connection, .widgets, let body):
            guard let app = sessions[connection.rawValue] else {
                addLater(.lists)
                break
            }
            add(Report(app: app, body: body.array))
        case .deviceReported(let app, .widgets, let body):
            add(Report(app: app.index, body: body.array))
        case .deviceFrame(_, .timeline, _), .deviceReported(_, .timeline, _): addLater(.timelines)
        case .delivered: addLater(.deliveries)
        case .deviceForgotten: losses.add(of: .removals)
        case .tokensRevoked(let app, let device, let before):
            // As for the app file: a later one may be missing here.
            if isCovered && table.isCurrent(.revocations) { break }
            revoke(DeviceName(app: app.index, device: device.array), before: before)
        case .producersForgotten(let list):
            let numbers = Set(list.indices.map { list[$0].index })
            if isLater {
                for number in numbers { producers.forget(number) }
                break
            }
            // In a checkpoint, a number may be that of another producer by now.
            for number in numbers { producers.discardPushes(of: number) }
            requests.numbersReused(numbers.contains)
        case .batchEnded(.producer, _, _), .pushesAccepted, .pushRejected, .requestBegan,
            .requestEnded:
            addPushes(of: input)
        default: break
        }
    }

    /// Adds what is known of a producer's pushes.
    private mutating func addPushes(of input: borrowing RouterInput) {
        switch input {
        case .batchEnded(.producer(let producer), let lastSeq, let count):
            accepted(upTo: lastSeq, count: count, of: producer)
        case .pushesAccepted(let producer, let pushes):
            if pushes.isEmpty { break }
            let lastSeq = pushes[pushes.count - 1].seq
            accepted(upTo: lastSeq, count: UInt64(pushes.count), of: producer)
        case .pushRejected(let producer, let seq, let code):
            requests.rejected(seq, with: code, of: producer.index)
        case .requestBegan(let producer, let key, let firstSeq):
            let app = producers.known[producer.index]?.app
            let number = producer.index
            requests.began(key, of: number, app: app, firstSeq: firstSeq, isLater: isLater)
        case .requestEnded(let producer, let lines):
            requests.ended(of: producer.index, lines: lines)
        default: preconditionFailure("no input of a producer's pushes")
        }
    }

    private mutating func accepted(upTo lastSeq: UInt64, count: UInt64, of producer: ProducerID) {
        requests.accepted(upTo: lastSeq, count: count, of: producer.index)
        // The table has them already, or their producer was forgotten before the checkpoint.
        let isOfTable = table.isCurrent(.producers) && producers.known[producer.index] != nil
        if isCovered && (isOfTable || knowsFreeNumbers) { return }
        producers.accepted(upTo: lastSeq, count: count, of: producer.index)
    }

    /// Counts what the journal has and the table has not.
    private mutating func addLater(_ kind: SalvageLosses.Kind) {
        if !isCovered { losses.add(of: kind) }
    }

    mutating func revoke(_ name: DeviceName, before: WallTime?) {
        revocations[name] = before.map { max($0, revocations[name] ?? $0) }
    }

    /// Gives the apps of an app file that are new the next numbers, if all before are known.
    private mutating func number(_ declarations: AppCatalog) {
        let isNext = !hasGap && (isUnbroken || table.isCurrent(.catalog))
        for app in declarations.apps.map(\.app)
        where knownApps.insert(Array(app.utf8)).inserted {
            if isNext {
                apps.append(app)
                continue
            }
            let sentence = "records of app \"\(app)\" are lost: its number is not known"
            problems.append(StoreError(.gap, message: sentence))
        }
    }

    private mutating func sessionBegan(of name: [UInt8], app: Int) {
        if let number = producers.find(name, of: app) { return requests.sessionBegan(of: number) }
        if knowsFreeNumbers && isLater {
            return requests.sessionBegan(of: producers.insert(name, of: app))
        }
        let known = producers.known
        requests.sessionBegan { known[$0] == nil }
    }
}
