internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat

/// Records that are not pages; they are written by `ReloadState+Records`.
extension StateDump {
    mutating func writeManifest(
        _ key: TableKey,
        from reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let manifest = try StoreManifest(epoch: key.epoch, reading: &reader)
        json.member("position", value: manifest.position)
        // As text: scripts should not calculate with it, and some could not represent it as a
        // number.
        json.member("checksum", value: String(manifest.checksum, radix: 16))
        json.member("version", value: manifest.version)
        if self.manifest == nil { self.manifest = manifest }
    }

    func writeShared(_ reader: inout StoreReader, to json: inout JSONWriter) throws(StoreError) {
        json.member("hasClock", value: try reader.readBool())
        json.member("monotonic", value: try reader.read(Int64.self))
        json.member("wall", value: try reader.read(Int64.self))
        json.member("schedule", value: try ScheduleClock(reading: &reader).now)
        json.member("nextPass", value: try reader.read(Int64.self))
        json.member("lastBurst", value: try reader.read(UInt64.self))
        json.member("lastSession", value: try reader.read(UInt64.self))
        json.member("lastReload", value: try reader.read(UInt64.self))
        json.member("lastTokenEnd", value: try reader.read(UInt64.self))
        let running = try RunningTime(reading: &reader)
        json.member("running", value: running.total)
        if let countedAt = running.countedAt {
            json.member("runningAt", value: countedAt.monotonic)
        }
        let counts = try TableCounts(reading: &reader)
        json.member("devices", value: counts.devices)
        json.member("widgets", value: counts.widgets)
        json.member("producers", value: counts.producers)
        json.member("values", value: counts.values)
        json.member("keys", value: counts.keys)
    }

