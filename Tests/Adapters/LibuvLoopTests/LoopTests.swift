import Basics
import Glibc
import LibuvLoop
import Synchronization
import TestSupport
import Testing

/// Notes what timers, hooks, signals and wake-ups tell.
private final class Listener: TimerOwner, HookOwner, SignalOwner, WakeupOwner {
    var fired = 0
    var hooked = 0
    var signals: [CInt] = []
    var wakeups = 0
    // They get the listener, which they must not capture: it would hold itself.
    var whenFired: (Listener, LoopTimer) -> Void = { _, _ in }
    var whenWoken: (Listener, LoopWakeup) -> Void = { _, _ in }

    func timerFired(_ timer: LoopTimer) {
        fired += 1
        whenFired(self, timer)
    }

    func hookFired(_ hook: LoopHook) { hooked += 1 }

    func signalReceived(_ signal: LoopSignal) {
        signals.append(signal.number)
        signal.close()
    }

    func wokenUp(_ wakeup: LoopWakeup) {
        wakeups += 1
        whenWoken(self, wakeup)
    }
}

@Suite("Loop")
struct LoopTests {
    @Test("A loop without handles ends at once")
    func empty() throws {
        let loop = try Loop()
        try loop.run()
        #expect(loop.handleCount == 0)
        try loop.close()
    }

    @Test("A timer fires once, not before its time, and may be closed as it fires")
    func timer() throws {
        let loop = try Loop()
        let listener = Listener()
        listener.whenFired = { $1.close() }
        let timer = try LoopTimer(loop, owner: listener)
        let start = loop.now
        try timer.start(after: .milliseconds(20))
        try loop.run()
        #expect(listener.fired == 1 && loop.now - start >= 20)
        timer.close()
        timer.stop()
        try timer.start(after: .milliseconds(1))
        try loop.close()
    }

    @Test("A tick does what is ready, and waits only if asked to")
    func ticks() throws {
        let loop = try Loop()
        let listener = Listener()
        let timer = try LoopTimer(loop, owner: listener)
        try timer.start(after: .milliseconds(3_600_000))
        try loop.tick(waits: false)
        #expect(listener.fired == 0)
        // Due before the turn begins: it fires, and the wait ends with the next time.
        try timer.start(after: .milliseconds(1), repeating: .milliseconds(1))
        usleep(3_000)
        try loop.tick(waits: true)
        #expect(listener.fired >= 1)
        timer.close()
        try loop.run()
        try loop.close()
    }

    @Test("A repeating timer fires until it is stopped, and can be started anew")
    func repeating() throws {
        let loop = try Loop()
        let listener = Listener()
        listener.whenFired = { listener, timer in
            if listener.fired == 3 {
                timer.stop()
                try? timer.start(after: .milliseconds(1))
            }
            if listener.fired == 4 { timer.close() }
        }
        let timer = try LoopTimer(loop, owner: listener)
        try timer.start(after: .zero, repeating: .milliseconds(1))
        try loop.run()
        #expect(listener.fired == 4)
        try loop.close()
    }

    @Test("A hook is called in every tick, and stop ends the run with handles open")
    func hook() throws {
        let loop = try Loop()
        let listener = Listener()
        let hook = try LoopHook(loop, owner: listener)
        let timer = try LoopTimer(loop, owner: listener)
        listener.whenFired = { listener, _ in if listener.fired == 5 { loop.stop() } }
        try timer.start(after: .milliseconds(1), repeating: .milliseconds(1))
        try loop.run()
        #expect(listener.fired == 5 && listener.hooked >= 4)
        #expect(loop.handleCount == 2)
        hook.close()
        hook.close()
        timer.close()
        try loop.run()
        #expect(loop.handleCount == 0)
        try loop.close()
    }

    @Test("A signal is reported on the loop")
    func signal() throws {
        let loop = try Loop()
        let listener = Listener()
        let signal = try LoopSignal(loop, signal: SIGUSR2, owner: listener)
        kill(getpid(), SIGUSR2)
        try loop.run()
        #expect(listener.signals == [SIGUSR2])
        signal.close()
        try loop.close()
    }

    @Test("A signal that cannot be waited for is an error that leaves no handle behind")
    func badSignal() throws {
        let loop = try Loop()
        let listener = Listener()
        #expect(throws: UVError.self) {
            _ = try LoopSignal(loop, signal: SIGKILL, owner: listener)
        }
        try loop.run()
        #expect(loop.handleCount == 0)
    }

    @Test("Another thread wakes a loop that waits")
    func wakeup() throws {
        let loop = try Loop()
        let listener = Listener()
        listener.whenWoken = { $1.close() }
        let wakeup = try LoopWakeup(loop, owner: listener)
        let thread = WakingThread(wakeup.mailbox)
        try loop.run()
        #expect(listener.wakeups == 1)
        thread.end()
        try loop.close()
    }

    @Test("Threads may wake a loop while its mailbox is being closed, and afterwards")
    func wakeupRace() throws {
        for _ in 0..<20 {
            let loop = try Loop()
            let listener = Listener()
            listener.whenWoken = { if $0.wakeups == 10 { $1.close() } }
            let wakeup = try LoopWakeup(loop, owner: listener)
            let threads = (0..<3).map { _ in WakingThread(wakeup.mailbox) }
            try loop.run()
            #expect(listener.wakeups == 10)
            for thread in threads { thread.end() }
            wakeup.mailbox.wake()
            wakeup.close()
            try loop.close()
        }
    }

    @Test("The limit of open files is raised, and stays where it is the second time")
    func descriptorLimit() {
        let limit = raiseFileDescriptorLimit()
        #expect(limit > 0 && raiseFileDescriptorLimit() == limit)
    }
}

/// A thread that wakes a loop again and again until it is ended.
private final class WakingThread {
    private final class Work: Sendable {
        let mailbox: LoopMailbox
        let isOver = Atomic(false)

        init(_ mailbox: LoopMailbox) { self.mailbox = mailbox }
    }

    private let work: Work
    private var thread = pthread_t()

    init(_ mailbox: LoopMailbox) {
        work = Work(mailbox)
        let context = unsafe Unmanaged.passRetained(work).toOpaque()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                let work = unsafe Unmanaged<Work>.fromOpaque(context!).takeRetainedValue()
                while !work.isOver.load(ordering: .relaxed) {
                    work.mailbox.wake()
                    sched_yield()
                }
                return nil
            },
            context
        )
        precondition(result == 0, "no thread could be started")
    }

    func end() {
        work.isOver.store(true, ordering: .relaxed)
        pthread_join(thread, nil)
    }
}
