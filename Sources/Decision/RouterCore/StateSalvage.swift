package import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
package import StoreFormat
internal import StrictJSON
internal import Times

/// What can be kept of a store when records of its table are missing: apps, producers with the last
/// push of each, keys of requests, devices with their widgets and push tokens, and which tokens are
/// revoked.
///
/// The rest of the state is in records that depend on each other: dates, budgets, and reloads that
/// wait. So it is left out and counted, and a journal is made that lets a new router learn the
/// other things as it would from clients. It has one journal body for each producer, each key of a
/// request and each device.
///
///     table: what can be read ─┐
///     journal: all that can be read ─┴─► bodies of a new journal
package struct StateSalvage {
    struct Producer {
        var app: Int
        var name: [UInt8]
        var lastSeq: UInt64
    }

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

    /// The name of each app's own producer, for requests over HTTP.
    static var ownProducer: [UInt8] { Array("(http)".utf8) }

    private var versions: [UInt32: UInt32] = [:]
    /// The position of the newest checkpoint; nil if it is not known.
    private var checkpoint: UInt64?
    /// Whether there is a table, and whether its list of revoked tokens was read.
    private var hasTable = false
    private var hasRevocations = false
    var requests = SalvagedRequests()
    var losses = SalvageLosses()
    /// The position of the journal's record that is read.
    private var position: UInt64 = 0
    var clock: (Instant, ScheduleClock)?
    /// The names of apps, by the numbers that they had.
    var apps: [String] = []
    private var kinds: [String] = []
    var appFile: [UInt8] = []
    var producers: [Int: Producer] = [:]
    var reports: [Report] = []
    /// The app of each session that was open, and its producer.
    private var sessions: [UInt32: (app: Int, producer: Int?)] = [:]
    var revocations: [DeviceName: WallTime] = [:]
    /// The number of accepted pushes of producers whose names are lost.
    package private(set) var namelessPushes: UInt64 = 0

    /// Makes a salvage of nothing.
    package init() {}

    /// The number of producers that are kept.
    package var producerCount: Int { producers.count }

    /// What was read and is not kept; complete after `bodies`.
    package var lost: SalvageLosses {
        var lost = losses
        lost.add(requests.lostCount, of: .requestKeys)
        let version = versions.values.max() ?? StateRecord.version
        lost.lacksRevocations = hasTable && version >= 7 && !hasRevocations
        return lost
    }

    // MARK: - Reading

    /// Adds a record of the table; records come in the order of their keys, and of each number only
    /// the newest.
    ///
    /// - Throws: `corrupt` if the record cannot be read; it is left out then.
    package mutating func add(_ key: TableKey, body: ByteView) throws(StoreError) {
        hasTable = true
        var reader = StoreReader(body)
        switch StateRecord(rawValue: key.type) {
        case .manifest:
            let manifest = try StoreManifest(epoch: key.epoch, reading: &reader)
            versions[key.epoch] = manifest.version
            checkpoint = max(checkpoint ?? 0, manifest.position)
        case .shared: try addClock(&reader)
        case .catalog: try addCatalog(&reader)
        case .producers: try addProducers(key, from: &reader)
        case .connections: try addConnections(&reader)
        case .registration:
            if !reader.isAtEnd { try addRegistration(key, from: &reader) }
        case .requestKeys: try requests.add(page: key.number, from: &reader)
        case .requestQueues: try requests.addQueues(&reader)
        case .widgets, .schedules, .pushes:
            let type = StateRecord(rawValue: key.type)!
            try losses.add(type, from: &reader, version: version(of: key))
        case .revocations:
            try TokenRevocations.forEach(from: &reader) { entry in
                revoke(DeviceName(app: entry.app.index, device: entry.device), before: entry.before)
            }
            hasRevocations = true
        default: break
        }
    }

    /// The version of a record's meaning: as its manifest says, or the newest if that is lost.
    private func version(of key: TableKey) -> UInt32 {
        versions[key.epoch] ?? versions.values.max() ?? StateRecord.version
    }

    private mutating func addClock(_ reader: inout StoreReader) throws(StoreError) {
        let isSet = try reader.readBool()
        let monotonic = try reader.read(MonotonicTime.self)
        let now = Instant(monotonic: monotonic, wall: try reader.read(WallTime.self))
        let schedule = try ScheduleClock(reading: &reader)
        if isSet { clock = (now, schedule) }
    }

    private mutating func addCatalog(_ reader: inout StoreReader) throws(StoreError) {
        var names: [String] = []
        for _ in 0..<(try reader.readCount(atMost: AppID.count)) {
            names.append(try reader.readCounted().string)
        }
        var kindNames: [String] = []
        for _ in 0..<(try reader.readCount(atMost: KindID.count)) {
            _ = try reader.readNumber(of: AppID.self)
            kindNames.append(try reader.readCounted().string)
        }
        for _ in 0..<(try reader.readCount(atMost: reader.remainingCount)) {
            _ = try reader.readNumber(of: AppID.self)
            _ = try reader.readCounted()
        }
        (apps, kinds, appFile) = (names, kindNames, try reader.readCounted().array)
    }

    private mutating func addProducers(
        _ key: TableKey,
        from reader: inout StoreReader
    ) throws(StoreError) {
        let version = version(of: key)
        let count = try reader.readCount(atMost: StateRecord.producersPerRecord)
        for index in 0..<count {
            var app = try reader.readCount(atMost: AppID.count)
            if version >= 2 {
                if app == 0 { continue }
                app -= 1
            }
            let name = try reader.readCounted().array
            let lastSeq = try reader.readVarint()
            let number = Int(key.number) * StateRecord.producersPerRecord + index
            producers[number] = Producer(app: app, name: name, lastSeq: lastSeq)
            if version >= 2 {
                _ = try reader.readSigned()
                _ = try reader.readVarint()
            }
            if version < 3 { continue }
            _ = try reader.readVarint()
            for _ in 0..<(try reader.readCount(atMost: RouterLimits.rejectionsPerProducer)) {
                _ = try reader.readVarint()
                _ = try reader.read(UInt8.self)
            }
        }
    }

    private mutating func addConnections(_ reader: inout StoreReader) throws(StoreError) {
        while !reader.isAtEnd {
            let connection = try reader.read(UInt32.self)
            _ = try reader.read(UInt64.self)
            let app = try reader.readCount(atMost: AppID.count)
            var producer: Int?
            switch try Peer(reading: &reader) {
            case .publisher: producer = Int(try reader.readNumber())
            case .device: _ = try reader.readCounted()
            case .gateway, .server: break
            }
            sessions[connection] = (app, producer)
        }
    }

    private mutating func addRegistration(
        _ key: TableKey,
        from reader: inout StoreReader
    ) throws(StoreError) {
        let app = try reader.readCount(atMost: AppID.count)
        var json = JSONWriter()
        json.beginObject()
        json.member("device", value: try reader.readCounted())
        let tokens = try TokenParts(reading: &reader)
        let hasEnds = version(of: key) >= 5
        if tokens.contains(.widgets) { json.member("pushToken", value: try reader.readPushToken()) }
        if tokens.contains(.app) {
            json.member("appPushToken", value: try readToken(&reader, hasEnd: hasEnds))
        }
        let count = try reader.readCount(atMost: Int(UInt16.max))
        json.key("widgets")
        json.beginArray()
        for _ in 0..<count {
            _ = try reader.readNumber()
            let kind = try reader.readCount(atMost: KindID.count - 1)
            json.beginObject()
            json.member("id", value: try reader.readCounted())
            // A kind whose name is lost is refused when the record is applied.
            json.member("kind", value: kind < kinds.count ? kinds[kind] : "")
            json.key("configuration")
            json.raw(try reader.read(raw: Int(try reader.read(UInt32.self))))
            if tokens.contains(.families) {
                let family = try FamilyDigest(reading: &reader)
                if family != .none { json.member("family", value: family.name) }
            }
            if tokens.contains(.controls), try reader.readBool() {
                json.member("pushToken", value: try readToken(&reader, hasEnd: hasEnds))
            }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        reports.append(Report(app: app, body: json.bytes))
    }

    private mutating func readToken(
        _ reader: inout StoreReader,
        hasEnd: Bool
    ) throws(StoreError) -> ByteView {
        let token = try reader.readPushToken()
        if try reader.readTokenState() == .good { return token }
        losses.add(of: .deadTokens)
        if hasEnd {
            var end = TokenEnd.none
            try end.read(&reader)
        }
        return token
    }

    /// Adds a record of the journal; records come in their order, those of before the checkpoint
    /// included.
    ///
    /// - Throws: `corrupt` from the entry on that cannot be read.
    package mutating func add(_ record: JournalRecord) throws(StoreError) {
        position = record.position
        requests.begin(record: position, checkpoint: checkpoint)
        var reader = InputReader(record.body)
        var isAtEnd = false
        while !isAtEnd {
            isAtEnd = try !reader.next { input in
                add(input)
                return nil
            }
        }
    }

    private mutating func add(_ input: borrowing RouterInput) {
        switch input {
        case .clock(let now, let schedule): clock = (now, schedule)
        case .catalogInstalled(let declarations, let source, _):
            appFile = source.array
            for declaration in declarations.apps where !apps.contains(declaration.app) {
                apps.append(declaration.app)
            }
        case .catalogChanged(let declared, _, _, _):
            for declaration in declared.apps where !apps.contains(declaration.app) {
                apps.append(declaration.app)
            }
        case .sessionOpened(let connection, let role, let app, let name):
            var number: Int?
            if role == .publisher { number = self.number(of: name.array, app: app.index) }
            if let number { requests.sessionBegan(of: number) }
            sessions[connection.rawValue] = (app.index, number)
        case .deviceFrame(let connection, .widgets, let body):
            guard let session = sessions[connection.rawValue] else {
                losses.add(of: .lists)
                break
            }
            reports.append(Report(app: session.app, body: body.array))
        case .deviceReported(let app, .widgets, let body):
            reports.append(Report(app: app.index, body: body.array))
        case .deviceFrame(_, .timeline, _), .deviceReported(_, .timeline, _):
            addLater(.timelines)
        case .delivered: addLater(.deliveries)
        case .deviceForgotten: losses.add(of: .removals)
        case .tokensRevoked(let app, let device, let before):
            revoke(DeviceName(app: app.index, device: device.array), before: before)
        case .producersForgotten(let list):
            for index in list.indices { producers[list[index].index] = nil }
        case .batchEnded, .pushRejected, .requestBegan, .requestEnded: addPushes(of: input)
        default: break
        }
    }

    /// Adds what is known of a producer's pushes.
    private mutating func addPushes(of input: borrowing RouterInput) {
        switch input {
        case .batchEnded(let producer, let lastSeq, let count):
            requests.accepted(upTo: lastSeq, count: count, of: producer.index)
            guard let known = producers[producer.index] else {
                namelessPushes += count
                break
            }
            producers[producer.index]!.lastSeq = max(known.lastSeq, lastSeq)
        case .pushRejected(let producer, let seq, let code):
            requests.rejected(seq, with: code, of: producer.index)
        case .requestBegan(let producer, let key, let firstSeq):
            let app = producers[producer.index]?.app
            requests.began(key, of: producer.index, app: app, firstSeq: firstSeq)
        case .requestEnded(let producer, let lines):
            requests.ended(of: producer.index, lines: lines)
        default: preconditionFailure("no input of a producer's pushes")
        }
    }

    /// Counts what the journal has and the table has not.
    private mutating func addLater(_ kind: SalvageLosses.Kind) {
        if position > checkpoint ?? 0 { losses.add(of: kind) }
    }

    private mutating func revoke(_ name: DeviceName, before: WallTime?) {
        revocations[name] = before.map { max($0, revocations[name] ?? $0) }
    }

    /// The number of a producer, which is the lowest free one if its name is new.
    private mutating func number(of name: [UInt8], app: Int) -> Int {
        if let known = producers.first(where: { $0.value.app == app && $0.value.name == name }) {
            return known.key
        }
        var number = 0
        while producers[number] != nil { number += 1 }
        producers[number] = Producer(app: app, name: name, lastSeq: 0)
        return number
    }
}
