import Basics
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("When pushes are due")
struct PushScheduleTests {
    private static let second = Nanoseconds.seconds(1)

    private func schedule(_ pushes: [[String: Any]]) throws -> PushSchedule {
        PushSchedule(
            try testScenario(["pushes": pushes.map { $0.merging(["payload": [:]]) { $1 } }])
        )
    }

    private func all(
        _ pushes: [[String: Any]],
        until time: Nanoseconds = .max
    ) throws -> [PushSchedule.DuePush] {
        var schedule = try schedule(pushes)
        var due: [PushSchedule.DuePush] = []
        while let next = schedule.take(until: time) { due.append(next) }
        return due
    }

    @Test func `None, if the scenario has none`() throws {
        let schedule = try schedule([])
        #expect(schedule.next == nil)
        #expect(try all([]) == [])
    }

    @Test func `A number a second, evenly, from one time to another`() throws {
        let due = try all([["from": 2, "to": 4, "perSecond": 5]])
        #expect(due.map(\.time) == (0..<10).map { Self.second * 2 + Self.second * $0 / 5 })
    }

    @Test func `To the end, if it is not said to when`() throws {
        #expect(try all([["perSecond": 3]]).count == 30)
        #expect(try all([["from": 9, "perSecond": 3]]).count == 3)
        #expect(try all([["from": 11, "perSecond": 3]]).isEmpty)
    }

    @Test func `A number of pushes at once`() throws {
        let due = try all([["from": 1.5, "count": 3]])
        #expect(due.map(\.time) == [1_500_000_000, 1_500_000_000, 1_500_000_000])
    }

    @Test(arguments: [(0.29, 100, 29), (2.9, 100, 290), (0.57, 100, 57), (0.7, 10, 7)])
    func `As many as a person would count`(length: Double, rate: Int, count: Int) throws {
        #expect(try all([["to": length, "perSecond": rate]]).count == count)
    }

    @Test func `The earliest is taken first, and none before its time`() throws {
        var schedule = try schedule([["from": 1, "perSecond": 1], ["from": 1.5, "count": 1]])
        #expect(schedule.next == Self.second)
        let early = schedule.take(until: Self.second - 1)
        #expect(early == nil)
        let taken = (0..<3).map { _ in schedule.take(until: Self.second * 2) }
        #expect(taken.map { $0?.push } == [0, 1, 0])
        #expect(taken.map { $0?.time } == [Self.second, Self.second * 3 / 2, Self.second * 2])
        let late = schedule.take(until: Self.second * 2)
        #expect(late == nil)
        #expect(schedule.next == Self.second * 3)
    }
}

@Suite("A push as it goes out")
struct PushMessageTests {
    private func message(
        _ members: [String: Any],
        _ random: inout SplitMix64
    ) throws -> PushMessage {
        let plan = members.merging(["count": 1, "payload": ["b": 1, "a": "${hp}"]]) { $1 }
        let push = try testScenario(["pushes": [plan]]).pushes[0]
        return push.message(
            .object(["b": .integer(1), "a": .integer(7)]),
            now: 1_000,
            using: &random
        )
    }

    @Test func `Its payload is what was drawn`() throws {
        var random = SplitMix64(seed: 1, stream: 1)
        let message = try message([:], &random)
        #expect(String(decoding: message.payload, as: UTF8.self) == #"{"a":7,"b":1}"#)
        #expect(!message.isUrgent && message.expiresAt == nil && message.kinds == nil)
        #expect(try self.message(["kinds": ["k"]], &random).kinds == ["k"])
    }

    @Test func `It expires as many seconds later as the scenario says`() throws {
        var random = SplitMix64(seed: 1, stream: 1)
        #expect(try message(["expires": 2.5], &random).expiresAt == 3_500)
        #expect(try message(["expires": 0], &random).expiresAt == 1_000)
    }

    @Test(arguments: [(0, 0...0), (25, 200...300), (100, 1_000...1_000)])
    func `As many are urgent as the scenario says`(percent: Int, count: ClosedRange<Int>) throws {
        var random = SplitMix64(seed: 1, stream: 1)
        var urgent = 0
        for _ in 0..<1_000 where try message(["urgentPercent": percent], &random).isUrgent {
            urgent += 1
        }
        #expect(count.contains(urgent), "\(urgent)")
    }
}
