internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat

/// Records that are not pages; they are written by `ReloadState+Records`.
extension StateDump {
    mutating func writeManifest() throws(StoreError) {
        let manifest = try StoreManifest(epoch: key.epoch, reading: &reader)
        json.member("position", value: manifest.position)
        // As text: scripts should not calculate with it, and some could not represent it as a
        // number.
        json.member("checksum", value: String(manifest.checksum, radix: 16))
        json.member("version", value: manifest.version)
        if !manifest.partition.isOnly {
            json.member("partition", value: manifest.partition.id.rawValue)
            json.member("partitions", value: manifest.partition.count)
        }
        if self.manifest == nil { self.manifest = manifest }
    }

    mutating func writeShared() throws(StoreError) {
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

    mutating func writeCatalog() throws(StoreError) {
        let apps = try reader.readNames(atMost: AppID.count, ofApp: false)
        let kinds = try reader.readNames(atMost: KindID.count, ofApp: true)
        let origins = try reader.readNames(atMost: reader.remainingCount, ofApp: true)
        json.list("apps", of: apps.map(\.name))
        for (list, key, names) in [("kinds", "kind", kinds), ("origins", "origin", origins)] {
            json.list(list, of: names) { name, json in
                json.object {
                    $0.member("app", value: name.app)
                    $0.member(key, value: name.name)
                }
            }
        }
        let source = try reader.readCounted()
        let catalog = try reader.catalog(source)
        json.object("appFile") { $0.apps(catalog, source: source) }
        if self.apps.isEmpty { self.apps = apps.map(\.name) }
        if self.kinds.isEmpty { self.kinds = kinds.map(\.name) }
    }

    mutating func writeProducers() throws(StoreError) {
        let first = UInt64(key.number) * UInt64(StateRecord.producersPerRecord)
        let count = try reader.readCount(atMost: StateRecord.producersPerRecord)
        json.key("producers")
        json.beginArray()
        for index in 0..<UInt64(count) {
            let stored = try ProducerTable.StoredProducer(reading: &reader, forDump: true)
            guard let producer = stored else { continue }
            json.beginObject()
            json.member("number", value: first + index)
            writeApp(producer.app.index)
            json.member("producer", value: producer.name)
            json.member("lastSeq", value: producer.lastSeq)
            json.member("usedAt", value: producer.usedAt)
            json.member("idleSince", value: producer.idleSince)
            write(producer.rejected, forgottenSeq: producer.forgottenRejection)
            json.endObject()
        }
        json.endArray()
    }

    private mutating func write(
        _ rejected: ContiguousArray<RejectionTable.Rejection>,
        forgottenSeq: UInt64
    ) {
        if rejected.isEmpty && forgottenSeq == 0 { return }
        json.member("rejectedAfter", value: forgottenSeq)
        json.list("rejected", of: rejected) { rejection, json in
            json.object {
                $0.member("seq", value: rejection.seq)
                $0.member("code", value: rejection.code.rawValue)
            }
        }
    }

    mutating func writeConnections() throws(StoreError) {
        json.key("connections")
        json.beginArray()
        while !reader.isAtEnd {
            json.beginObject()
            json.member("connection", value: try reader.read(UInt32.self))
            json.member("session", value: try reader.read(UInt64.self))
            try writeApp()
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
    mutating func writeRequestQueues() throws(StoreError) {
        json.member("end", value: try reader.read(UInt32.self))
        let apps = try reader.readCount(atMost: AppID.count)
        try objects("queues", count: apps) { (dump) throws(StoreError) in
            try dump.writeApp()
            dump.json.member("oldest", value: try dump.reader.read(UInt32.self))
            dump.json.member("newest", value: try dump.reader.read(UInt32.self))
            dump.json.member("count", value: try dump.reader.readVarint())
        }
        let requests = try reader.readCount(atMost: reader.remainingCount)
        try objects("requests", count: requests) { (dump) throws(StoreError) in
            dump.json.member("producer", value: try dump.reader.readNumber())
            let request = try RequestKeyTable.Open(reading: &dump.reader)
            dump.json.member("key", value: request.key.text)
            dump.json.member("lines", value: request.lines)
            dump.json.member("accepted", value: request.accepted)
        }
        let refused = try reader.readCount(atMost: reader.remainingCount)
        try objects("refused", count: refused) { (dump) throws(StoreError) in
            dump.json.member("number", value: try dump.reader.readNumber())
            dump.json.member("count", value: try dump.reader.readRefusedLines().count)
        }
    }

    /// Writes what partitions know of each other's pushes.
    mutating func writeHomes() throws(StoreError) {
        json.member("revision", value: try reader.read(UInt32.self))
        var kept = UnsettledPushes()
        try kept.restore(&reader)
        json.member("lastPush", value: kept.last)
        json.member("settled", value: kept.settled)
        json.key("unsettled")
        json.beginArray()
        var entries = kept.entries(after: kept.settled)
        while let entry = entries.next() {
            json.beginObject()
            json.member("number", value: entry.number)
            json.member("producer", value: entry.producer.rawValue)
            json.member("app", value: entry.app.rawValue)
            do throws(JSONProblem) {
                try json.accepted(entry.push)
            } catch {
                throw reader.corrupt(error.sentence)
            }
            json.endObject()
        }
        json.endArray()
        let homes = manifest.map { Int($0.partition.count) } ?? 0
        try objects("evaluated", count: homes) { (dump) throws(StoreError) in
            let home = try EvaluatedPushes(reading: &dump.reader)
            dump.json.member("upTo", value: home.floor)
            dump.json.list("above", of: home.above) { $1.unsigned($0) }
        }
    }

    /// Writes an origin; of its ledger and queue, only how full they are.
    mutating func writeOrigin() throws(StoreError) {
        let origin = try Origin(
            reading: &reader,
            for: manifest?.partition ?? .only,
            hashKey: .ofRuntime
        )
        if let perSecond = origin.perSecond { json.member("perSecond", value: perSecond) }
        json.member("time", value: origin.ledger.time)
        json.member("slotsTaken", value: origin.ledger.counters.assigned)
        json.member("slotsGivenBack", value: origin.ledger.counters.released)
        json.member("slotsFinished", value: origin.ledger.counters.finished)
        json.member("waiting", value: origin.queue.count)
    }

    // MARK: - Devices

    mutating func writeRegistration() throws(StoreError) {
        if reader.isAtEnd { return json.member("isGone", value: true) }
        try writeApp()
        json.member("device", value: try reader.readCounted())
        let tokens = try TokenParts(reading: &reader)
        if tokens.contains(.widgets) {
            _ = try reader.readCounted()
            json.member("pushToken", value: "(secret)")
        }
        if tokens.contains(.app) { try writeToken("appPushToken") }
        let count = try reader.readCount(atMost: Int(UInt16.max))
        try objects("widgets", count: count) { (dump) throws(StoreError) in
            try dump.writeWidget()
            if tokens.contains(.families) {
                dump.json.member("familyDigest", value: try dump.reader.read(UInt8.self))
            }
            if tokens.contains(.controls), try dump.reader.readBool() {
                try dump.writeToken("pushToken")
            }
        }
    }

    /// Writes that there is a token, and what APNs has said of it; of a token that is of no use,
    /// also why and since when.
    private mutating func writeToken(_ name: String) throws(StoreError) {
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

    private mutating func writeWidget() throws(StoreError) {
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

    mutating func writeRevocations() throws(StoreError) {
        json.key("devices")
        json.beginArray()
        for entry in try TokenRevocations.entries(reading: &reader) {
            json.beginObject()
            writeApp(entry.app.index)
            entry.device.withByteView { json.member("device", value: $0) }
            json.member("before", value: entry.before)
            json.endObject()
        }
        json.endArray()
    }

    /// Writes a member that is a list; `write` writes the members of each of `count` objects.
    private mutating func objects(
        _ name: String,
        count: Int,
        write: (inout StateDump) throws(StoreError) -> Void
    ) throws(StoreError) {
        json.key(name)
        json.beginArray()
        for _ in 0..<count {
            json.beginObject()
            try write(&self)
            json.endObject()
        }
        json.endArray()
    }

    private mutating func writeApp() throws(StoreError) {
        writeApp(try reader.readCount(atMost: AppID.count - 1))
    }

    private mutating func writeApp(_ app: Int) {
        json.member("appNumber", value: app)
        if app < apps.count { json.member("app", value: apps[app]) }
    }
}

extension StoreReader {
    /// Reads names of apps, or of what belongs to apps, with the numbers of these.
    mutating func readNames(
        atMost limit: Int,
        ofApp: Bool
    ) throws(StoreError) -> [(app: Int, name: String)] {
        var names: [(app: Int, name: String)] = []
        for _ in 0..<(try readCount(atMost: limit)) {
            let app = ofApp ? try readCount(atMost: AppID.count - 1) : 0
            names.append((app, try readCounted().string))
        }
        return names
    }
}
