import ReloadScheduling
import TestSupport
import Testing

@Suite("A timing wheel that is advanced in portions")
struct TimingWheelPortionTests {
    @Test("continues where a limit stopped it, in the same order", arguments: [1, 2, 7, 64, 1_000])
    func limits(limit: Int) {
        var model = TimingWheelModel(now: 0)
        for id in 0..<UInt32(500) { model.schedule(id &* 7 % 500, at: UInt64(id / 60) * 40) }
        let all = model.advanceWhole(to: 1_000, limit: limit)
        #expect(all.count == 500)
    }

    @Test("delivers without a limit into a list that has timers already")
    func noLimit() {
        var wheel = TimingWheel(now: 0)
        wheel.schedule(7, at: 1)
        var expired: ContiguousArray<UInt32> = [3]
        let isDone = wheel.advance(to: 1, limit: .max, into: &expired)
        #expect(isDone && expired == [3, 7])
    }

    @Test("may be called with a nearer tick while a farther one is not finished")
    func nearerTick() {
        var model = TimingWheelModel(now: 0)
        for id in 0..<UInt32(100) { model.schedule(id, at: UInt64(id)) }
        let out1 = model.advance(to: 90, limit: 10)
        #expect(!out1)
        let now = model.wheel.now
        #expect(now < 90)
        let out2 = model.advanceWhole(to: 20)
        #expect(out2.count == 11)
        let out3 = model.advanceWhole(to: 5)
        #expect(out3.isEmpty)
        let out4 = model.advanceWhole(to: 99)
        #expect(out4.count == 79)
    }

    @Test("takes timers that are scheduled for now, moved and cancelled while a tick is drained")
    func changesWhileDraining() {
        var random = SeededGenerator(seed: 3)
        var model = TimingWheelModel(now: 0)
        for id in 0..<UInt32(400) { model.schedule(2 * id, at: 70) }
        for _ in 0..<300 {
            if model.advance(to: 70, limit: 3) { break }
            let now = model.wheel.now
            model.schedule(UInt32(random.below(800)), at: now - min(now, 5))
            model.schedule(UInt32(random.below(800)), at: now + UInt64(random.below(3)))
            model.cancel(UInt32(random.below(800)))
            // Away and back.
            let id = UInt32(random.below(800))
            model.schedule(id, at: now + 90)
            if random.below(2) == 0 { model.schedule(id, at: now) }
        }
        _ = model.advanceWhole(to: 1_000)
        let (count, entryCount) = (model.wheel.count, model.wheel.entryCount)
        #expect(count == 0)
        #expect(entryCount == 0)
    }

    @Test("returns what is scheduled again at once, one round each call")
    func again() {
        var wheel = TimingWheel(now: 9)
        var expired: ContiguousArray<UInt32> = []
        for id in 0..<UInt32(10) { wheel.schedule(id, at: 0) }
        for _ in 0..<50 {
            expired.removeAll()
            let isDone = wheel.advance(to: 9, limit: 10, into: &expired)
            #expect(isDone)
            #expect(expired.elementsEqual(0..<10))
            for id in expired { wheel.schedule(id, at: 4) }
        }
        let entryCount = wheel.entryCount
        #expect(entryCount == 10)
    }

    @Test("moves a great many timers down in portions, and is right when they change meanwhile")
    func portions() {
        var random = SeededGenerator(seed: 4)
        var wheel = TimingWheel(now: 0)
        var model: [UInt32: UInt64] = [:]
        var expired: ContiguousArray<UInt32> = []
        let base: UInt64 = 1 << 18
        for id in 0..<UInt32(200_000) {
            model[id] = base + random.next() % (1 << 18)
            wheel.schedule(id, at: model[id]!)
        }
        var unfinished = 0
        while !wheel.advance(to: base, limit: 100, into: &expired) {
            unfinished += 1
            for _ in 0..<500 {
                let id = UInt32(random.below(200_000))
                if expired.contains(id) { continue }
                model[id] = base + random.next() % (1 << 17)
                wheel.schedule(id, at: model[id]!)
                let other = UInt32(random.below(200_000))
                if expired.contains(other) { continue }
                model[other] = nil
                wheel.cancel(other)
            }
        }
        #expect(unfinished >= 2)
        while !wheel.advance(to: 1 << 20, limit: 5_000, into: &expired) {}
        let wanted = model.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        #expect(expired.elementsEqual(wanted))
    }

