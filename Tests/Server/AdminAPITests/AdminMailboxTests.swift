import Basics
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

@testable import AdminAPI

@Suite("The mailbox of the loop")
struct AdminMailboxTests {
    private let answers = MailboxAnswers()

    private func submit(_ mailbox: AdminMailbox, _ request: AdminRequest = .apps) {
        mailbox.submit(request, from: nil) { [answers] in answers.add($0) }
    }

    @Test func beforeTheLoopRunsItIsLoading() {
        submit(AdminMailbox())
        #expect(answers.codes == ["loading"])
    }

    @Test func aRequestWakesTheLoopWhichAnswersIt() {
        let mailbox = AdminMailbox(patience: 60_000)
        let wakes = Atomic<Int>(0)
        mailbox.open { wakes.add(1, ordering: .relaxed) }
        #expect(!mailbox.hasRequests)
        submit(mailbox, .logLevel)
        #expect(mailbox.hasRequests)
        #expect(wakes.load(ordering: .relaxed) == 1)
        guard let entry = mailbox.take(), case .logLevel = entry.request else {
            Issue.record("the request is not there")
            return
        }
        #expect(!mailbox.hasRequests)
        #expect(answers.count == 0)
        entry.answer(.body(Echo()))
        #expect(answers.codes == [nil])
        mailbox.close()
        #expect(answers.count == 1)
    }

    @Test func requestsAreTakenInTheirOrder() {
        let mailbox = AdminMailbox(patience: 60_000)
        mailbox.open {}
        for app in ["a", "b", "c"] { submit(mailbox, .app(app)) }
        var names: [String] = []
        while let entry = mailbox.take() {
            if case .app(let name) = entry.request { names.append(name) }
        }
        #expect(names == ["a", "b", "c"])
        mailbox.close()
    }

    @Test func thoseOfAnOperatorWhoHasToWaitLetOthersPass() {
        let mailbox = AdminMailbox(patience: 60_000)
        mailbox.open {}
        for (name, app) in [("anna", "a"), ("anna", "b"), ("ben", "c"), (nil, "d")] {
            mailbox.submit(.app(app), from: name) { [answers] in answers.add($0) }
        }
        var names: [String] = []
        func take(_ entry: AdminMailbox.Entry?) -> Bool {
            guard let entry, case .app(let name) = entry.request else { return false }
            names.append(name)
            return true
        }
        let anna = mailbox.take()
        #expect(take(anna))
        while take(mailbox.take { $0 == anna?.group }) {}
        #expect(names == ["a", "c", "d"] && mailbox.hasRequests)
        #expect(mailbox.take { _ in true } == nil)
        #expect(take(mailbox.take()) && !mailbox.hasRequests)
        mailbox.close()
    }

    @Test func beyondItsCapacityItIsBusy() {
        let mailbox = AdminMailbox(patience: 60_000)
        mailbox.open {}
        for _ in 0..<AdminMailbox.capacity { submit(mailbox) }
        #expect(answers.count == 0)
        submit(mailbox)
        #expect(answers.codes == ["busy"])
        _ = mailbox.take()
        submit(mailbox)
        #expect(answers.count == 1)
        mailbox.close()
        #expect(answers.codes.filter { $0 == "draining" }.count == AdminMailbox.capacity)
    }

    @Test func nobodyWaitsForALoopThatIsSilent() {
        let mailbox = AdminMailbox(patience: 30)
        mailbox.open {}
        submit(mailbox)
        answers.wait(for: 1)
        #expect(answers.codes == ["silent"])
        #expect(mailbox.take() == nil)
        mailbox.close()
    }

    @Test func whoComesNextAnswersWhatIsOverdue() {
        let mailbox = AdminMailbox(patience: 0)
        mailbox.open {}
        submit(mailbox)
        mailbox.answerOverdue()
        answers.wait(for: 1)
        #expect(answers.codes == ["silent"])
        mailbox.close()
    }

    @Test func aRequestBehindLongOnesIsAnsweredThatTheLoopIsBusy() {
        // Long, because a busy machine may stop this thread between the calls.
        let mailbox = AdminMailbox(patience: 3_000)
        mailbox.open {}
        submit(mailbox)
        submit(mailbox)
        // The clock must move on before the loop takes the first one.
        let begin = MonotonicTime.now
        while MonotonicTime.now < begin + 2 { sched_yield() }
        #expect(mailbox.take() != nil)
        answers.wait(for: 1)
        #expect(answers.codes == ["busy"])
        mailbox.close()
    }

    @Test func aRequestOfAnOperatorWhoRestsIsAnsweredThatTheLoopIsBusy() {
        let mailbox = AdminMailbox(patience: 3_000)
        mailbox.open {}
        let begin = MonotonicTime.now
        while MonotonicTime.now < begin + 2 { sched_yield() }
        submit(mailbox)
        let submitted = MonotonicTime.now
        while MonotonicTime.now < submitted + 2 { sched_yield() }
        // The loop looks, and is not silent.
        #expect(mailbox.take { _ in true } == nil)
        answers.wait(for: 1)
        #expect(answers.codes == ["busy"])
        mailbox.close()
    }

    @Test func afterTheEndEveryRequestIsAnsweredSo() {
        let mailbox = AdminMailbox(patience: 60_000)
        mailbox.open {}
        submit(mailbox)
        mailbox.close()
        submit(mailbox)
        mailbox.close()
        #expect(answers.codes == ["draining", "draining"])
        #expect(mailbox.take() == nil)
    }

    @Test func fromManyThreadsEachRequestHasOneAnswer() {
        let mailbox = AdminMailbox(patience: 60_000)
        mailbox.open {}
        let isOver = Atomic<Bool>(false)
        let loop = JoinableThread { [answers] in
            while !isOver.load(ordering: .acquiring) {
                guard let entry = mailbox.take() else {
                    sched_yield()
                    continue
                }
                entry.answer(.body(Echo()))
            }
            _ = answers
        }
        let threads = (0..<4).map { _ in
            JoinableThread { [answers] in
                for _ in 0..<500 { mailbox.submit(.hotKeys, from: nil) { answers.add($0) } }
            }
        }
        for thread in threads { thread.join() }
        answers.wait(for: 2_000)
        isOver.store(true, ordering: .releasing)
        loop.join()
        mailbox.close()
        #expect(answers.count == 2_000)
        #expect(answers.codes.allSatisfy { $0 == nil || $0 == "busy" })
        #expect(answers.codes.contains(nil))
    }
}

/// The answers that came, from any thread: the code of a problem, or nil for a body.
private final class MailboxAnswers: Sendable {
    private let list = Mutex<[String?]>([])

    var codes: [String?] { list.withLock { $0 } }
    var count: Int { codes.count }

    func add(_ answer: AdminAnswer) {
        let code: String? =
            if case .problem(let problem, _) = answer { problem.code } else { nil }
        list.withLock { $0.append(code) }
    }

    func wait(for count: Int) {
        while self.count < count { sched_yield() }
    }
}
