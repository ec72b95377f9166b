import Basics
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("The timers of a fleet")
struct FleetTimersTests {
    private static let start: WallTime = 1_780_272_000_000

    private func names(_ timers: inout FleetTimers, until time: WallTime) -> [String] {
        var names: [String] = []
        while let (kind, number) = timers.take(until: time) { names.append("\(kind) \(number)") }
        return names
    }

    @Test func `Each is due at its time, of its kind and number`() {
        var timers = FleetTimers(devices: 3, now: Self.start)
        timers.set(.wake, for: 2, at: Self.start + 10)
        timers.set(.habit, for: 0, at: Self.start + 20)
        timers.set(.delivery, for: 2, at: Self.start + 25)
        timers.set(.fetch, for: 0, at: Self.start + 30)
        timers.set(.fetch, for: 1_000, at: Self.start + 40)
        let next = timers.next
        #expect(next == Self.start + 10)
        #expect(names(&timers, until: Self.start + 9) == [])
        #expect(names(&timers, until: Self.start + 10) == ["wake 2"])
        #expect(
            names(&timers, until: Self.start + 100) == [
                "habit 0", "delivery 2", "fetch 0", "fetch 1000",
            ]
        )
        let last = timers.next
        #expect(last == nil)
    }

    @Test func `One that is set anew or stopped is not due at its old time`() {
        var timers = FleetTimers(devices: 2, now: Self.start)
        timers.set(.wake, for: 0, at: Self.start + 10)
        timers.set(.wake, for: 1, at: Self.start + 10)
        timers.set(.wake, for: 0, at: Self.start + 500)
        timers.set(.wake, for: 1, at: nil)
        timers.set(.habit, for: 1, at: nil)
        #expect(names(&timers, until: Self.start + 499) == [])
        #expect(names(&timers, until: Self.start + 500) == ["wake 0"])
    }

    @Test func `One that is due before now is due at once`() {
        var timers = FleetTimers(devices: 1, now: Self.start)
        timers.set(.wake, for: 0, at: .min)
        timers.set(.habit, for: 0, at: Self.start - 5)
        #expect(names(&timers, until: Self.start + 1).sorted() == ["habit 0", "wake 0"])
    }

    @Test func `One that is set while others are taken is due when its time comes`() {
        var timers = FleetTimers(devices: 2, now: Self.start)
        timers.set(.wake, for: 0, at: Self.start + 1)
        let first = timers.take(until: Self.start + 5)
        #expect(first?.number == 0)
        timers.set(.wake, for: 0, at: Self.start + 3)
        timers.set(.wake, for: 1, at: Self.start + 9)
        #expect(names(&timers, until: Self.start + 5) == ["wake 0"])
        #expect(names(&timers, until: Self.start + 9) == ["wake 1"])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `Random timers are due in time, as a list has them`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var timers = FleetTimers(devices: 20, now: Self.start)
        var model: [String: WallTime] = [:]
        var now = Self.start
        for _ in 0..<2_000 {
            let kind = random.pick([FleetTimers.Kind.wake, .habit, .delivery, .fetch])
            let number = random.below(20)
            if random.below(4) == 0 {
                timers.set(kind, for: number, at: nil)
                model["\(kind) \(number)"] = nil
            } else {
                let time = now + Milliseconds(random.below(random.pick([5, 300, 100_000])))
                timers.set(kind, for: number, at: time)
                model["\(kind) \(number)"] = time
            }
            if random.below(3) > 0 { continue }
            now += Milliseconds(random.below(random.pick([2, 100, 50_000])))
            let due = model.filter { $0.value <= now }.keys.sorted()
            for name in due { model[name] = nil }
            #expect(names(&timers, until: now).sorted() == due)
            let next = timers.next
            // Far ones may be looked for early, and never late.
            #expect(next ?? .max <= model.values.min() ?? .max)
        }
    }
}
