internal import AdminAPI
internal import Basics
internal import RouterStore

/// Answers to operators, and about pushes over HTTP, that may leave when the journal is committed
/// up to their positions; oldest first.
///
/// They are taken out first and sent then, because who gets one may ask for more.
final class UncommittedAnswers {
    /// What is answered, and to whom.
    private enum Content {
        case command(AdminAnswer, to: AdminMailbox.Entry)
        case pushes(PushesBody, to: Asker)

        func send() {
            switch self {
            case .command(let answer, let entry): entry.answer(answer)
            case .pushes(let body, let asker): asker.answer(body)
            }
        }

        /// Sends a problem in its place, with what a command has changed all the same.
        func fail(with problem: AdminProblem) {
            switch self {
            case .command(let answer, let entry):
                entry.answer(.problem(problem, change: answer.change))
            case .pushes(_, let asker): asker.refuse(problem)
            }
        }
    }

    private struct Answer {
        let position: UInt64
        let content: Content
        /// When the answer was made.
        let begin: MonotonicTime
    }

    /// The most answers that wait; beyond it, changes are refused with 503 `busy`.
    private static var limit: Int { 64 }
    /// What becomes of an answer that has waited longer than `PushSessions.patience`.
    private static var lateness: AdminProblem {
        AdminProblem(
            503,
            code: "store-failing",
            detail: "the change is made, but not durable after \(PushSessions.patience) ms"
        )
    }

    private let core: Core
    private let reading: Reading
    private var answers: [Answer] = []

    init(_ reading: Reading) {
        core = reading.core
        self.reading = reading
    }

    /// Refuses a change while the store does not keep up, or too many answers await their commit.
    ///
    /// - Throws: `busy`.
    func requireRoom() throws(AdminProblem) {
        try reading.requireStoreRoom()
        if answers.count >= Self.limit {
            throw .busy("\(answers.count) answers wait for the store; no more are accepted")
        }
    }

    /// Delays an answer until the request's effects are committed. Returns it if it may leave at
    /// once: everything is committed, or there is no store.
    func whenCommitted(_ answer: AdminAnswer, for entry: AdminMailbox.Entry) -> AdminAnswer? {
        awaitsCommit(.command(answer, to: entry)) ? nil : answer
    }

    /// Says what became of pushes once their effects are committed.
    func send(_ pushes: PushesBody, to asker: Asker) {
        if !awaitsCommit(.pushes(pushes, to: asker)) { asker.answer(pushes) }
    }

    /// Queues an answer until everything is committed; false if it is, or there is no store.
    private func awaitsCommit(_ content: UncommittedAnswers.Content) -> Bool {
        guard let driver = core.driver else { return false }
        core.submit()
        if core.journalEnd <= driver.committed { return false }
        let now = core.now.monotonic
        assert(
            answers.last?.position ?? 0 <= core.journalEnd,
            "answers wait out of the order of their positions"
        )
        answers.append(Answer(position: core.journalEnd, content: content, begin: now))
        return true
    }

    /// Sends the answers whose commit has come.
    func sendCommitted() {
        guard let driver = core.driver else { return }
        let committed = driver.committed
        for answer in take(while: { $0.position <= committed }) { answer.send() }
    }

    /// Says of the answers that have waited too long for the store that they are not durable.
    func failLate() {
        let late = core.now.monotonic - PushSessions.patience
        for answer in take(while: { $0.begin < late }) { answer.fail(with: Self.lateness) }
    }

    /// Answers all with `draining` in place of what they say: the router is ending.
    func failAll() {
        for answer in take(while: { _ in true }) { answer.fail(with: .draining) }
    }

    private func take(while isTaken: (Answer) -> Bool) -> [Content] {
        if answers.isEmpty { return [] }
        let first = answers.prefix(while: isTaken).map(\.content)
        answers.removeFirst(first.count)
        return first
    }
}
