package import DataStructures
internal import ReloadModel
package import StoreFormat
internal import StrictJSON

/// What records of the table have, for people and scripts: see `StateRecord`.
///
///     {"table":"registration","number":3,"checkpoint":2,"bytes":71,"device":"d-1",…}
///
/// Given the records in the order of their keys. Names of apps and kinds are those of the first
/// catalog, which is the newest: numbers never change their meaning. Nothing in a record is trusted.
package struct StateDump: ~Copyable {
    private var scan = TableScan()
    private var parts = RecordParts()
    /// The part that must come next: not the first one within a long record.
    private var nextPart: UInt16 = 0
    /// Names by number.
    var apps: [String] = []
    var kinds: [String] = []
    /// Of the checkpoints whose manifest is there; records of others are read as ours.
    var versions: [UInt32: UInt32] = [:]

    package init() {}

    /// Takes a record and hands out the line of each that is whole; of a long one that is when the
    /// next one comes, or `finish`.
    ///
    /// - Throws: what `body` throws.
    package mutating func add(
        _ key: TableKey,
        _ bytes: ByteView,
        _ body: (DumpLine) throws(StoreError) -> Void
    ) throws(StoreError) {
        try finish(before: key, body)
        if key.part != nextPart {
            // A part that cannot be read was not handed in.
            try finish(before: nil, body)
            let problem = StoreError(
                .corrupt,
                "table record \(key) does not follow the part before it"
            )
            return try body(DumpLine(problem))
        }
        let isLong = StateRecord.mayGoOn(key.type, byteCount: bytes.count)
        if try parts.begin(key, bytes, isLong: isLong) {
            nextPart &+= 1
            return
        }
        try body(line(key, bytes))
    }

    /// There are no more.
    package mutating func finish(
        _ body: (DumpLine) throws(StoreError) -> Void
    ) throws(StoreError) {
        try finish(before: nil, body)
    }

    private mutating func finish(
        before key: TableKey?,
        _ body: (DumpLine) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let whole = parts.finish(before: key) else { return }
        nextPart = 0
        try body(line(whole.key, whole.body))
    }

    private mutating func line(_ key: TableKey, _ bytes: ByteView) -> DumpLine {
        var json = JSONWriter()
        json.beginObject()
        if let record = StateRecord(rawValue: key.type) {
            json.member("table", "\(record)")
        } else {
            json.member("table", key.type)
        }
        json.member("number", key.number)
        json.member("checkpoint", key.epoch)
        if !scan.isCurrent(key) { json.member("isLeftOver", true) }
        json.member("bytes", bytes.count)
        do throws(StoreError) {
            // Half a member must not stand in the line.
            var content = json
            try write(key, bytes, to: &content)
            content.endObject()
            return DumpLine(content)
        } catch {
            let problem = StoreError(error.code, "table record \(key): \(error.message)")
            json.problem(problem)
            json.endObject()
            return DumpLine(json, problem)
        }
    }

    private mutating func write(
        _ key: TableKey,
        _ bytes: ByteView,
        to json: inout JSONWriter
    ) throws(StoreError) {
        var reader = StoreReader(bytes)
        guard let record = StateRecord(rawValue: key.type) else {
            throw reader.corrupt("there are no records of type \(key.type)")
        }
        switch record {
        case .manifest: try writeManifest(key, &reader, to: &json)
        case .shared: try writeShared(key, &reader, to: &json)
        case .catalog: try writeCatalog(&reader, to: &json)
        case .producers: try writeProducers(key, &reader, to: &json)
        case .connections: try writeConnections(&reader, to: &json)
        case .origin: try writeOrigin(&reader, to: &json)
        case .registration: try writeRegistration(&reader, to: &json)
        case .widgets: try writeWidgets(key, &reader, to: &json)
        case .schedules: try writeSchedules(key, &reader, to: &json)
        case .devices: try writeDevices(key, &reader, to: &json)
        case .fields: try writeFields(key, &reader, to: &json)
        }
        try reader.finish()
    }
}
