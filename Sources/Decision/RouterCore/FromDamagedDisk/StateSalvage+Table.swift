internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat

/// The records of the table of which a salvage keeps something.
extension StateSalvage {
    /// Reads a whole record.
    mutating func read(
        _ record: StateRecord,
        key: TableKey,
        from reader: inout StoreReader
    ) throws(StoreError) {
        switch record {
        case .manifest: table.manifest = try StoreManifest(epoch: key.epoch, reading: &reader)
        case .shared: try addShared(&reader)
        case .catalog: try addCatalog(&reader)
        case .producers: try addProducers(key, from: &reader)
        case .connections: try addConnections(&reader)
        case .devices: try addDevices(key, from: &reader)
        case .registration: if !reader.isAtEnd { try addRegistration(key, from: &reader) }
        case .requestKeys: try requests.add(page: key.number, from: &reader)
        case .requestQueues:
            // Chains that are out of date may lead to keys of other apps, and requests that were
            // under way may be answered since.
            if key.epoch == table.epoch { try requests.addQueues(&reader) }
        case .widgets, .schedules, .pushes: try losses.add(record, of: key.number, from: &reader)
        case .revocations:
            for entry in try TokenRevocations.entries(reading: &reader) {
                revoke(DeviceName(app: entry.app.index, device: entry.device), before: entry.before)
            }
        case .origin, .fields, .homes: break
        }
    }

    /// Adds the time, and how many producers there are.
    private mutating func addShared(_ reader: inout StoreReader) throws(StoreError) {
        let isSet = try reader.readBool()
        let monotonic = try reader.read(MonotonicTime.self)
        let now = Instant(monotonic: monotonic, wall: try reader.read(WallTime.self))
        let schedule = try ScheduleClock(reading: &reader)
        if isSet { clock = (now, schedule) }
        _ = try reader.read(ScheduleTime.self)
        for _ in 0..<4 { _ = try reader.read(UInt64.self) }
        _ = try RunningTime(reading: &reader)
        table.producerCount = Int(try TableCounts(reading: &reader).producers)
    }

    private mutating func addCatalog(_ reader: inout StoreReader) throws(StoreError) {
        let names = try reader.readNames(atMost: AppID.count, ofApp: false).map(\.name)
        let kindNames = try reader.readNames(atMost: KindID.count, ofApp: true).map(\.name)
        _ = try reader.readNames(atMost: reader.remainingCount, ofApp: true)
        (apps, kinds, appFile) = (names, kindNames, try reader.readCounted().array)
        knownApps = Set(names.map { Array($0.utf8) })
    }

    private mutating func addProducers(
        _ key: TableKey,
        from reader: inout StoreReader
    ) throws(StoreError) {
        let count = try reader.readCount(atMost: StateRecord.producersPerRecord)
        for index in 0..<count {
            guard let stored = try ProducerTable.StoredProducer(reading: &reader) else { continue }
            let producer = SalvagedProducers.Producer(
                app: stored.app.index,
                name: stored.name.array,
                lastSeq: stored.lastSeq,
                epoch: key.epoch
            )
            let number = Int(key.number) * StateRecord.producersPerRecord + index
            producers.insert(producer, at: number)
        }
    }

    private mutating func addConnections(_ reader: inout StoreReader) throws(StoreError) {
        var found: [UInt32: Int] = [:]
        while !reader.isAtEnd {
            let connection = try reader.read(UInt32.self)
            _ = try reader.read(UInt64.self)
            found[connection] = try reader.readCount(atMost: AppID.count)
            switch try Peer(reading: &reader) {
            case .publisher: _ = try reader.readNumber()
            case .device: _ = try reader.readCounted()
            case .gateway, .server: break
            }
        }
        sessions = found
    }

    private mutating func addDevices(
        _ key: TableKey,
        from reader: inout StoreReader
    ) throws(StoreError) {
        var number = SlabPages.first(of: key.number)
        while !reader.isAtEnd {
            var device = DeviceRecord.empty
            try device.read(&reader)
            if device.environment == .sandbox { sandboxDevices.insert(number) }
            number &+= 1
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
        if sandboxDevices.contains(key.number), tokens.hasTokens {
            json.member("environment", value: APNsEnvironment.sandbox.rawValue)
        }
        if tokens.contains(.widgets) { json.member("pushToken", value: try reader.readPushToken()) }
        if tokens.contains(.app) { json.member("appPushToken", value: try readToken(&reader)) }
        let count = try reader.readCount(atMost: Int(UInt16.max))
        json.key("widgets")
        json.beginArray()
        for _ in 0..<count {
            losses.addBudget(of: try reader.readNumber())
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
                json.member("pushToken", value: try readToken(&reader))
            }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        reports.append(Report(app: app, body: json.bytes))
    }

    private mutating func readToken(_ reader: inout StoreReader) throws(StoreError) -> ByteView {
        let token = try reader.readPushToken()
        if try reader.readTokenState() == .good { return token }
        losses.add(of: .deadTokens)
        var end = TokenEnd.none
        try end.read(&reader)
        return token
    }
}
