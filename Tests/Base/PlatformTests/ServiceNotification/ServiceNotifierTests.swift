import Basics
import Platform
import TestSupport
import Testing

@Suite("A notifier informs a service manager")
struct ServiceNotifierTests {
    @Test("of the service's state, whatever kind of name the socket has", arguments: [false, true])
    func life(isAbstract: Bool) throws {
        let manager = try Manager(isAbstract: isAbstract)
        let notifier = try ServiceNotifier(manager.address, watchdogSilence: nil)
        notifier.show("loading")
        #expect(try manager.next() == "STATUS=loading")
        notifier.ready("serving")
        #expect(try manager.next() == "READY=1\nSTATUS=serving")
        notifier.reloading(at: 12_345_678)
        #expect(try manager.next() == "RELOADING=1\nMONOTONIC_USEC=12345")
        notifier.ready("serving")
        #expect(try manager.next() == "READY=1\nSTATUS=serving")
        notifier.stopping("draining")
        #expect(try manager.next() == "STOPPING=1\nSTATUS=draining")
        #expect(notifier.failure == nil)
        #expect(manager.all().isEmpty)
    }

    @Test("a sentence once, and in one line")
    func sentences() throws {
        let manager = try Manager()
        let notifier = try ServiceNotifier(manager.address, watchdogSilence: nil)
        notifier.ready("one")
        notifier.show("one")
        notifier.show("two\nREADY=1")
        notifier.show("two\nREADY=1")
        notifier.show("one")
        #expect(manager.all() == ["READY=1\nSTATUS=one", "STATUS=two READY=1", "STATUS=one"])
    }

    @Test("that it lives, twice in the time after which it counts as stuck")
    func watchdog() throws {
        let manager = try Manager()
        let notifier = try ServiceNotifier(manager.address, watchdogSilence: 2_000_000)
        #expect(notifier.watchdogInterval == 1_000)
        for time in stride(from: Int64(5_000), through: 8_900, by: 100) {
            notifier.tick(at: MonotonicTime(rawValue: time))
        }
        #expect(manager.all() == Array(repeating: "WATCHDOG=1", count: 4))
    }

    @Test("that it lives, not more often than each millisecond", arguments: [1, 1_999, 2_000])
    func shortest(microseconds: Int64) throws {
        let silence = Microseconds(rawValue: microseconds)
        let notifier = try ServiceNotifier(try Manager().address, watchdogSilence: silence)
        #expect(notifier.watchdogInterval == 1)
    }

    @Test("of nothing if there is no manager")
    func noWatchdog() throws {
        let manager = try Manager()
        let notifier = try ServiceNotifier(manager.address, watchdogSilence: nil)
        notifier.tick(at: 1)
        notifier.tick(at: 1_000_000)
        #expect(manager.all().isEmpty)
    }

    @Test("later what it does not read now, and only the newest of what there is no room for")
    func full() throws {
        let manager = try Manager()
        let notifier = try ServiceNotifier(manager.address, watchdogSilence: 1_000)
        var count = 0
        while notifier.failure == nil {
            count += 1
            notifier.show("status \(count)")
        }
        #expect(notifier.failure == .full)
        let first = count
        for _ in 0..<ServiceNotifier.waitingLimit {
            count += 1
            notifier.show("status \(count)")
        }
        let taken = manager.all()
        #expect(taken == (1..<first).map { "STATUS=status \($0)" })
        notifier.tick(at: 1)
        // The sign of life comes behind what has waited; the first that had to wait had no room.
        let kept = (first + 1...count).map { "STATUS=status \($0)" }
        #expect(manager.all() == kept + ["WATCHDOG=1"])
        #expect(notifier.failure == nil)
    }

    @Test("of a change of state, however many status texts have to wait behind it")
    func changesOfState() throws {
        let manager = try Manager()
        let notifier = try ServiceNotifier(manager.address, watchdogSilence: nil)
        var count = 0
        while notifier.failure == nil {
            count += 1
            notifier.show("status \(count)")
        }
        notifier.ready("serving")
        for number in 0..<2 * ServiceNotifier.waitingLimit { notifier.show("late \(number)") }
        notifier.stopping("draining")
        _ = manager.all()
        notifier.tick(at: 1)
        let kept = manager.all()
        #expect(kept.count == ServiceNotifier.waitingLimit)
        #expect(kept.first == "READY=1\nSTATUS=serving")
        #expect(kept.last == "STOPPING=1\nSTATUS=draining")
    }

    @Test("nothing when it has gone, and says why")
    func gone() throws {
        let manager = try Manager()
        let notifier = try ServiceNotifier(manager.address, watchdogSilence: 1_000)
        manager.end()
        notifier.ready("serving")
        guard case .system(call: "sendto", _) = notifier.failure else {
            Issue.record("the failure is \(String(describing: notifier.failure))")
            return
        }
    }

    @Test("only if there is one")
    func none() throws {
        let environment = try ServiceEnvironment(process: 1) { _ in nil }
        #expect(try ServiceNotifier.of(environment) == nil)
    }
}
