internal import AdminAPI
internal import Basics

/// Answers to operators, and about pushes over HTTP, that may leave when the journal is committed
/// up to their positions; oldest first.
///
/// They are taken out first and sent then, because who gets one may ask for more.
struct UncommittedAnswers {
    /// What is answered, and to whom.
    enum Content {
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
    static var limit: Int { 64 }
    /// What becomes of an answer that has waited longer than `PushSessions.patience`.
    static var lateness: AdminProblem {
        AdminProblem(
            503,
            code: "store-failing",
            detail: "the change is made, but not durable after \(PushSessions.patience) ms"
        )
    }

    private var answers: [Answer] = []

    var count: Int { answers.count }

    /// Adds an answer that may leave at a position, which is not below that of the one before.
    mutating func append(_ content: Content, position: UInt64, now: MonotonicTime) {
        assert(
            answers.last?.position ?? 0 <= position,
            "answers wait out of the order of their positions"
        )
        answers.append(Answer(position: position, content: content, begin: now))
    }

    /// Takes the answers whose commit has come.
    mutating func take(upTo committed: UInt64) -> [Content] {
        take { $0.position <= committed }
    }

    /// Takes the answers that have waited too long for the store.
    mutating func takeLate(at now: MonotonicTime) -> [Content] {
        take { $0.begin < now - PushSessions.patience }
    }

    /// Takes all answers.
    mutating func takeAll() -> [Content] { take { _ in true } }

    private mutating func take(while isTaken: (Answer) -> Bool) -> [Content] {
        if answers.isEmpty { return [] }
        let first = answers.prefix(while: isTaken).map(\.content)
        answers.removeFirst(first.count)
        return first
    }
}