    @Test("sorts the timers of one tick, few or many, far apart or dense", arguments: 0..<12)
    func sorting(power: Int) {
        var random = SeededGenerator(seed: UInt64(power))
        var wheel = TimingWheel(now: 0)
        var ids: Set<UInt32> = []
        for _ in 0..<3 << power {
            ids.insert(UInt32(random.below(power % 2 == 0 ? 70_000 : 9_000)))
        }
        for id in ids { wheel.schedule(id, at: 1_000) }
        var expired: ContiguousArray<UInt32> = []
        while !wheel.advance(to: 1_000, limit: 1_000, into: &expired) {}
        #expect(expired.elementsEqual(ids.sorted()))
    }
}

@Suite("A timing wheel's memory")
struct TimingWheelMemoryTests {
    @Test("is some 12 bytes for each of many timers")
    func bytes() {
        var random = SeededGenerator(seed: 8)
        var wheel = TimingWheel(now: 0)
        let count = 1 << 19
        for id in 0..<UInt32(count) { wheel.schedule(id, at: random.next() % 450_000) }
        let byteCount = wheel.byteCount
        #expect(byteCount < 13 * count)
    }

    @Test("is bounded while timers are moved to earlier and later ticks without an end")
    func endlessMoves() {
        var random = SeededGenerator(seed: 9)
        var wheel = TimingWheel(now: 0)
        let count = 4_000
        var most = 0
        for _ in 0..<60 * count {
            wheel.schedule(UInt32(random.below(count)), at: 1 + random.next() % (1 << 28))
            most = max(most, wheel.entryCount)
        }
        let (byteCount, live) = (wheel.byteCount, wheel.count)
        #expect(live == count)
        #expect(most > count)
        #expect(most <= count * 23 / 10 + 8_000)
        #expect(byteCount < 600_000)
    }

    @Test("is bounded while timers are cancelled and started without an end")
    func endlessCancelling() {
        var random = SeededGenerator(seed: 10)
        var wheel = TimingWheel(now: 1 << 30 - 5_000)
        var expired: ContiguousArray<UInt32> = []
        var most = 0
        var returnedCount = 0
        for step in 0..<300_000 {
            let id = UInt32(random.below(2_000))
            wheel.cancel(id)
            wheel.schedule(id, at: wheel.now + random.next() % (1 << 24))
            most = max(most, wheel.entryCount)
            if step % 20 == 0 {
                _ = wheel.advance(to: wheel.now + 1, limit: 100, into: &expired)
                returnedCount += expired.count
                expired.removeAll()
            }
        }
        let byteCount = wheel.byteCount
        #expect(most <= 2_000 * 23 / 10 + 8_000)
        #expect(byteCount < 500_000)
        let count = wheel.count
        while !wheel.advance(to: 1 << 32, limit: 1_000, into: &expired) {}
        #expect(expired.count == count)
        let entryCount = wheel.entryCount
        #expect(entryCount == 0)
    }

    @Test("is used again by those who come after all were cancelled")
    func reuse() {
        var random = SeededGenerator(seed: 12)
        var wheel = TimingWheel(now: 0)
        for id in 0..<UInt32(100_000) { wheel.schedule(id, at: 1 + random.next() % 450_000) }
        let before = wheel.byteCount
        for _ in 0..<20 {
            for id in 0..<UInt32(100_000) { wheel.cancel(id) }
            for id in 0..<UInt32(100_000) { wheel.schedule(id, at: 1 + random.next() % 450_000) }
        }
        let after = wheel.byteCount
        #expect(after < before * 5 / 2)
    }
}
