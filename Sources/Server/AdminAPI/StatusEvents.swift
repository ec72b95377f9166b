internal import HTTPServing
internal import Platform
internal import Times

/// Sends the router's status to all viewers (clients of `GET /v1/events`) once a second.
///
/// A thread of its own asks the loop, and only while there are viewers; the text is made once for
/// all of them. Viewers are connections of the HTTP server, which limits their number.
final class StatusEvents: @unchecked Sendable {
    // Unchecked: only the owner starts the thread and waits for its end.

    private let producer: StatusProducer
    private let thread: JoinableThread

    /// - Parameters:
    ///   - snapshot: provides the loop's status.
    ///   - period: time between two events.
    ///   - authorization: says who is let in still.
    init(
        _ snapshot: StatusSnapshot,
        period: Milliseconds = .seconds(1),
        authorization: Authorization
    ) {
        let producer = StatusProducer(snapshot, period: period, authorization: authorization)
        self.producer = producer
        thread = JoinableThread(niceness: JoinableThread.besideTheLoop) { producer.run() }
    }

    deinit {
        producer.stop()
        thread.join()
    }

    /// Sends events to a viewer until its connection ends, or its operator is let in no more. The
    /// first comes at once if there is a recent one, else within a period.
    func add(_ stream: HTTPEventStream, for viewer: AdmittedOperator) {
        producer.add(stream, for: viewer)
    }
}

/// The work of the thread of `StatusEvents`.
private final class StatusProducer: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor.
    private let monitor = Monitor()
    private var viewers: [(stream: HTTPEventStream, viewer: AdmittedOperator)] = []
    private var isStopping = false
    /// The last event, for viewers that come before the next one is due; nil if it is out of date.
    private var last: HTTPEvent?
    /// When the next event is due.
    private var due = MonotonicTime.zero
    private let snapshot: StatusSnapshot
    private let period: Milliseconds
    private let authorization: Authorization

    init(_ snapshot: StatusSnapshot, period: Milliseconds, authorization: Authorization) {
        self.snapshot = snapshot
        self.period = period
        self.authorization = authorization
    }

    /// Adds a viewer, and sends it the last event if that is recent.
    func add(_ stream: HTTPEventStream, for viewer: AdmittedOperator) {
        monitor.locked {
            if let last, MonotonicTime.now < due { stream.send(last) }
            viewers.append((stream, viewer))
        }
        monitor.wake()
    }

    /// Makes `run` return.
    func stop() {
        monitor.locked { isStopping = true }
        monitor.wake()
    }

    /// Sends events until `stop`.
    func run() {
        while waitUntilDue() {
            let event = StatusText(snapshot.ask()).event
            monitor.locked {
                last = event
                viewers.removeAll { !authorization.admits($0.viewer) || !$0.stream.send(event) }
            }
        }
    }

    /// Waits until an event is due and there is a viewer.
    ///
    /// - Returns: false once the thread must end.
    private func waitUntilDue() -> Bool {
        monitor.locked {
            while !isStopping {
                let now = MonotonicTime.now
                if viewers.isEmpty {
                    // The event is out of date by the time the next viewer comes.
                    last = nil
                    monitor.wait()
                } else if now < due {
                    monitor.wait(until: due)
                } else {
                    due = now + period
                    return true
                }
            }
            return false
        }
    }
}
