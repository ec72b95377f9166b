internal import Basics
internal import HTTPServing
internal import Platform
internal import RouterCore

/// The work of the thread of `AdminEvents`.
final class EventRounds: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor.

    /// The most tokens of an event's round; more follow in the next one.
    private static var pageLimit: Int { 500 }
    /// A viewer hears something after this time, so that one that has vanished is noticed.
    private static var silence: Milliseconds { .seconds(15) }

    private let monitor = Monitor()
    private var viewers: [EventViewer] = []
    private var isStopping = false
    /// What the thread waits for.
    private var box: AnswerBox?
    /// The last status, for viewers that come before the next one is due; nil if it is out of date.
    private var lastStatus: HTTPEvent?
    /// When the status is due.
    private var statusDue = MonotonicTime.zero
    /// When the next round of tokens is due.
    private var tokensDue = MonotonicTime.zero
    private let snapshot: StatusSnapshot
    private let port: any AdminPort
    /// Time between two rounds.
    private let period = Milliseconds.seconds(1)
    private let authorization: Authorization

    init(_ snapshot: StatusSnapshot, port: any AdminPort, authorization: Authorization) {
        self.snapshot = snapshot
        self.port = port
        self.authorization = authorization
    }

    /// Sends the status to a viewer until its connection ends, or its operator is let in no more.
    /// The first comes at once if there is a recent one, else within a period.
    func add(_ viewer: AdmittedOperator, stream: HTTPEventStream) {
        monitor.locked {
            if let lastStatus, MonotonicTime.now < statusDue { stream.send(lastStatus) }
            viewers.append(EventViewer(stream: stream, admitted: viewer, subject: .status))
        }
        monitor.wake()
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
        let limit = AdminEvents.tokenViewerLimit
        let isAdded = monitor.locked {
            viewers.removeAll { !$0.stream.isOpen }
            if viewers.count(where: { $0.number != nil }) >= limit { return false }
            let subject = EventViewer.Subject.tokens(app: app, after: number)
            viewers.append(EventViewer(stream: stream(), admitted: viewer, subject: subject))
            // It need not wait for the next round.
            tokensDue = .zero
            return true
        }
        monitor.wake()
        if !isAdded { throw .busy("\(limit) clients read dead tokens; no more are accepted") }
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
        while let subjects = waitUntilDue() {
            sendStatusIfDue()
            for case .tokens(let app, let number) in subjects {
                guard let answer = ask(app, after: number) else { return }
                send(answer, of: app, after: number)
                sendStatusIfDue()
            }
            sendSignsOfLife()
        }
    }

    /// Waits until something is due that a viewer waits for. Returns the tokens that are due, none
    /// if that is the status alone; nil once the thread must end.
    private func waitUntilDue() -> Set<EventViewer.Subject>? {
        monitor.locked {
            while !isStopping {
                let subjects = Set(viewers.map(\.subject))
                let tokens = subjects.subtracting([.status])
                // The last one is out of date by the time the next viewer comes.
                if !subjects.contains(.status) { lastStatus = nil }
                let now = MonotonicTime.now
                if !tokens.isEmpty, now >= tokensDue {
                    tokensDue = now + period
                    return tokens
                }
                if subjects.contains(.status), now >= statusDue { return [] }
                let due = min(
                    subjects.contains(.status) ? statusDue : .max,
                    tokens.isEmpty ? .max : tokensDue
                )
                if due == .max { monitor.wait() } else { monitor.wait(until: due) }
            }
            return nil
        }
    }

    // MARK: - The status

    /// Sends the status if it is due: also between two questions about tokens, and while the loop
    /// answers one, which can take long if it is busy.
    private func sendStatusIfDue() {
        let isDue: Bool = monitor.locked {
            let now = MonotonicTime.now
            if now < statusDue || !viewers.contains(where: { $0.subject == .status }) {
                return false
            }
            statusDue = now + period
            return true
        }
        if !isDue { return }
        let event = snapshot.ask().event
        monitor.locked {
            lastStatus = event
            forViewers(of: .status) { $0.stream.send(event) }
        }
    }

    // MARK: - Tokens

    /// Asks the loop, and waits for its answer; nil once the thread must end.
    private func ask(_ app: String, after number: UInt64) -> AdminAnswer? {
        let box = AnswerBox()
        let isStopping = monitor.locked {
            self.box = box
            return self.isStopping
        }
        if isStopping { return nil }
        port.submit(
            .deadTokens(app: app, after: number, limit: Self.pageLimit),
            from: nil
        ) { box.put($0) }
        while true {
            if let answer = box.wait(until: .now + period) { return answer }
            if monitor.locked({ self.isStopping }) { return nil }
            sendStatusIfDue()
        }
    }

    private func send(_ answer: AdminAnswer, of app: String, after number: UInt64) {
        let subject = EventViewer.Subject.tokens(app: app, after: number)
        switch answer {
        case .body(_, let body, _):
            guard let page = body as? ListBody<EndedTokenView>, let last = page.entries.last
            else { return }
            let events = page.entries.map { token in
                HTTPEvent(
                    name: "token",
                    data: Self.text { token.writeMembers(to: &$0) },
                    id: token.number
                )
            }
            monitor.locked {
                forViewers(of: subject) { viewer in
                    viewer.subject = .tokens(app: app, after: last.number)
                    return events.allSatisfy { viewer.stream.send($0) }
                }
                if page.hasNext { tokensDue = .zero }
            }
        case .problem(let problem, _):
            let data = Self.text { problem.writeMembers(to: &$0) }
            let event = HTTPEvent(name: "problem", data: data)
            // Anything else passes, and is asked for again.
            let isOver = problem.status == 404
            monitor.locked {
                forViewers(of: subject) { viewer in
                    if !viewer.stream.send(event) { return false }
                    if isOver { viewer.stream.close() }
                    return !isOver
                }
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
                guard let number = viewers[index].number else { continue }
                viewers[index].sentAt = now
                let data = Self.text { $0.member("number", value: number) }
                viewers[index].stream.send(HTTPEvent(name: "position", data: data, id: number))
            }
        }
    }

    // MARK: - Viewers

    /// Calls `body` for the viewers that wait for the same, and removes those for which it returns
    /// false, and those that are let in no more. Call it under the monitor.
    private func forViewers(
        of subject: EventViewer.Subject,
        send body: (inout EventViewer) -> Bool
    ) {
        for index in viewers.indices.reversed() where viewers[index].subject == subject {
            viewers[index].sentAt = .now
            let isAdmitted = authorization.admits(viewers[index].admitted)
            if !isAdmitted || !body(&viewers[index]) { viewers.remove(at: index) }
        }
    }

    /// An object as text.
    private static func text(_ members: (inout JSONWriter) -> Void) -> String {
        String(decoding: JSONWriter.object(members), as: UTF8.self)
    }
}

/// An answer that one thread waits for, and the loop gives. Its monitor is its own, so that the
/// loop never waits for what the other thread does.
final class AnswerBox: @unchecked Sendable {
    // Unchecked: the vars are used under the monitor.
    private let monitor = Monitor()
    private var answer: AdminAnswer?
    private var isAbandoned = false

    /// Leaves the answer; may be called on any thread.
    func put(_ answer: AdminAnswer) {
        monitor.locked { self.answer = answer }
        monitor.wake()
    }

    /// Makes `wait` return without an answer.
    func abandon() {
        monitor.locked { isAbandoned = true }
        monitor.wake()
    }

    /// Waits for the answer until a time; nil if it was abandoned, or has not come.
    func wait(until end: MonotonicTime) -> AdminAnswer? {
        monitor.locked {
            while answer == nil && !isAbandoned && MonotonicTime.now < end {
                monitor.wait(until: end)
            }
            return isAbandoned ? nil : answer
        }
    }
}
