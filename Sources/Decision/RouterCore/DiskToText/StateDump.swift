package import Basics
package import StoreFormat

/// Writes the records of the table as lines of JSON, for people and scripts: see `StateRecord`.
///
///     {"table":"registration","number":3,"checkpoint":2,"bytes":71,"device":"d-1",…}
///
/// Records are added in the order of their keys. Names of apps and kinds are those of the first
/// catalog, which is the newest; if a kind's number has been used again since, an older record
/// names the wrong kind. Nothing in a record is trusted.
package struct StateDump: ~Copyable {
    private var scan = TableScan()
    private var parts = RecordParts()
    /// The part that must come next; not 0 while a long record is incomplete.
    private var nextPart: UInt16 = 0
    /// The names of apps by number.
    var apps: [String] = []
    /// The names of kinds by number.
    var kinds: [String] = []
    /// The newest manifest, which says of which version the records are.
    var manifest: StoreManifest?
    /// The record that is being written.
    var key = TableKey(type: 0, number: 0, epoch: 0)
    /// What is left of it.
    var reader = StoreReader(.empty)
    /// Its line so far.
    var json = JSONWriter()

    /// Makes a dump before its first record.
    package init() {}

    /// Adds a record, and passes the lines of complete ones to `body`. A long record is complete
    /// when the next one comes, or at `finish`.
    ///
    /// - Throws: what `body` throws.
    package mutating func add(
        _ key: TableKey,
        bytes: ByteView,
        body: (DumpLine) throws(StoreError) -> Void
    ) throws(StoreError) {
        try finish(before: key, body: body)
        if key.part != nextPart {
            // The part before could not be read and was not added.
            try finish(before: nil, body: body)
            let problem = StoreError.corrupt(
                "table record \(key) does not follow the part before it"
            )
            return try body(DumpLine(problem))
        }
        let isLong = StateRecord.mayHaveMoreParts(key.type, byteCount: bytes.count)
        if try parts.begin(key, body: bytes, isLong: isLong) {
            nextPart &+= 1
            return
        }
        try body(line(of: key, bytes: bytes))
    }

    /// Ends the dump: passes the last line to `body`, if one is left.
    package mutating func finish(_ body: (DumpLine) throws(StoreError) -> Void) throws(StoreError) {
        try finish(before: nil, body: body)
    }

    private mutating func finish(
        before key: TableKey?,
        body: (DumpLine) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard let whole = parts.finish(before: key) else { return }
        nextPart = 0
        try body(line(of: whole.key, bytes: whole.body))
    }

    private mutating func line(of key: TableKey, bytes: ByteView) -> DumpLine {
        (self.key, reader, json) = (key, StoreReader(bytes), JSONWriter())
        json.beginObject()
        if let record = StateRecord(rawValue: key.type) {
            json.member("table", value: "\(record)")
        } else {
            json.member("table", value: key.type)
        }
        json.member("number", value: key.number)
        json.member("checkpoint", value: key.epoch)
        if !scan.isCurrent(key) { json.member("isLeftOver", value: true) }
        json.member("bytes", value: bytes.count)
        // An error leaves no incomplete member in the line.
        let head = json
        var problem: StoreError?
        do throws(StoreError) {
            try writeRecord()
        } catch {
            let found = error.found(in: "table record \(key)")
            json = head
            json.problem(found)
            problem = found
        }
        json.endObject()
        return DumpLine(json, problem: problem)
    }

    private mutating func writeRecord() throws(StoreError) {
        guard let record = StateRecord(rawValue: key.type) else {
            throw reader.corrupt("there are no records of type \(key.type)")
        }
        if record != .manifest { try manifest?.requireReadable() }
        switch record {
        case .manifest: try writeManifest()
        case .shared: try writeShared()
        case .catalog: try writeCatalog()
        case .producers: try writeProducers()
        case .connections: try writeConnections()
        case .origin: try writeOrigin()
        case .registration: try writeRegistration()
        case .widgets: try writeWidgets()
        case .schedules: try writeSchedules()
        case .devices: try writeDevices()
        case .fields: try writeFields()
        case .requestKeys: try writeRequestKeys()
        case .requestQueues: try writeRequestQueues()
        case .pushes: try writePushes()
        case .revocations: try writeRevocations()
        case .homes: try writeHomes()
        }
        try reader.finish()
    }
}
