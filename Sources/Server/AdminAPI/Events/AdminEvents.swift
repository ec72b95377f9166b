internal import Basics
internal import HTTPServing
internal import Platform

/// Sends the streams of events: the router's status once a second (`GET /v1/events`), and each push
/// token to which APNs accepts nothing any more (`GET /v1/apps/{app}/dead-tokens/events`), those of
/// before first, and each further one within a second or two.
///
/// A thread of its own asks the loop, only while there are viewers, and once for all that wait for
/// the same. Nothing is kept for viewers of tokens but the number of the last one that they have
/// got, so a client that connects again continues where it was. The HTTP server limits how many
/// viewers of the status there are, since each is a connection.
final class AdminEvents: @unchecked Sendable {
    // Unchecked: only the owner starts the thread and waits for its end.

    /// The most viewers of tokens; a further one is refused with 503 `busy`.
    static var tokenViewerLimit: Int { 32 }

    /// Where viewers are added.
    let rounds: EventRounds
    private let thread: JoinableThread

    init(_ snapshot: StatusSnapshot, port: any AdminPort, authorization: Authorization) {
        let rounds = EventRounds(snapshot, port: port, authorization: authorization)
        self.rounds = rounds
        thread = JoinableThread(niceness: JoinableThread.besideTheLoop) { rounds.run() }
    }

    deinit {
        rounds.stop()
        thread.join()
    }
}

/// A client of a stream.
struct EventViewer {
    /// What it gets next.
    enum Subject: Hashable {
        case status
        /// The tokens of an app that follow a number.
        case tokens(app: String, after: UInt64)
    }

    let stream: HTTPEventStream
    let admitted: AdmittedOperator
    var subject: Subject
    /// When something was last sent to it.
    var sentAt = MonotonicTime.now

    /// The number of the last token that it has got; nil for a viewer of the status.
    var number: UInt64? {
        if case .tokens(_, let number) = subject { number } else { nil }
    }
}
