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

    private let rounds: EventRounds
    private let thread: JoinableThread

    init(
        _ snapshot: StatusSnapshot,
        port: any AdminPort,
        period: Milliseconds = .seconds(1),
        authorization: Authorization
    ) {
        let rounds = EventRounds(
            snapshot,
            port: port,
            period: period,
            authorization: authorization
        )
        self.rounds = rounds
        thread = JoinableThread(niceness: JoinableThread.besideTheLoop) { rounds.run() }
    }

    deinit {
        rounds.stop()
        thread.join()
    }

    /// Sends the status to a viewer until its connection ends, or its operator is let in no more.
    /// The first comes at once if there is a recent one, else within a period.
    func add(_ viewer: AdmittedOperator, stream: HTTPEventStream) {
        rounds.add(EventViewer(stream: stream, admitted: viewer, subject: .status))
    }

    /// Sends tokens to a viewer, those after a number first, until its connection ends, its
    /// operator is let in no more, or the app is not declared any more. If there are too many
    /// viewers, `stream` is not called.
    func add(
        _ viewer: AdmittedOperator,
        of app: String,
        after number: UInt64,
        stream: () -> HTTPEventStream
    ) throws(AdminProblem) {
        let isAdded = rounds.add(limit: Self.tokenViewerLimit) {
            EventViewer(
                stream: stream(),
                admitted: viewer,
                subject: .tokens(app: app, after: number)
            )
        }
        if !isAdded {
            throw .busy("\(Self.tokenViewerLimit) clients read dead tokens; no more are accepted")
        }
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
