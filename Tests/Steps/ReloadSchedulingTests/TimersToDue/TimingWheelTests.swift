import ReloadScheduling
import TestSupport
import Testing

@Suite("A timing wheel")
struct TimingWheelTests {
    // MARK: - Deadlines

    @Test("returns a timer at its tick and not one before", arguments: Self.distances)
    func neverEarly(distance: UInt64) {
        for start in Self.starts {
            var model = TimingWheelModel(now: start)
            model.schedule(7, at: start + distance)
            model.checkWhole()
            let out1 = model.advanceWhole(to: start + distance - 1)
            #expect(out1.isEmpty)
            model.checkWhole()
            let out2 = model.advanceWhole(to: start + distance)
            #expect(out2 == [7])
            let out3 = model.advanceWhole(to: start + 2 * distance + 100)
            #expect(out3.isEmpty)
        }
    }

    /// Around the borders of all levels, of the horizon and of the inner ticks.
    private static var distances: [UInt64] {
        let horizon: UInt64 = 63 << 24
        var borders: [UInt64] = [6, 12, 18, 24, 29, 30, 31, 32, 40].map { 1 << UInt64($0) }
        borders += [horizon, horizon * 3 / 2, 2 * horizon]
        var distances: [UInt64] = [1, 2, 3, 100, 450_000]
        for border in borders { distances += [border - 1, border, border + 1] }
        return distances
    }

    private static var starts: [UInt64] {
        [
            0, 1, 63, 4_095, 1 << 24 - 1, 1 << 30 - 1, 1 << 30, 1 << 32 - 5, 1 << 32,
            1 << 50 + 12_345,
        ]
    }

    @Test("returns timers in order of deadline, then number, whatever the order of scheduling")
    func order() {
        var model = TimingWheelModel(now: 100)
        for id in [9, 3, 5, 200_000, 1, 70_000] as [UInt32] {
            model.schedule(id, at: 5_000 + UInt64(id % 2) * 64)
        }
        let out4 = model.advanceWhole(to: 10_000)
        #expect(out4 == [70_000, 200_000, 1, 3, 5, 9])
    }

    @Test("counts a deadline that has passed as one of now, and returns it at the next advance")
    func past() {
        var model = TimingWheelModel(now: 1_000)
        model.schedule(2, at: 0)
        model.schedule(1, at: 1_000)
        model.schedule(3, at: 999)
        let next = model.wheel.nextTick
        #expect(next == 1_000)
        let out5 = model.advanceWhole(to: 1_000)
        #expect(out5 == [1, 2, 3])
        model.schedule(4, at: 500)
        let out6 = model.advanceWhole(to: 900)
        #expect(out6 == [4])
        let now = model.wheel.now
        #expect(now == 1_000)
    }

    @Test("says what a timer's deadline is, and nothing of a timer that does not wait")
    func deadlines() {
        var wheel = TimingWheel(now: 1 << 33)
        wheel.schedule(5, at: 1 << 33 + 70)
        wheel.schedule(6, at: 1 << 40)
        wheel.schedule(7, at: 3)
        let waiting = (5...7).map { wheel.deadline(of: $0) }
        let wanted: [UInt64?] = [1 << 33 + 70, 1 << 40, 1 << 33]
        #expect(waiting == wanted)
        let others = [0, 4, 8].map { wheel.deadline(of: $0) }
        #expect(others == [nil, nil, nil])
        let unknown = wheel.deadline(of: .max)
        #expect(unknown == nil)
        wheel.cancel(.max)
        wheel.cancel(1)
        let count = wheel.count
        #expect(count == 3)
    }

    @Test("has no next tick without timers, also when entries of cancelled ones are left")
    func emptiness() {
        var wheel = TimingWheel(now: 5)
        let first = wheel.nextTick
        wheel.schedule(1, at: 50)
        wheel.schedule(2, at: 1 << 40)
        let second = wheel.nextTick
        wheel.cancel(1)
        wheel.cancel(2)
        let (third, count) = (wheel.nextTick, wheel.count)
        #expect(first == nil)
        #expect(second == 50)
        #expect(third == nil)
        #expect(count == 0)
    }

    @Test("comes to every deadline in few steps when it is driven by nextTick alone")
    func nextTick() {
        var random = SeededGenerator(seed: 11)
        var model = TimingWheelModel(now: 77)
        for id in 0..<UInt32(200) {
            model.schedule(id, at: 77 + random.next() >> UInt64(24 + random.below(36)))
        }
        var steps = 0
        while let next = model.wheel.nextTick {
            _ = model.advanceWhole(to: next)
            steps += 1
            if steps > 200 * 6 + 100 { break }
        }
        let count = model.wheel.count
        #expect(count == 0)
    }

    // MARK: - Moving and cancelling

