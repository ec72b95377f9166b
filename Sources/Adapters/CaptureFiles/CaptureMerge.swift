package import CaptureFormat
internal import DataStructures
internal import StoreFormat

/// Joins recordings by the wall clock: of several routers, or of one router one after the other.
///
/// Connections get numbers of their own. All recordings must have the same app files in the same
/// order; each is told once, when the first of them has it.
package struct CaptureMerge {
    /// One of the recordings.
    private final class Source {
        let reader: CaptureReader
        /// Of its beginning, behind that of the first recording.
        var shift: UInt64 = 0
        var sessions = CaptureSessions()
        /// Its connections' numbers in the new file.
        var connections: [UInt32: UInt32] = [:]
        /// App files it has told.
        var appsCount = 0

        private var block: CaptureBlock?
        private var records: CaptureRecordReader?
        /// The next record; its bytes lie in `block`.
        private(set) var next: CaptureRecord?
        private(set) var lastTime: UInt64 = 0

        init(_ reader: CaptureReader) {
            self.reader = reader
        }

        var path: String { reader.files[0].path }

        func advance() throws(CaptureError) {
            while true {
                if let record = try records?.next() {
                    next = record
                    next!.time += shift
                    lastTime = next!.time
                    return
                }
                records = nil
                block = try reader.nextChunk()
                guard let block else {
                    next = nil
                    return
                }
                records = block.reader()
            }
        }
    }

    private var apps: [[UInt8]] = []
    /// Where each of them was told first.
    private var appsPaths: [String] = []
    private var freeConnections: [UInt32] = []
    private var lastConnection: UInt32 = 0
    private var recordCount = 0

    private init() {}

    /// Joins them into a file.
    ///
    /// - Parameters:
    ///   - recordings: the files of each.
    ///   - output: the new file.
    /// - Returns: the number of its records.
    /// - Throws: `foreign` if app files differ, or only some of them are redacted.
    package static func merge(
        _ recordings: [CaptureReader],
        output: String
    ) throws(CaptureError) -> Int {
        let sources = recordings.map { Source($0) }
        let headers = recordings.map(\.header)
        let startedAt = headers.map(\.startedAt).min()!
        for source in sources {
            if source.reader.header.isRedacted != headers[0].isRedacted {
                let (one, other) = (sources[0].path, source.path)
                throw CaptureError(.foreign, "one of \(one) and \(other) is redacted")
            }
            source.shift = UInt64(source.reader.header.startedAt - startedAt)
        }
        let header = CaptureHeader(
            recording: derivedRecording(headers.map(\.recording)),
            startedAt: startedAt,
            isRedacted: headers[0].isRedacted
        )
        var file = try CaptureFile(path: output, header: header)
        var merge = CaptureMerge()
        try merge.copy(sources, to: &file)
        try file.close()
        return merge.recordCount
    }

    private mutating func copy(
        _ sources: [Source],
        to file: inout CaptureFile
    ) throws(CaptureError) {
        for source in sources { try source.advance() }
        var open = sources
        while let source = open.min(by: { Self.time($0) < Self.time($1) }) {
            guard let record = source.next else {
                open.removeAll { $0 === source }
                continue
            }
            try put(record, of: source, to: &file)
            try source.advance()
            if source.next == nil { try end(source, to: &file) }
        }
    }

    private static func time(_ source: Source) -> UInt64 { source.next?.time ?? 0 }

    private mutating func put(
        _ record: CaptureRecord,
        of source: Source,
        to file: inout CaptureFile
    ) throws(CaptureError) {
        if !source.sessions.take(record) { return }
        var moved = record
        if record.kind == .apps {
            if !(try isNew(record, of: source)) { return }
        } else if record.connection != 0 {
            moved.connection = connection(record.connection, of: source)
        }
        try file.put(moved)
        recordCount += 1
        if record.kind == .ended, record.connection != 0 {
            source.connections[record.connection] = nil
            freeConnections.append(moved.connection)
        }
    }

    /// Whether no other recording has told that app file yet.
    private mutating func isNew(
        _ record: CaptureRecord,
        of source: Source
    ) throws(CaptureError) -> Bool {
        defer { source.appsCount += 1 }
        if source.appsCount == apps.count {
            apps.append(record.body.array)
            appsPaths.append(source.path)
            return true
        }
        let known = apps[source.appsCount]
        if known.withByteView({ $0 == record.body }) { return false }
        throw CaptureError(
            .foreign,
            "the app file number \(source.appsCount + 1) of \(source.path) is another one than "
                + "that of \(appsPaths[source.appsCount])"
        )
    }

    private mutating func connection(_ number: UInt32, of source: Source) -> UInt32 {
        if let known = source.connections[number] { return known }
        let new = freeConnections.popLast() ?? lastConnection + 1
        lastConnection = max(lastConnection, new)
        source.connections[number] = new
        return new
    }

    /// Sessions that are open where a recording ends are over there.
    private mutating func end(_ source: Source, to file: inout CaptureFile) throws(CaptureError) {
        for connection in source.connections.values.sorted() {
            try [].withByteView { (view) throws(CaptureError) in
                try file.put(
                    CaptureRecord(
                        time: source.lastTime,
                        connection: connection,
                        .ended,
                        body: view
                    )
                )
            }
            recordCount += 1
            freeConnections.append(connection)
        }
        source.connections = [:]
    }
}
