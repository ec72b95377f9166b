internal import Basics
package import CaptureFormat
internal import StoreFormat

/// Merges recordings by the wall clock: those of several routers, or of one router in succession.
///
/// Connections are renumbered. All recordings must have the same app files in the same order; each
/// app file is written once, where it first occurs in any of them.
package struct CaptureMerge {
    /// One of the recordings.
    private final class Source {
        let reader: CaptureReader
        /// The time from the beginning of the earliest recording to this one's.
        var shift = Microseconds.zero
        var sessions = CaptureSessions()
        /// The numbers of connections in the new file, by their numbers in this recording.
        var connections: [UInt32: UInt32] = [:]
        /// The number of app files read from this recording so far.
        var appsCount = 0

        private var block: CaptureBlock?
        private var records: CaptureRecordReader?
        /// The next record, at its time in the new file; its bytes lie in `block`. Nil at the end.
        private(set) var next: CaptureRecord?
        /// The time of the last record in the new file.
        private(set) var lastTime = RecordedTime.zero

        init(_ reader: CaptureReader) { self.reader = reader }

        var path: String { reader.files[0].path }

        /// Reads the next record.
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

    /// The app files written so far, in order.
    private var apps: [[UInt8]] = []
    /// For each of them, the path of the recording that contained it first.
    private var appsPaths: [String] = []
    /// The numbers of connections of the new file that have ended, for reuse.
    private var freeConnections: [UInt32] = []
    private var lastConnection: UInt32 = 0
    private var recordCount = 0

    private init() {}

    /// Merges recordings into a new file, and returns the number of its records. Throws `foreign`
    /// if app files differ, or if only some recordings are redacted.
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
                throw CaptureError(.foreign, message: "one of \(one) and \(other) is redacted")
            }
            source.shift = source.reader.header.startedAt - startedAt
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

    private static func time(_ source: Source) -> RecordedTime { source.next?.time ?? .zero }

    private mutating func put(
        _ record: CaptureRecord,
        of source: Source,
        to file: inout CaptureFile
    ) throws(CaptureError) {
        if !source.sessions.take(record) { return }
        var moved = record
        if record.kind == .apps {
            if !(try isNewAppFile(record, of: source)) { return }
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

    /// True if no other recording has had this app file before.
    private mutating func isNewAppFile(
        _ record: CaptureRecord,
        of source: Source
    ) throws(CaptureError) -> Bool {
        assert(source.appsCount <= apps.count, "an app file of the recording was skipped")
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
            message:
                "the app file number \(source.appsCount + 1) of \(source.path) differs from "
                + "that of \(appsPaths[source.appsCount])"
        )
    }

    /// A connection's number in the new file.
    private mutating func connection(_ number: UInt32, of source: Source) -> UInt32 {
        if let known = source.connections[number] { return known }
        let new = freeConnections.popLast() ?? lastConnection + 1
        lastConnection = max(lastConnection, new)
        source.connections[number] = new
        return new
    }

    /// Ends the sessions that are still open at the end of a recording.
    private mutating func end(_ source: Source, to file: inout CaptureFile) throws(CaptureError) {
        assert(source.next == nil, "the recording has records left")
        for connection in source.connections.values.sorted() {
            try [].withByteView { (view) throws(CaptureError) in
                try file.put(
                    CaptureRecord(
                        time: source.lastTime,
                        connection: connection,
                        kind: .ended,
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
