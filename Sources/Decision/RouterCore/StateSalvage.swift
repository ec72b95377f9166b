package import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
package import StoreFormat
internal import StrictJSON
internal import Times

/// What can be kept of a store when records of its table are missing: apps, producers with the last
/// push of each, devices with their widgets and push tokens, and which tokens are revoked.
///
/// The rest of the state is in records that depend on each other: dates, budgets, and reloads that
/// wait. So it is left out, and a journal is made that lets a new router learn the other things as
/// it would from clients. It has one journal body for each producer and each device.
///
///     table: what can be read ─┐
///     journal: all that can be read ─┴─► bodies of a new journal
package struct StateSalvage {
    private struct Producer {
        var app: Int
        var name: [UInt8]
        var lastSeq: UInt64
    }

    private struct Report {
        var app: Int
        /// The body of a WIDGETS frame.
        var body: [UInt8]
    }

    /// The name of a device and the number that its app had.
    private struct DeviceName: Hashable, Comparable {
        let app: Int
        let device: [UInt8]

        static func < (one: DeviceName, other: DeviceName) -> Bool {
            one.app == other.app
                ? one.device.lexicographicallyPrecedes(other.device) : one.app < other.app
        }
    }

    private var versions: [UInt32: UInt32] = [:]
    private var clock: (Instant, ScheduleClock)?
    /// The names of apps, by the numbers that they had.
    private var apps: [String] = []
    private var kinds: [String] = []
    private var appFile: [UInt8] = []
    private var producers: [Int: Producer] = [:]
    private var reports: [Report] = []
    /// The app of each session that was open, and its producer.
    private var sessions: [UInt32: (app: Int, producer: Int?)] = [:]
    private var revocations: [DeviceName: WallTime] = [:]
    /// The number of accepted pushes of producers whose names are lost.
    package private(set) var namelessPushes: UInt64 = 0

    /// Makes a salvage of nothing.
    package init() {}

    /// The number of producers that are kept.
    package var producerCount: Int { producers.count }

    // MARK: - Reading

    /// Adds a record of the table; records come in the order of their keys, and of each number only
    /// the newest.
    ///
    /// - Throws: `corrupt` if the record cannot be read; it is left out then.
    package mutating func add(_ key: TableKey, body: ByteView) throws(StoreError) {
        var reader = StoreReader(body)
        switch StateRecord(rawValue: key.type) {
        case .manifest:
            versions[key.epoch] = try StoreManifest(epoch: key.epoch, reading: &reader).version
        case .shared: try addClock(&reader)
        case .catalog: try addCatalog(&reader)
        case .producers: try addProducers(key, from: &reader)
        case .connections: try addConnections(&reader)
        case .registration:
            if !reader.isAtEnd { try addRegistration(key, from: &reader) }
        case .revocations:
            try TokenRevocations.forEach(from: &reader) { entry in
                revoke(DeviceName(app: entry.app.index, device: entry.device), before: entry.before)
            }
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
            json.member("appPushToken", value: try Self.readToken(&reader, hasEnd: hasEnds))
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
            // A digest names no family.
            if tokens.contains(.families) { _ = try reader.read(UInt8.self) }
            if tokens.contains(.controls), try reader.readBool() {
                json.member("pushToken", value: try Self.readToken(&reader, hasEnd: hasEnds))
            }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        reports.append(Report(app: app, body: json.bytes))
    }

    private static func readToken(
        _ reader: inout StoreReader,
        hasEnd: Bool
    ) throws(StoreError) -> ByteView {
        let token = try reader.readPushToken()
        if try reader.readTokenState() != .good && hasEnd {
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
            sessions[connection.rawValue] = (app.index, number)
        case .deviceFrame(let connection, .widgets, let body):
            guard let session = sessions[connection.rawValue] else { break }
            reports.append(Report(app: session.app, body: body.array))
        case .deviceReported(let app, .widgets, let body):
            reports.append(Report(app: app.index, body: body.array))
        case .batchEnded(let producer, let lastSeq, let count):
            guard let known = producers[producer.index] else {
                namelessPushes += count
                break
            }
            producers[producer.index]!.lastSeq = max(known.lastSeq, lastSeq)
        case .producersForgotten(let list):
            for index in list.indices { producers[list[index].index] = nil }
        case .tokensRevoked(let app, let device, let before):
            revoke(DeviceName(app: app.index, device: device.array), before: before)
        default: break
        }
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

    // MARK: - Writing

    /// The bodies of a new journal, one after the other, each to be a record of its own.
    ///
    /// - Returns: nothing if there is no app file, without which nothing else has a meaning.
    /// - Throws: `corrupt` if the app file cannot be read.
    package func bodies() throws(StoreError) -> [[UInt8]] {
        if appFile.isEmpty { return [] }
        let declared = try appFile.withByteView { source throws(StoreError) in
            try StoreReader(source).catalog(source).apps.map(\.app)
        }
        var first = StoreWriter()
        if let (now, schedule) = clock { RouterInput.clock(now, schedule).write(to: &first) }
        first.put(InputTag.apps.rawValue)
        appFile.withByteView { first.put(counted: $0) }
        var bodies = [first.bytes.array]
        func number(_ app: Int) -> Int? {
            app < apps.count ? declared.firstIndex(of: apps[app]) : nil
        }
        var count: UInt64 = 0
        for (_, producer) in producers.sorted(by: { $0.key < $1.key }) {
            guard let app = number(producer.app) else { continue }
            bodies.append(Self.body(of: producer, app: app, number: count))
            count += 1
        }
        for (name, before) in revocations.sorted(by: { $0.key < $1.key }) {
            guard let app = number(name.app) else { continue }
            bodies.append(Self.body(of: name, before: before, app: app))
        }
        for report in reports {
            guard let app = number(report.app) else { continue }
            var writer = StoreWriter()
            writer.put(InputTag.reported.rawValue)
            writer.put(varint: UInt64(app))
            writer.put(FrameType.widgets.rawValue)
            report.body.withByteView { writer.put(counted: $0) }
            bodies.append(writer.bytes.array)
        }
        return bodies
    }

    private static func body(of name: DeviceName, before: WallTime, app: Int) -> [UInt8] {
        var writer = StoreWriter()
        writer.put(InputTag.revoked.rawValue)
        writer.put(varint: UInt64(app))
        name.device.withByteView { writer.put(counted: $0) }
        writer.put(true)
        writer.put(signed: before)
        return writer.bytes.array
    }

    /// A session of the producer in which all of its pushes were accepted.
    private static func body(of producer: Producer, app: Int, number: UInt64) -> [UInt8] {
        var writer = StoreWriter()
        writer.put(InputTag.session.rawValue)
        writer.put(varint: 0)
        writer.put(Peer.publisher.storedNumber)
        writer.put(varint: UInt64(app))
        producer.name.withByteView { writer.put(counted: $0) }
        if producer.lastSeq > 0 {
            writer.put(InputTag.batch.rawValue)
            writer.put(varint: number)
            writer.put(varint: producer.lastSeq)
            writer.put(varint: 1)
        }
        writer.put(InputTag.ended.rawValue)
        writer.put(varint: 0)
        return writer.bytes.array
    }
}
