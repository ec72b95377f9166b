import Basics
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("When an origin answers")
struct OriginModelTests {
    private let millisecond = Nanoseconds.milliseconds(1)
    private let second = Nanoseconds.seconds(1)
    private let zero: ExactTime = 0

    /// When each of so many requests is answered that come at once, nil for those refused.
    private func answers(
        _ model: inout OriginModel,
        at now: ExactTime,
        _ count: Int
    ) -> [ExactTime?] {
        (0..<count).map { _ in
            if case .answer(let time) = model.admit(at: now) { time } else { nil }
        }
    }

    @Test func `An unlimited origin answers all requests after its latency`() {
        var model = OriginModel(capacity: nil, latency: 20)
        for now in [0, 5, 5, zero + second] {
            #expect(model.admit(at: now) == .answer(at: now + millisecond * 20))
        }
    }

    @Test func `Of 300 at once 100 a second takes one, lets 100 wait, and refuses 199`() {
        var model = OriginModel(capacity: 100, latency: 20)
        let answers = answers(&model, at: zero + second * 7, 300)
        for index in 0...100 {
            #expect(answers[index] == zero + second * 7 + millisecond * Int64(index * 10 + 20))
        }
        #expect(answers[101...].allSatisfy { $0 == nil })
        // The queue is empty 1.01 seconds later.
        #expect(model.admit(at: zero + second * 7) == .refuse(retryAfterSeconds: 2))
        // A turn is over: one place is free.
        let later = zero + second * 7 + millisecond * 10
        #expect(model.admit(at: later) == .answer(at: zero + second * 7 + millisecond * 1_030))
        #expect(model.admit(at: later) == .refuse(retryAfterSeconds: 2))
        #expect(model.admit(at: later + millisecond * 10 - 1) == .refuse(retryAfterSeconds: 2))
    }

    @Test func `At its rate no request waits; beyond it latency grows until some are refused`() {
        var steady = OriginModel(capacity: 100, latency: 0)
        for turn in 0..<1_000 {
            let now = zero + millisecond * 10 * Int64(turn)
            #expect(steady.admit(at: now) == .answer(at: now))
        }
        var flooded = OriginModel(capacity: 100, latency: 0)
        var latencies: [Nanoseconds] = []
        var refused = 0
        for arrival in 0..<1_500 {
            let now = zero + second * Int64(arrival) / 150
            if case .answer(let time) = flooded.admit(at: now) {
                latencies.append(time - now)
            } else {
                refused += 1
            }
        }
        #expect(latencies.max()! <= second)
        #expect(latencies.max()! > second - millisecond * 10)
        // Ten seconds of 150, of which 100 have their turn, and the queue takes 100 once.
        #expect(abs(refused - (1_500 - 1_000 - 100)) <= 1)
    }

    @Test func `No queue means one at a time`() {
        var model = OriginModel(capacity: 10, latency: 0, queue: 0)
        #expect(answers(&model, at: 0, 3) == [0, nil, nil])
        #expect(answers(&model, at: zero + millisecond * 100 - 1, 1) == [nil])
        #expect(
            answers(&model, at: zero + millisecond * 100, 2) == [zero + millisecond * 100, nil]
        )
    }

    @Test func `A rate that does not divide a second is kept exactly`() {
        for capacity in [3, 7, 999, 1_000_003] {
            var model = OriginModel(capacity: capacity, latency: 0, queue: capacity * 9)
            let answers = answers(&model, at: 0, capacity * 3 + 1)
            #expect(answers.last == zero + second * 3, "\(capacity) a second")
            #expect(answers[capacity] == zero + second)
        }
    }

    @Test func `A clock that goes back stands still`() {
        var model = OriginModel(capacity: 10, latency: 0, queue: 1)
        #expect(answers(&model, at: zero + second, 1) == [zero + second])
        #expect(answers(&model, at: 0, 2) == [zero + second + millisecond * 100, nil])
    }

    /// The same, one by one: who has been admitted, and when each has its turn.
    private struct Naive {
        let capacity: Int
        let queue: Int
        /// In parts of a nanosecond, of which it has `capacity`.
        var turns: [Int128] = []

        mutating func admit(at time: ExactTime) -> ExactTime? {
            let now = Int128(time.rawValue) * Int128(capacity)
            turns.removeAll { $0 + 1_000_000_000 <= now }
            let waiting = turns.count { $0 > now }
            let next = max(now, (turns.last ?? .min / 2) + 1_000_000_000)
            if next > now && waiting >= queue { return nil }
            turns.append(next)
            return ExactTime(rawValue: Int64((next + Int128(capacity) - 1) / Int128(capacity)))
        }
    }

    @Test(arguments: 0..<20)
    func `It agrees with a queue that is kept one by one`(seed: UInt64) {
        var state = seed &+ 99
        func random(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        let capacity = [1, 3, 10, 77, 1_000, 30_011][random(6)]
        let queue = [0, 1, 5, capacity][random(4)]
        var model = OriginModel(capacity: capacity, latency: 0, queue: queue)
        var naive = Naive(capacity: capacity, queue: queue)
        var now = zero
        for step in 0..<2_000 {
            if random(3) == 0 {
                now += Nanoseconds(rawValue: Int64(random(3_000_000_000 / capacity)))
            }
            let expected = naive.admit(at: now)
            let found: ExactTime? =
                if case .answer(let time) = model.admit(at: now) { time } else { nil }
            #expect(found == expected, "step \(step), \(capacity) a second, queue \(queue)")
        }
    }
}
