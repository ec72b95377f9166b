import Glibc
import Platform
import Synchronization
import Testing

@testable import AdminAPI

@Suite("The door to the loop")
struct AdminDoorTests {
    private let answers = DoorAnswers()

    private func submit(_ door: AdminDoor, _ request: AdminRequest = .apps) {
        door.submit(request) { [answers] in answers.add($0) }
    }

    @Test func beforeTheLoopRunsItIsLoading() {
        submit(AdminDoor())
        #expect(answers.codes == ["loading"])
    }

    @Test func aRequestWakesTheLoopWhichAnswersIt() {
        let door = AdminDoor(patience: 60_000)
        let wakes = Atomic<Int>(0)
        door.open { wakes.add(1, ordering: .relaxed) }
        #expect(!door.hasRequests)
        submit(door, .logLevel)
        #expect(door.hasRequests)
        #expect(wakes.load(ordering: .relaxed) == 1)
        guard let entry = door.take(), case .logLevel = entry.request else {
            Issue.record("the request is not there")
            return
        }
        #expect(!door.hasRequests)
        #expect(answers.count == 0)
        entry.answer(.body(LogLevelBody("info")))
        #expect(answers.codes == [nil])
        door.close()
        #expect(answers.count == 1)
    }

    @Test func requestsAreTakenInTheirOrder() {
        let door = AdminDoor(patience: 60_000)
        door.open {}
        for app in ["a", "b", "c"] { submit(door, .app(app)) }
        var names: [String] = []
        while let entry = door.take() {
            if case .app(let name) = entry.request { names.append(name) }
        }
        #expect(names == ["a", "b", "c"])
        door.close()
    }

    @Test func beyondItsCapacityItIsBusy() {
        let door = AdminDoor(patience: 60_000)
        door.open {}
        for _ in 0..<AdminDoor.capacity { submit(door) }
        #expect(answers.count == 0)
        submit(door)
        #expect(answers.codes == ["busy"])
        _ = door.take()
        submit(door)
        #expect(answers.count == 1)
        door.close()
        #expect(answers.codes.filter { $0 == "draining" }.count == AdminDoor.capacity)
    }

    @Test func nobodyWaitsForALoopThatIsSilent() {
        let door = AdminDoor(patience: 30)
        door.open {}
        submit(door)
        answers.wait(for: 1)
        #expect(answers.codes == ["silent"])
        #expect(door.take() == nil)
        door.close()
    }

    @Test func whoComesNextAnswersWhatIsOverdue() {
        let door = AdminDoor(patience: 0)
        door.open {}
        submit(door)
        door.answerOverdue()
        answers.wait(for: 1)
        #expect(answers.codes == ["silent"])
        door.close()
    }

    @Test func behindRequestsThatTakeLongOneIsToldThatTheLoopIsBusy() {
        let door = AdminDoor(patience: 60)
        door.open {}
        submit(door)
        submit(door)
        // The clock must move on before the loop takes the first one.
        let begin = monotonicMilliseconds()
        while monotonicMilliseconds() < begin + 2 { sched_yield() }
        #expect(door.take() != nil)
        answers.wait(for: 1)
        #expect(answers.codes == ["busy"])
        door.close()
    }

    @Test func afterTheEndEverybodyIsToldSo() {
        let door = AdminDoor(patience: 60_000)
        door.open {}
        submit(door)
        door.close()
        submit(door)
        door.close()
        #expect(answers.codes == ["draining", "draining"])
        #expect(door.take() == nil)
    }

    @Test func fromManyThreadsEachRequestHasOneAnswer() {
        let door = AdminDoor(patience: 60_000)
        door.open {}
        let isOver = Atomic<Bool>(false)
        let loop = JoinableThread { [answers] in
            while !isOver.load(ordering: .acquiring) {
                guard let entry = door.take() else {
                    sched_yield()
                    continue
                }
                entry.answer(.body(DrainBody()))
            }
            _ = answers
        }
        let threads = (0..<4).map { _ in
            JoinableThread { [answers] in
                for _ in 0..<500 { door.submit(.origins) { answers.add($0) } }
            }
        }
        for thread in threads { thread.join() }
        answers.wait(for: 2_000)
        isOver.store(true, ordering: .releasing)
        loop.join()
        door.close()
        #expect(answers.count == 2_000)
        #expect(answers.codes.allSatisfy { $0 == nil || $0 == "busy" })
        #expect(answers.codes.contains(nil))
    }
}

/// The answers that came, from any thread: the code of a problem, or nil for a body.
private final class DoorAnswers: Sendable {
    private let list = Mutex<[String?]>([])

    var codes: [String?] { list.withLock { $0 } }
    var count: Int { codes.count }

    func add(_ answer: AdminAnswer) {
        let code: String? =
            if case .problem(let problem) = answer { problem.code } else { nil }
        list.withLock { $0.append(code) }
    }

    func wait(for count: Int) {
        while self.count < count { sched_yield() }
    }
}
