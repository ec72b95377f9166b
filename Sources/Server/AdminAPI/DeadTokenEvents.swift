internal import HTTPServing
internal import Platform
internal import RouterCore
internal import StrictJSON
internal import Times

/// Sends each push token to which APNs accepts nothing any more to the viewers of its app (clients
/// of `GET /v1/apps/{app}/dead-tokens/events`): those of before, and each further one within a
/// second or two.
///
/// A thread of its own asks the loop for what follows the last token that a viewer has got; it
/// asks once for all viewers of an app that have the same. So nothing is kept for viewers but that
/// number, and a client that connects again continues where it was.
final class DeadTokenEvents: @unchecked Sendable {
    // Unchecked: only the owner starts the thread and waits for its end.

    /// The most viewers; a further one is refused with 503 `busy`.
    static var viewerLimit: Int { 32 }

    private let reader: DeadTokenReader
    private let thread: JoinableThread

    /// - Parameters:
    ///   - port: passes requests to the loop.
    ///   - period: time between two rounds of requests.
    ///   - authorization: says who is let in still.
    init(
        _ port: any AdminPort,
        period: Milliseconds = .seconds(1),
        authorization: Authorization
    ) {
        let reader = DeadTokenReader(port, period: period, authorization: authorization)
        self.reader = reader
        thread = JoinableThread(niceness: JoinableThread.besideTheLoop) { reader.run() }
    }

    deinit {
        reader.stop()
        thread.join()
    }

    /// Sends events to a viewer until its connection ends, its operator is let in no more, or the
    /// app is not declared any more.
    ///
    /// - Parameters:
    ///   - viewer: who asks.
    ///   - app: the app's name.
    ///   - number: the number of the last token that the viewer knows; 0 for none.
    ///   - stream: begins the stream; not called if there is none.
    /// - Throws: `busy` if there are too many viewers.
    func add(
        _ viewer: AdmittedOperator,
        of app: String,
        after number: UInt64,
        stream: () -> HTTPEventStream
    ) throws(AdminProblem) {
        if !reader.add(viewer, of: app, after: number, stream: stream) {
            throw .busy("\(Self.viewerLimit) clients read dead tokens; no more are accepted")
        }
    }
}

/// The work of the thread of `DeadTokenEvents`.
private final class DeadTokenReader: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor.

    /// A client of a stream.
    private struct Viewer {
        let stream: HTTPEventStream
        let admitted: AdmittedOperator
        /// What is asked for it next.
        var position: Position
        /// When something was last sent to it.
        var sentAt: MonotonicTime
    }

    /// How far viewers of an app have come.
    private struct Position: Hashable {
        let app: String
        /// The number of the last token that was sent.
        var number: UInt64
    }

    /// The most tokens of an event's round; more follow in the next one.
    private static var pageLimit: Int { 500 }
    /// A viewer hears something after this time, so that one that has vanished is noticed.
    private static var silence: Milliseconds { .seconds(15) }

    private let monitor = Monitor()
    private var viewers: [Viewer] = []
    private var isStopping = false
    /// What the thread waits for.
    private var box: AnswerBox?
    /// When the next round is due.
    private var due = MonotonicTime.zero
    private let port: any AdminPort
    private let period: Milliseconds
    private let authorization: Authorization

    init(_ port: any AdminPort, period: Milliseconds, authorization: Authorization) {
        self.port = port
        self.period = period
        self.authorization = authorization
    }

    /// Adds a viewer.
    ///
    /// - Returns: false if there are too many.
    func add(
        _ viewer: AdmittedOperator,
        of app: String,
        after number: UInt64,
        stream: () -> HTTPEventStream
    ) -> Bool {
        let isAdded = monitor.locked {
            viewers.removeAll { !$0.stream.isOpen }
            if viewers.count >= DeadTokenEvents.viewerLimit { return false }
            viewers.append(
                Viewer(
                    stream: stream(),
                    admitted: viewer,
                    position: Position(app: app, number: number),
                    sentAt: .now
                )
            )
            // It need not wait for the next round.
            due = .zero
            return true
        }
        monitor.wake()
        return isAdded
    }

    /// Makes `run` return.
    func stop() {
        monitor.locked {
            isStopping = true
            box?.abandon()
        }
        monitor.wake()
    }

    /// Sends events until `stop`.
    func run() {
        while let positions = waitUntilDue() {
            for position in positions {
                guard let answer = ask(position) else { return }
                send(answer, at: position)
            }
            sendSignsOfLife()
        }
    }

    /// Waits until a round is due and there is a viewer.
    ///
    /// - Returns: what is to be asked; nil once the thread must end.
    private func waitUntilDue() -> Set<Position>? {
        monitor.locked {
            while !isStopping {
                let now = MonotonicTime.now
                if viewers.isEmpty {
                    monitor.wait()
                } else if now < due {
                    monitor.wait(until: due)
                } else {
                    due = now + period
                    return Set(viewers.map(\.position))
                }
            }
            return nil
        }
    }

    /// Asks the loop, and waits for its answer.
    ///
    /// - Returns: the answer; nil once the thread must end.
    private func ask(_ position: Position) -> AdminAnswer? {
        let box = AnswerBox()
        let isStopping = monitor.locked {
            self.box = box
            return self.isStopping
        }
        if isStopping { return nil }
        port.submit(
            .deadTokens(app: position.app, after: position.number, limit: Self.pageLimit),
            from: nil
        ) { box.put($0) }
        return box.wait()
    }

    private func send(_ answer: AdminAnswer, at position: Position) {
        switch answer {
        case .body(_, let body, _):
            guard let page = body as? ListBody<EndedTokenView>, let last = page.entries.last
            else { return }
            let events = page.entries.map { token in
                HTTPEvent(
                    name: "token",
                    data: Self.text { json in json.object { token.writeMembers(to: &$0) } },
                    id: token.number
                )
            }
            forViewers(at: position) { viewer in
                viewer.position.number = last.number
                viewer.sentAt = .now
                return events.allSatisfy { viewer.stream.send($0) }
            }
            if page.hasNext { monitor.locked { due = .zero } }
        case .problem(let problem, _):
            let event = HTTPEvent(name: "problem", data: Self.text { problem.write(to: &$0) })
            // Anything else passes, and is asked for again.
            let isOver = problem.status == 404
            forViewers(at: position) { viewer in
                viewer.sentAt = .now
                if !viewer.stream.send(event) { return false }
                if isOver { viewer.stream.close() }
                return !isOver
            }
        }
    }

    /// Removes viewers that have gone, or are let in no more, and sends the number of the last
    /// token to those that have heard nothing for some time.
    private func sendSignsOfLife() {
        let now = MonotonicTime.now
        monitor.locked {
            viewers.removeAll { !$0.stream.isOpen || !authorization.admits($0.admitted) }
            for index in viewers.indices where now - viewers[index].sentAt >= Self.silence {
                let number = viewers[index].position.number
                viewers[index].sentAt = now
                viewers[index].stream.send(
                    HTTPEvent(
                        name: "position",
                        data: Self.text { json in
                            json.object { $0.member("number", value: number) }
                        },
                        id: number
                    )
                )
            }
        }
    }

    /// Calls `body` for the viewers that have come as far as `position`, and removes those for
    /// which it returns false, and those that are let in no more.
    private func forViewers(at position: Position, send body: (inout Viewer) -> Bool) {
        monitor.locked {
            for index in viewers.indices.reversed() where viewers[index].position == position {
                let isAdmitted = authorization.admits(viewers[index].admitted)
                if !isAdmitted || !body(&viewers[index]) { viewers.remove(at: index) }
            }
        }
    }

    private static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
