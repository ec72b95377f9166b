internal import DataStructures

/// Which sessions are open and which app file holds, as the records tell.
///
/// Each file of a recording begins with both, so that it can be read alone; who reads several files
/// one after the other passes over what he knows.
package struct CaptureSessions {
    /// A session that is open.
    package struct Session {
        package let connection: UInt32
        /// Of its HELLO.
        package let seq: UInt64
        /// Its HELLO's body.
        package let body: [UInt8]
    }

    /// The app file's text, if one was told.
    package private(set) var apps: [UInt8]?
    private var sessions: [UInt32: Session] = [:]

    package init() {}

    package var count: Int { sessions.count }

    /// In the order of their connections.
    package var all: [Session] { sessions.values.sorted { $0.connection < $1.connection } }

    /// The session of a connection, if one is open.
    package subscript(connection: UInt32) -> Session? { sessions[connection] }

    /// Takes note of the next record.
    ///
    /// - Returns: false if it only repeats what is known: it is passed over.
    @discardableResult
    package mutating func take(_ record: CaptureRecord) -> Bool {
        switch record.kind {
        case .apps: return takeApps(record.body)
        case .hello: return takeHello(record)
        case .ended:
            sessions[record.connection] = nil
            return true
        case .push, .widgets, .timeline, .state, .request, .lost: return true
        }
    }

    private mutating func takeApps(_ body: ByteView) -> Bool {
        let isKnown = apps?.withByteView { $0 == body } ?? false
        if !isKnown { apps = body.array }
        return !isKnown
    }

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

    /// Tells all of it as records of that time.
    package func restate<Failure: Error>(
        at time: UInt64,
        _ body: (CaptureRecord) throws(Failure) -> Void
    ) throws(Failure) {
        if let apps {
            try apps.withByteView { (view) throws(Failure) in
                try body(CaptureRecord(time: time, connection: 0, .apps, body: view))
            }
        }
        for session in all {
            try session.body.withByteView { (view) throws(Failure) in
                try body(
                    CaptureRecord(
                        time: time,
                        connection: session.connection,
                        .hello,
                        seq: session.seq,
                        body: view
                    )
                )
            }
        }
    }
}
