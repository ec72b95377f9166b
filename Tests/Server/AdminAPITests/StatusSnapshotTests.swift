import Basics
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

@testable import AdminAPI

@Suite("Asking the loop how it does")
struct StatusSnapshotTests {
    private let wakes = Counter()

    /// A board whose loop answers when it is woken, on a thread that is not the asker's.
    private func answeredSnapshot(freshness: Milliseconds) -> StatusSnapshot {
        let snapshot = StatusSnapshot(patience: 60_000, freshness: freshness)
        snapshot.open { [wakes] in
            wakes.add()
            _ = JoinableThread { snapshot.publish(RouterStatus(time: .now)) }
        }
        return snapshot
    }

    @Test func beforeTheLoopRunsItIsLoading() {
        #expect(StatusSnapshot().ask() == .loading)
    }

    @Test func aQuestionWakesTheLoopAndWaitsForItsAnswer() {
        let snapshot = answeredSnapshot(freshness: -1)
        for count in 1...3 {
            guard case .status = snapshot.ask() else {
                Issue.record("no answer")
                return
            }
            #expect(wakes.value == count)
            #expect(!snapshot.isAsked)
        }
    }

    @Test func aFreshStatusIsNotAskedForAgain() {
        let snapshot = answeredSnapshot(freshness: 60_000)
        let first = snapshot.ask()
        #expect(snapshot.ask() == first)
        #expect(wakes.value == 1)
    }

    @Test func aSilentLoopIsWaitedForOnceUntilItPublishes() {
        let snapshot = StatusSnapshot(patience: 50, freshness: 60_000)
        snapshot.open { [wakes] in wakes.add() }
        guard case .silent(let waited) = snapshot.ask() else {
            Issue.record("nobody has answered")
            return
        }
        #expect(waited >= 50)
        #expect(snapshot.isAsked)
        // Of the same question: it was asked once, and its time is over.
        guard case .silent(let longer) = snapshot.ask() else {
            Issue.record("nobody has answered")
            return
        }
        #expect(longer >= waited)
        #expect(wakes.value == 1)

        let status = RouterStatus(time: .now)
        snapshot.publish(status)
        #expect(!snapshot.isAsked)
        #expect(snapshot.ask() == .status(status))
    }

    @Test func allWhoWaitAreAnsweredByOneStatus() {
        let snapshot = StatusSnapshot(patience: 60_000, freshness: -1)
        let status = RouterStatus(time: .now)
        let answers = Answers()
        snapshot.open { [wakes] in wakes.add() }
        let threads = (0..<2).map { _ in
            JoinableThread {
                let answer = snapshot.ask()
                answers.list.withLock { $0.append(answer) }
            }
        }
        while !snapshot.isAsked { sched_yield() }
        snapshot.close(status)
        for thread in threads { thread.join() }
        #expect(answers.list.withLock { $0 } == [.status(status), .status(status)])
        #expect(wakes.value == 1)
    }

    @Test func theLastStatusStays() {
        let snapshot = answeredSnapshot(freshness: -1)
        var last = RouterStatus(time: 1)
        last.isDraining = true
        snapshot.close(last)
        #expect(snapshot.ask() == .status(last))
        #expect(wakes.value == 0)
    }
}

/// What the threads were told.
private final class Answers: Sendable {
    let list = Mutex<[StatusAnswer]>([])
}
