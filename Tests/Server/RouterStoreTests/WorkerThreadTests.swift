import RouterStore
import Synchronization
import Testing

@Suite("A worker thread")
struct WorkerThreadTests {
    @Test("does all it was given, in that order, before it says that it is finished")
    func order() {
        let worker = WorkerThread()
        let done = Mutex<[Int]>([])
        for round in 0..<20 {
            for number in 0..<50 {
                worker.perform { done.withLock { $0.append(round * 50 + number) } }
            }
            worker.finish()
            #expect(done.withLock { $0 } == Array(0..<(round + 1) * 50))
        }
        worker.close()
    }

    @Test("works beside its caller, who waits only when five pieces are given and none is done")
    func limit() {
        let worker = WorkerThread()
        let gate = Mutex<Void>(())
        let done = Atomic<Int>(0)
        gate.withLock { _ in
            for _ in 0..<5 {
                worker.perform {
                    gate.withLock { _ in }
                    done.add(1, ordering: .relaxed)
                }
            }
            #expect(done.load(ordering: .relaxed) == 0)
        }
        worker.finish()
        #expect(done.load(ordering: .relaxed) == 5)
        worker.close()
    }

    @Test("does what waits when it is closed, and is closed twice without harm")
    func closes() {
        let worker = WorkerThread()
        let done = Atomic<Int>(0)
        for _ in 0..<4 { worker.perform { done.add(1, ordering: .relaxed) } }
        worker.close()
        worker.close()
        #expect(done.load(ordering: .relaxed) == 4)
        let idle = WorkerThread()
        idle.finish()
        idle.close()
    }
}
