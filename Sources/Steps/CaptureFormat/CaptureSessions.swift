package import Basics

/// The open sessions and the app file in force, as reported by the records so far.
///
/// Each file of a recording begins with both, so that it can be read alone. A reader of several
/// files skips these repetitions: `take` returns false for them.
package struct CaptureSessions {
    /// An open session.
    package struct Session {
        /// The number of the session's connection.
        package let connection: UInt32
        /// The sequence number of its HELLO.
        package let seq: UInt64
        /// The body of its HELLO.
        package let body: [UInt8]
    }

    /// The text of the app file in force; nil before the first.
    package private(set) var apps: [UInt8]?
    private var sessions: [UInt32: Session] = [:]

    /// Makes the state before the first record: no session and no app file.
    package init() {}

    /// The number of open sessions.
    package var count: Int { sessions.count }

    /// The open sessions, in the order of their connections' numbers.
    package var all: [Session] { sessions.values.sorted { $0.connection < $1.connection } }

    /// The session of a connection; nil if none is open.
    package subscript(connection: UInt32) -> Session? { sessions[connection] }

    /// Applies the next record. Returns false if the record only repeats what is known already, and
    /// should be skipped.
    @discardableResult
    package mutating func take(_ record: CaptureRecord) -> Bool {
        switch record.kind {
        case .apps: return takeApps(record.body)
        case .hello: return takeHello(record)
        case .ended:
            sessions[record.connection] = nil
            return true
        case .push, .widgets, .timeline, .state, .request, .attach, .lost: return true
        }
    }

    /// Replaces the app file in force; returns false if it is the same.
    private mutating func takeApps(_ body: ByteView) -> Bool {
        let isKnown = apps?.withByteView { $0 == body } ?? false
        if !isKnown { apps = body.array }
        return !isKnown
    }

    /// Adds a session; returns false if the same HELLO is known on its connection.
    private mutating func takeHello(_ record: CaptureRecord) -> Bool {
        let known = sessions[record.connection]
        if let known, known.seq == record.seq, known.body.withByteView({ $0 == record.body }) {
            return false
        }
        sessions[record.connection] = Session(
            connection: record.connection,
            seq: record.seq,
            body: record.body.array
        )
        return true
    }

    /// Calls `body` with records that repeat the app file and all open sessions, for the beginning
    /// of a file.
    package func restate<Failure: Error>(
        at time: RecordedTime,
        body: (CaptureRecord) throws(Failure) -> Void
    ) throws(Failure) {
        if let apps {
            try apps.withByteView { (view) throws(Failure) in
                try body(CaptureRecord(time: time, connection: 0, kind: .apps, body: view))
            }
        }
        for session in all {
            try session.body.withByteView { (view) throws(Failure) in
                try body(
                    CaptureRecord(
                        time: time,
                        connection: session.connection,
                        kind: .hello,
                        seq: session.seq,
                        body: view
                    )
                )
            }
        }
    }
}
