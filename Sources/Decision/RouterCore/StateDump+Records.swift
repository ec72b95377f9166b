internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
internal import StoreFormat
internal import StrictJSON

/// The records that are not pages; what writes them is in `ReloadState+Records`.
extension StateDump {
    mutating func writeManifest(
        _ key: TableKey,
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let manifest = try StoreManifest(epoch: key.epoch, reading: &reader)
        versions[manifest.epoch] = manifest.version
        json.member("position", manifest.position)
        // A number that no script should calculate with, and not all could.
        json.member("checksum", String(manifest.checksum, radix: 16))
        json.member("version", manifest.version)
    }

    private func version(of key: TableKey) -> UInt32 {
        versions[key.epoch] ?? StateRecord.version
    }

    func writeShared(
        _ key: TableKey,
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        json.member("hasClock", try reader.readBool())
        json.member("monotonic", try reader.read(Int64.self))
        json.member("wall", try reader.read(Int64.self))
        json.member("schedule", try ScheduleClock(reading: &reader).now)
        json.member("nextPass", try reader.read(Int64.self))
        json.member("lastBurst", try reader.read(UInt64.self))
        json.member("lastSession", try reader.read(UInt64.self))
        json.member("lastReload", try reader.read(UInt64.self))
        if version(of: key) >= 2 {
            let running = try RunningTime(reading: &reader)
            json.member("running", running.total)
            if let countedAt = running.countedAt { json.member("runningAt", countedAt.monotonic) }
        }
        let counts = try TableCounts(reading: &reader)
        json.member("devices", counts.devices)
        json.member("widgets", counts.widgets)
        json.member("producers", counts.producers)
        json.member("values", counts.values)
        json.member("keys", counts.keys)
    }

    mutating func writeCatalog(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let apps = try Self.readNames(&reader, atMost: Int(AppID.max) + 1, ofApp: false)
        let kinds = try Self.readNames(&reader, atMost: Int(KindID.max) + 1, ofApp: true)
        let origins = try Self.readNames(&reader, atMost: reader.remainingCount, ofApp: true)
        json.list("apps") { json in
            for app in apps { json.string(app.name) }
        }
        for (list, key, names) in [("kinds", "kind", kinds), ("origins", "origin", origins)] {
            json.list(list) { json in
                for name in names {
                    json.beginObject()
                    json.member("app", name.app)
                    json.member(key, name.name)
                    json.endObject()
                }
            }
        }
        json.key("appFile")
        json.beginObject()
        let source = try reader.readCounted()
        json.apps(try reader.catalog(source), source)
        json.endObject()
        if self.apps.isEmpty { self.apps = apps.map(\.name) }
        if self.kinds.isEmpty { self.kinds = kinds.map(\.name) }
    }

    private static func readNames(
        _ reader: inout StoreReader,
        atMost limit: Int,
        ofApp: Bool
    ) throws(StoreError) -> [(app: Int, name: String)] {
        var names: [(app: Int, name: String)] = []
        for _ in 0..<(try reader.readCount(atMost: limit)) {
            let app = ofApp ? try reader.readCount(atMost: Int(AppID.max)) : 0
            names.append((app, try reader.readCounted().string))
        }
        return names
    }

    func writeProducers(
        _ key: TableKey,
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let first = UInt64(key.number) * UInt64(StateRecord.producersPerRecord)
        let count = try reader.readCount(atMost: StateRecord.producersPerRecord)
        json.key("producers")
        json.beginArray()
        for index in 0..<UInt64(count) {
            try writeProducer(first + index, version(of: key), &reader, to: &json)
        }
        json.endArray()
    }

    private func writeProducer(
        _ number: UInt64,
        _ version: UInt32,
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        var app = try reader.readCount(atMost: Int(AppID.max) + 1)
        if version >= 2 {
            // A number that is free.
            if app == 0 { return }
            app -= 1
        }
        json.beginObject()
        json.member("number", number)
        writeApp(app, to: &json)
        json.member("producer", try reader.readCounted())
        json.member("lastSeq", try reader.readVarint())
        if version >= 2 {
            json.member("usedAt", try reader.readSigned())
            json.member("idleSince", try reader.readVarint())
        }
        json.endObject()
    }

    func writeConnections(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        json.key("connections")
        json.beginArray()
        while !reader.isAtEnd {
            json.beginObject()
            json.member("connection", try reader.read(UInt32.self))
            json.member("session", try reader.read(UInt64.self))
            try writeApp(&reader, to: &json)
            let role = try Peer(reading: &reader)
            json.member("role", role.rawValue)
            switch role {
            case .publisher: json.member("producer", try reader.readNumber())
            case .device: json.member("device", try reader.readCounted())
            case .gateway, .server: break
            }
            json.endObject()
        }
        json.endArray()
    }

    /// Of ledger and queue only how full they are.
    func writeOrigin(_ reader: inout StoreReader, to json: inout JSONWriter) throws(StoreError) {
        let origin = try Origin(reading: &reader, hashKey: .ofRuntime)
        if let perSecond = origin.perSecond { json.member("perSecond", perSecond) }
        json.member("time", origin.ledger.time)
        json.member("slotsTaken", origin.ledger.statistics.taken)
        json.member("slotsGivenBack", origin.ledger.statistics.givenBack)
        json.member("slotsFinished", origin.ledger.statistics.finished)
        json.member("waiting", origin.queue.count)
    }

    // MARK: - Devices

    func writeRegistration(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        if reader.isAtEnd { return json.member("isGone", true) }
        try writeApp(&reader, to: &json)
        json.member("device", try reader.readCounted())
        if try reader.readBool() {
            _ = try reader.readCounted()
            json.member("pushToken", "(secret)")
        }
        let count = try reader.readCount(atMost: Int(UInt16.max))
        json.key("widgets")
        json.beginArray()
        for _ in 0..<count { try writeWidget(&reader, to: &json) }
        json.endArray()
    }

    private func writeWidget(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        json.beginObject()
        json.member("number", try reader.readNumber())
        let kind = try reader.readCount(atMost: Int(KindID.max))
        json.member("kindNumber", kind)
        if kind < kinds.count { json.member("kind", kinds[kind]) }
        json.member("id", try reader.readCounted())
        let configuration = try reader.read(raw: Int(try reader.read(UInt32.self)))
        json.key("configuration")
        do throws(JSONProblem) {
            try json.object(configuration)
        } catch {
            throw reader.corrupt(error.sentence)
        }
        json.endObject()
    }

    private func writeApp(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        writeApp(try reader.readCount(atMost: Int(AppID.max)), to: &json)
    }

    private func writeApp(_ app: Int, to json: inout JSONWriter) {
        json.member("appNumber", app)
        if app < apps.count { json.member("app", apps[app]) }
    }
}
