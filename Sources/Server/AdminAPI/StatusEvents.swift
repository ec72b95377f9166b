internal import HTTPServing
internal import Platform

/// Sends the router's status to all who watch, once a second.
///
/// A thread of its own asks the loop, and only while somebody watches; the text is made once for all.
/// Viewers are connections of the HTTP server, whose number is limited there.
final class StatusEvents: @unchecked Sendable {
    // Unchecked: the thread is begun, and waited for at the end, by its owner.

    private let producer: StatusProducer
    private let thread: JoinableThread

    /// - Parameters:
    ///   - board: where the loop is asked.
    ///   - period: from one status to the next, in milliseconds.
    init(_ board: StatusBoard, period: Int64 = 1_000) {
        let producer = StatusProducer(board, period)
        self.producer = producer
        thread = JoinableThread(niceness: AdminResources.niceness) { producer.run() }
    }

    deinit {
        producer.stop()
        thread.join()
    }

    /// Sends it events until it ends; the first one soon.
    func add(_ viewer: HTTPEventStream) { producer.add(viewer) }
}

/// What the thread does.
private final class StatusProducer: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor.
    private let monitor = Monitor()
    private var viewers: [HTTPEventStream] = []
    private var isStopping = false
    /// The last event, for whoever comes before the next one is due.
    private var last: HTTPEvent?
    /// When the next one is, in milliseconds of the monotonic clock.
    private var due: Int64 = 0
    private let board: StatusBoard
    private let period: Int64

    init(_ board: StatusBoard, _ period: Int64) {
        self.board = board
        self.period = period
    }

    func add(_ viewer: HTTPEventStream) {
        monitor.locked {
            if let last, monotonicMilliseconds() < due { viewer.send(last) }
            viewers.append(viewer)
        }
        monitor.wake()
    }

    func stop() {
        monitor.locked { isStopping = true }
        monitor.wake()
    }

    func run() {
        while waitUntilDue() {
            let event = StatusText(board.ask()).event
            monitor.locked {
                last = event
                viewers.removeAll { !$0.send(event) }
            }
        }
    }

    /// - Returns: false if there will be no more.
    private func waitUntilDue() -> Bool {
        monitor.locked {
            while !isStopping {
                let now = monotonicMilliseconds()
                if viewers.isEmpty {
                    // Whoever comes next does not want what was so long ago.
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