    @Test("returns a timer once that was cancelled and scheduled again at the same tick")
    func sameTickAgain() {
        for deadline in [64, 300, 9_000, 5_000_000] as [UInt64] {
            var model = TimingWheelModel(now: 10)
            for _ in 0..<5 {
                model.schedule(1, at: deadline)
                model.cancel(1)
            }
            model.schedule(1, at: deadline)
            let out7 = model.advanceWhole(to: deadline)
            #expect(out7 == [1])
            model.schedule(1, at: deadline)
            let out8 = model.advanceWhole(to: deadline)
            #expect(out8 == [1])
            let out9 = model.advanceWhole(to: deadline + 10_000_000)
            #expect(out9.isEmpty)
            let entryCount = model.wheel.entryCount
            #expect(entryCount == 0)
        }
    }

    @Test("returns a moved timer once, at the tick that it was moved to last")
    func moves() {
        var model = TimingWheelModel(now: 0)
        for tick in [500, 9_000, 700, 700, 90, 1 << 35, 20_000, 19_999, 1 << 34, 30_000] as [UInt64]
        {
            model.schedule(3, at: tick)
        }
        let out10 = model.advanceWhole(to: 29_999)
        #expect(out10.isEmpty)
        let out11 = model.advanceWhole(to: 30_000)
        #expect(out11 == [3])
        let out12 = model.advanceWhole(to: 1 << 36)
        #expect(out12.isEmpty)
        let entryCount = model.wheel.entryCount
        #expect(entryCount == 0)
    }

    @Test("leaves one entry for a timer that is moved later again and again")
    func movesLater() {
        var wheel = TimingWheel(now: 0)
        var expired: ContiguousArray<UInt32> = []
        wheel.schedule(1, at: 10)
        for now in 0..<UInt64(20_000) {
            wheel.schedule(1, at: now + 10)
            _ = wheel.advance(to: now, limit: 10, into: &expired)
        }
        let entryCount = wheel.entryCount
        #expect(entryCount == 1)
        #expect(expired.isEmpty)
        _ = wheel.advance(to: 20_008, limit: 10, into: &expired)
        #expect(expired.isEmpty)
        _ = wheel.advance(to: 20_009, limit: 10, into: &expired)
        #expect(expired == [1])
    }

    // MARK: - Far ahead

    @Test("goes forward by years at once, with timers and without")
    func jumps() {
        var model = TimingWheelModel(now: 1)
        let year: UInt64 = 365 * 86_400 * 125
        for step in 0..<UInt64(40) {
            if step % 3 > 0 {
                model.schedule(UInt32(step), at: model.wheel.now + step * year / 7)
                model.schedule(UInt32(step) + 100, at: model.wheel.now + 3)
            }
            _ = model.advanceWhole(to: model.wheel.now + step * year)
        }
        _ = model.advanceWhole(to: 1 << 60)
        let count = model.wheel.count
        #expect(count == 0)
    }

    @Test("parks what lies beyond its horizon, moves it, cancels it and brings it out in time")
    func parked() {
        var random = SeededGenerator(seed: 5)
        var model = TimingWheelModel(now: 1 << 31)
        let start = model.wheel.now
        for id in 0..<UInt32(3_000) {
            model.schedule(id, at: start + 1 << 30 + UInt64(random.below(1 << 34)))
        }
        for _ in 0..<1_000 { model.cancel(UInt32(random.below(3_000))) }
        for _ in 0..<1_000 {
            model.schedule(UInt32(random.below(3_000)), at: start + UInt64(random.below(1 << 36)))
        }
        var end = start
        while model.wheel.count > 0 {
            end += 1 << 28
            _ = model.advanceWhole(to: end)
            for _ in 0..<3 { model.cancel(UInt32(random.below(3_000))) }
        }
        #expect(end < start + 1 << 37)
    }

    @Test("reviews many parked timers in portions, while they are moved and cancelled")
    func parkedReview() {
        var random = SeededGenerator(seed: 6)
        let count = UInt32(150_000)
        var wheel = TimingWheel(now: 0)
        for id in 0..<count { wheel.schedule(id, at: 1 << 32 + UInt64(id % 100)) }
        var expired: ContiguousArray<UInt32> = []
        var calls = 0
        while !wheel.advance(to: 1 << 32 - 1, limit: 10, into: &expired) {
            calls += 1
            for _ in 0..<50 {
                let id = UInt32(random.below(Int(count)))
                if random.below(2) == 0 {
                    wheel.schedule(id, at: 1 << 32 + UInt64(id % 100) + 1 << 33)
                } else {
                    wheel.schedule(id, at: 1 << 32 + UInt64(id % 100))
                }
            }
        }
        #expect(calls > 1)
        #expect(expired.isEmpty)
        let early = wheel.count
        #expect(early == count)
        while !wheel.advance(to: 1 << 40, limit: 10_000, into: &expired) {}
        #expect(expired.count == Int(count))
        #expect(Set(expired).count == Int(count))
    }
}