    mutating func writeCatalog(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let apps = try Self.readNames(&reader, atMost: AppID.count, ofApp: false)
        let kinds = try Self.readNames(&reader, atMost: KindID.count, ofApp: true)
        let origins = try Self.readNames(&reader, atMost: reader.remainingCount, ofApp: true)
        json.list("apps") { json in
            for app in apps { json.string(app.name) }
        }
        for (list, key, names) in [("kinds", "kind", kinds), ("origins", "origin", origins)] {
            json.list(list) { json in
                for name in names {
                    json.beginObject()
                    json.member("app", value: name.app)
                    json.member(key, value: name.name)
                    json.endObject()
                }
            }
        }
        json.key("appFile")
        json.beginObject()
        let source = try reader.readCounted()
        json.apps(try reader.catalog(source), source: source)
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
            let app = ofApp ? try reader.readCount(atMost: AppID.count - 1) : 0
            names.append((app, try reader.readCounted().string))
        }
        return names
    }

    func writeProducers(
        _ key: TableKey,
        from reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let first = UInt64(key.number) * UInt64(StateRecord.producersPerRecord)
        let count = try reader.readCount(atMost: StateRecord.producersPerRecord)
        json.key("producers")
        json.beginArray()
        for index in 0..<UInt64(count) {
            try writeProducer(first + index, from: &reader, to: &json)
        }
        json.endArray()
    }

    private func writeProducer(
        _ number: UInt64,
        from reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let app = try reader.readCount(atMost: AppID.count) - 1
        // The number is free.
        if app < 0 { return }
        json.beginObject()
        json.member("number", value: number)
        writeApp(app, to: &json)
        json.member("producer", value: try reader.readCounted())
        json.member("lastSeq", value: try reader.readVarint())
        json.member("usedAt", value: try reader.readSigned())
        json.member("idleSince", value: try reader.readVarint())
        try writeRejections(from: &reader, to: &json)
        json.endObject()
    }

    private func writeRejections(
        from reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let forgotten = try reader.readVarint()
        let count = try reader.readCount(atMost: RouterLimits.rejectionsPerProducer)
        if count == 0 && forgotten == 0 { return }
        json.member("rejectedAfter", value: forgotten)
        json.key("rejected")
        json.beginArray()
        for _ in 0..<count {
            json.beginObject()
            json.member("seq", value: try reader.readVarint())
            guard let code = ErrorCode(storedNumber: try reader.read(UInt8.self)) else {
                throw reader.corrupt("a push was rejected with an unknown code")
            }
            json.member("code", value: code.rawValue)
            json.endObject()
        }
        json.endArray()
    }

    func writeConnections(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        json.key("connections")
        json.beginArray()
        while !reader.isAtEnd {
            json.beginObject()
            json.member("connection", value: try reader.read(UInt32.self))
            json.member("session", value: try reader.read(UInt64.self))
            try writeApp(&reader, to: &json)
            let role = try Peer(reading: &reader)
            json.member("role", value: role.rawValue)
            switch role {
            case .publisher: json.member("producer", value: try reader.readNumber())
            case .device: json.member("device", value: try reader.readCounted())
            case .gateway, .server: break
            }
            json.endObject()
        }
        json.endArray()
    }

    /// Writes how many keys of requests each app has, and the requests under way.
    func writeRequestQueues(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        json.member("end", value: try reader.read(UInt32.self))
        json.key("queues")
        json.beginArray()
        for _ in 0..<(try reader.readCount(atMost: AppID.count)) {
            json.beginObject()
            try writeApp(&reader, to: &json)
            json.member("oldest", value: try reader.read(UInt32.self))
            json.member("newest", value: try reader.read(UInt32.self))
            json.member("count", value: try reader.readVarint())
            json.endObject()
        }
        json.endArray()
        json.key("requests")
        json.beginArray()
        for _ in 0..<(try reader.readCount(atMost: reader.remainingCount)) {
            json.beginObject()
            json.member("producer", value: try reader.readNumber())
            let request = try RequestKeyTable.Open(reading: &reader)
            json.member("key", value: request.key.text)
            json.member("lines", value: request.lines)
            json.member("accepted", value: request.accepted)
            json.endObject()
        }
        json.endArray()
        json.key("refused")
        json.beginArray()
        for _ in 0..<(try reader.readCount(atMost: reader.remainingCount)) {
            json.beginObject()
            json.member("number", value: try reader.readNumber())
            json.member("count", value: try reader.readRefusedLines().count)
            json.endObject()
        }
        json.endArray()
    }

    /// Writes an origin; of its ledger and queue, only how full they are.
    func writeOrigin(_ reader: inout StoreReader, to json: inout JSONWriter) throws(StoreError) {
        let origin = try Origin(reading: &reader, hashKey: .ofRuntime)
        if let perSecond = origin.perSecond { json.member("perSecond", value: perSecond) }
        json.member("time", value: origin.ledger.time)
        json.member("slotsTaken", value: origin.ledger.counters.assigned)
        json.member("slotsGivenBack", value: origin.ledger.counters.released)
        json.member("slotsFinished", value: origin.ledger.counters.finished)
        json.member("waiting", value: origin.queue.count)
    }

    // MARK: - Devices

    func writeRegistration(
        _ key: TableKey,
        from reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        if reader.isAtEnd { return json.member("isGone", value: true) }
        try writeApp(&reader, to: &json)
        json.member("device", value: try reader.readCounted())
        let tokens = try TokenParts(reading: &reader)
        if tokens.contains(.widgets) {
            _ = try reader.readCounted()
            json.member("pushToken", value: "(secret)")
        }
        if tokens.contains(.app) { try writeToken(&reader, name: "appPushToken", to: &json) }
        let count = try reader.readCount(atMost: Int(UInt16.max))
        json.key("widgets")
        json.beginArray()
        for _ in 0..<count {
            json.beginObject()
            try writeWidget(&reader, to: &json)
            if tokens.contains(.families) {
                json.member("familyDigest", value: try reader.read(UInt8.self))
            }
            if tokens.contains(.controls), try reader.readBool() {
                try writeToken(&reader, name: "pushToken", to: &json)
            }
            json.endObject()
        }
        json.endArray()
    }

    /// Writes that there is a token, and what APNs has said of it; of a token that is of no use,
    /// also why and since when.
    private func writeToken(
        _ reader: inout StoreReader,
        name: String,
        to json: inout JSONWriter
    ) throws(StoreError) {
        _ = try reader.readPushToken()
        json.member(name, value: "(secret)")
        let state = try reader.readTokenState()
        json.member(name + "State", value: "\(state)")
        if state == .good { return }
        var end = TokenEnd.none
        try end.read(&reader)
        json.member(name + "End", value: end.number)
        json.member(name + "DeadSince", value: end.since)
    }

    private func writeWidget(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        json.member("number", value: try reader.readNumber())
        let kind = try reader.readCount(atMost: KindID.count - 1)
        json.member("kindNumber", value: kind)
        if kind < kinds.count { json.member("kind", value: kinds[kind]) }
        json.member("id", value: try reader.readCounted())
        let configuration = try reader.read(raw: Int(try reader.read(UInt32.self)))
        json.key("configuration")
        do throws(JSONProblem) {
            try json.object(configuration)
        } catch {
            throw reader.corrupt(error.sentence)
        }
    }

    func writeRevocations(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        json.key("devices")
        json.beginArray()
        try TokenRevocations.forEach(from: &reader) { entry in
            json.beginObject()
            writeApp(entry.app.index, to: &json)
            entry.device.withByteView { json.member("device", value: $0) }
            json.member("before", value: entry.before)
            json.endObject()
        }
        json.endArray()
    }

    private func writeApp(
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        writeApp(try reader.readCount(atMost: AppID.count - 1), to: &json)
    }

    private func writeApp(_ app: Int, to json: inout JSONWriter) {
        json.member("appNumber", value: app)
        if app < apps.count { json.member("app", value: apps[app]) }
    }
}
