import Glibc
import Platform
import Synchronization
import Testing

@testable import AdminAPI

@Suite("Asking the loop how it does")
struct StatusBoardTests {
    private let wakes = Counter()

    /// A board whose loop answers when it is woken, on a thread that is not the asker's.
    private func answeredBoard(freshness: Int64) -> StatusBoard {
        let board = StatusBoard(patience: 60_000, freshness: freshness)
        board.open { [wakes] in
            wakes.add()
            _ = JoinableThread { board.publish(RouterStatus(time: monotonicMilliseconds())) }
        }
        return board
    }

    @Test func beforeTheLoopRunsItIsLoading() {
        #expect(StatusBoard().ask() == .loading)
    }

    @Test func aQuestionWakesTheLoopAndWaitsForItsAnswer() {
        let board = answeredBoard(freshness: -1)
        for count in 1...3 {
            guard case .status = board.ask() else {
                Issue.record("no answer")
                return
            }
            #expect(wakes.value == count)
            #expect(!board.isAsked)
        }
    }

    @Test func aFreshStatusIsNotAskedForAgain() {
        let board = answeredBoard(freshness: 60_000)
        let first = board.ask()
        #expect(board.ask() == first)
        #expect(wakes.value == 1)
    }

    @Test func aSilentLoopIsWaitedForOnceUntilItPublishes() {
        let board = StatusBoard(patience: 50, freshness: 60_000)
        board.open { [wakes] in wakes.add() }
        guard case .silent(let waited) = board.ask() else {
            Issue.record("nobody has answered")
            return
        }
        #expect(waited >= 50)
        #expect(board.isAsked)
        // Of the same question: it was asked once, and its time is over.
        guard case .silent(let longer) = board.ask() else {
            Issue.record("nobody has answered")
            return
        }
        #expect(longer >= waited)
        #expect(wakes.value == 1)

        let status = RouterStatus(time: monotonicMilliseconds())
        board.publish(status)
        #expect(!board.isAsked)
        #expect(board.ask() == .status(status))
    }

    @Test func allWhoWaitAreAnsweredByOneStatus() {
        let board = StatusBoard(patience: 60_000, freshness: -1)
        let status = RouterStatus(time: monotonicMilliseconds())
        let answers = Answers()
        board.open { [wakes] in wakes.add() }
        let threads = (0..<2).map { _ in
            JoinableThread {
                let answer = board.ask()
                answers.list.withLock { $0.append(answer) }
            }
        }
        while !board.isAsked { sched_yield() }
        board.close(status)
        for thread in threads { thread.join() }
        #expect(answers.list.withLock { $0 } == [.status(status), .status(status)])
        #expect(wakes.value == 1)
    }

    @Test func theLastStatusStays() {
        let board = answeredBoard(freshness: -1)
        var last = RouterStatus(time: 1)
        last.isDraining = true
        board.close(last)
        #expect(board.ask() == .status(last))
        #expect(wakes.value == 0)
    }
}

/// What the threads were told.
private final class Answers: Sendable {
    let list = Mutex<[StatusAnswer]>([])
}
