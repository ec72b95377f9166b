import Basics
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("What the owners of devices do")
struct DeviceHabitsTests {
    /// What a device does in some hours, with the times from the beginning.
    private func play(
        _ habits: [String: Any],
        hours: Int,
        seed: UInt64 = 1,
        device: Int = 0
    ) throws -> [(time: Milliseconds, event: DeviceHabits.Event)] {
        let scenario = try testScenario([
            "habits": habits, "widgets": [["kind": "k"], ["kind": "k", "page": 2]],
        ])
        var play = DeviceHabits(scenario, seed: seed)
        var events: [(time: Milliseconds, event: DeviceHabits.Event)] = []
        var time = Milliseconds.zero
        var pause = play.begin(device)
        while let length = pause, time + length < .hours(Int64(hours)) {
            time += length
            let next = play.next(device)
            events.append((time, next.event))
            pause = next.pause
        }
        return events
    }

    @Test func `Nothing, if the scenario has no habits`() throws {
        #expect(try play([:], hours: 1_000).isEmpty)
    }

    @Test(arguments: [
        ("looks", DeviceHabits.Event.looksAway), ("foreground", .leavesApp), ("audio", .isSilent),
        ("offline", .findsNetwork),
    ])
    func `What is begun ends before something else begins, about as often and as long as is said`(
        name: String,
        end: DeviceHabits.Event
    ) throws {
        let events = try play([name: ["perHour": 6, "seconds": 60]], hours: 2_000)
        var length = Milliseconds.zero
        for (begun, ended) in zip(events, events.dropFirst()) where ended.event == end {
            #expect(begun.event != end)
            length += ended.time - begun.time
        }
        let count = events.count { $0.event == end }
        // Pauses are of ten minutes on average, with a minute of doing so between.
        #expect((10_500...11_300).contains(count), "\(count)")
        #expect((57.0...63.0).contains(length.inSeconds / Double(count)))
        #expect(abs(events.count - 2 * count) <= 1)
    }

    @Test func `What takes no time has no end`() throws {
        let events = try play(["movesPerHour": 30, "breaksPerHour": 10], hours: 1_000).map(\.event)
        #expect(Set(events.map { "\($0)" }) == ["moves", "connectionBreaks"])
        #expect((29_000...31_000).contains(events.count { $0 == .moves }))
        #expect((9_500...10_500).contains(events.count { $0 == .connectionBreaks }))
    }

    @Test func `All pages of the widgets are looked at`() throws {
        let events = try play(["looks": ["perHour": 60, "seconds": 1]], hours: 10).map(\.event)
        let pages: [DeviceHabits.Event] = (0..<3).map { .looks(page: $0) }
        for page in pages { #expect(events.contains(page)) }
        #expect(events.allSatisfy { $0 == .looksAway || pages.contains($0) })
    }

    @Test func `A seed gives the same again; other devices and seeds do other things`() throws {
        let habits: [String: Any] = ["looks": ["perHour": 60], "movesPerHour": 60]
        let times = try [(1, 0), (1, 0), (1, 1), (2, 0)].map { seed, device in
            try play(habits, hours: 1, seed: seed, device: device).map(\.time)
        }
        #expect(times[0] == times[1] && !times[0].isEmpty)
        #expect(Set(times).count == 3)
    }
}
