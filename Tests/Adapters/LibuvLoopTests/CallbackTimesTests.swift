import Basics
import Testing

@testable import LibuvLoop

/// A machine whose counter makes three steps in a ns, and on which a thread works or waits.
private struct Machine {
    var monotonic = ExactTime(rawValue: 1_000_000_000)
    var thread = Nanoseconds.zero
    var looks = 0
    private(set) var times: CallbackTimes

    init() {
        times = CallbackTimes(CallbackTimes.Look(cycles: 0, monotonic: .none, thread: .zero))
        times = CallbackTimes(look)
        wait(.milliseconds(1))
        times.measureRate(until: look)
    }

    var cycles: UInt64 { UInt64(monotonic.rawValue * 3) }
    private var look: CallbackTimes.Look {
        CallbackTimes.Look(cycles: cycles, monotonic: monotonic, thread: thread)
    }

    mutating func work(_ time: Nanoseconds) {
        monotonic += time
        thread += time
    }

    mutating func wait(_ time: Nanoseconds) { monotonic += time }

    mutating func begin(_ work: LoopWork = .read) {
        if times.needsLook(at: cycles) {
            looks += 1
            times.record(look)
        }
        times.begin(work, at: cycles)
    }

    mutating func enter(_ work: LoopWork) { times.enter(work, at: cycles) }

    /// What a part of the present callback has taken that began at a reading of the counter.
    mutating func part(from start: UInt64) -> Nanoseconds {
        if !times.isLong(from: start, to: cycles) { return times.time(from: start, to: cycles) }
        looks += 1
        return times.longTime(from: start, to: cycles, look: look)
    }

    mutating func end() -> Nanoseconds {
        if !times.isLong(at: cycles) { return times.end(at: cycles) }
        looks += 1
        return times.endLong(at: cycles, look: look)
    }
}

@Suite("The time of a callback")
struct CallbackTimesTests {
    @Test("is what its thread has worked, from a µs to a second")
    func worked() {
        var machine = Machine()
        for time in [1, 900, 1_001, 4_999, 1_000_000] as [Int64] {
            machine.begin()
            machine.work(.microseconds(time))
            let measured = machine.end()
            #expect(abs((measured - .microseconds(time)).rawValue) <= 1, "\(time)")
        }
    }

    @Test("is measured without the thread's clock, except about once a ms")
    func cost() {
        var machine = Machine()
        for _ in 0..<10_000 {
            machine.begin()
            machine.work(.microseconds(1))
            _ = machine.end()
        }
        #expect((1...11).contains(machine.looks), "\(machine.looks)")
    }

    @Test("has parts, which are measured alike and leave the whole as it is")
    func parts() {
        var machine = Machine()
        machine.begin()
        for (work, wait) in [(1, 0), (900, 0), (1_001, 0), (5, 3_000)] as [(Int64, Int64)] {
            let start = machine.cycles
            machine.work(.microseconds(work))
            machine.wait(.microseconds(wait))
            let measured = machine.part(from: start)
            // Of a part that has waited, it is known that the callback has worked no more so far.
            let most = wait == 0 ? work : 1_907
            #expect(measured >= .microseconds(work) - Nanoseconds(rawValue: 1), "\(work)")
            #expect(measured <= .microseconds(most) + Nanoseconds(rawValue: 1), "\(work)")
        }
        #expect(machine.looks == 2)
        let measured = machine.end()
        #expect(abs((measured - .microseconds(1_907)).rawValue) <= 2)
    }

    @Test("does not include what its thread has waited for a processor, so that this is no stall")
    func waited() {
        var machine = Machine()
        machine.begin()
        machine.work(.microseconds(300))
        _ = machine.end()
        machine.begin()
        machine.work(.milliseconds(2))
        machine.wait(.milliseconds(50))
        #expect(abs((machine.end() - .milliseconds(2)).rawValue) <= 1)
        #expect(machine.times.stalls.count == 0)
    }

    @Test("does not include what was done before it since the thread's clock was read")
    func before() {
        var machine = Machine()
        for time in [200, 500, 1_500] as [Int64] {
            machine.begin()
            machine.work(.microseconds(time))
            machine.wait(.microseconds(100))
            let measured = machine.end()
            if time == 1_500 { #expect(measured <= .microseconds(1_500)) }
            #expect(measured >= .microseconds(time - 200))
        }
    }

    @Test("of more than 5 ms is a stall, of what has taken most of it")
    func stalls() {
        var machine = Machine()
        for (before, inside, after) in [(1, 5, 1), (5, 1, 1), (1, 1, 5), (1, 2, 1)] {
            machine.begin(.tick)
            machine.work(.milliseconds(Int64(before)))
            machine.enter(.admin)
            machine.work(.milliseconds(Int64(inside)))
            machine.enter(.http)
            machine.work(.milliseconds(Int64(after)))
            _ = machine.end()
        }
        let stalls = machine.times.stalls
        #expect(stalls.count == 3)
        for work in [LoopWork.tick, .admin, .http] {
            #expect(stalls[work].count == 1)
            #expect(abs((stalls[work].time - .milliseconds(7)).rawValue) <= 1)
        }
        #expect(stalls.lastWork == .http && stalls[.read].count == 0)
    }

    @Test("is never negative, though the counter of another core may be behind")
    func backwards() {
        var times = CallbackTimes(
            CallbackTimes.Look(cycles: 1_000, monotonic: .none, thread: .zero)
        )
        let look = CallbackTimes.Look(cycles: 900, monotonic: .none, thread: .zero)
        #expect(times.needsLook(at: 950))
        times.record(look)
        times.begin(.read, at: 950)
        #expect(!times.isLong(at: 900) && times.end(at: 900) == .zero)
    }
}
