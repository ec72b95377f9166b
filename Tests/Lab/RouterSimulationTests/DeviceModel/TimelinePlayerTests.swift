import Basics
import Foundation
import TestSupport
import Testing
import WidgetTimelines

@testable import RouterSimulation

private struct Entry: TimelineEntry {
    let date: Date
    let text: String
}

private struct Provider: TimelineProvider {
    let entries: [Entry]
    let policy: TimelineReloadPolicy

    func placeholder(in context: Context) -> Entry { entries[0] }
    func getSnapshot(in context: Context, completion: @escaping (Entry) -> Void) {}
    func getTimeline(in context: Context, completion: @escaping (Timeline<Entry>) -> Void) {
        completion(Timeline(entries: entries, policy: policy))
    }
}

@Suite("A timeline on a device")
struct TimelinePlayerTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let hour: TimeInterval = 3_600

    /// A timeline with entries so many hours after the start.
    private func player(
        _ hours: [Double],
        _ policy: TimelineReloadPolicy = .atEnd
    ) -> TimelinePlayer {
        let entries = hours.map { Entry(date: Self.start + $0 * Self.hour, text: "\($0)") }
        let configuration = StaticConfiguration(
            kind: "k",
            provider: Provider(entries: entries, policy: policy)
        ) { Text($0.text) }
        var timeline: RenderableTimeline?
        try? configuration.declarations[0].provider.getTimeline(
            for: .none,
            in: TimelineProviderContext(family: .systemSmall, isPreview: false)
        ) { timeline = $0 }
        return TimelinePlayer(timeline!, arrival: Self.start)
    }

    private func seen(_ player: TimelinePlayer, _ hours: Double) -> String? {
        let now = Self.start + hours * Self.hour
        return player.lines(at: now, calendar: .current).first
    }

    @Test("shows an entry from its date on until the next one's comes")
    func observes() {
        let player = player([0, 1, 2, 3])
        #expect(seen(player, 0) == "0.0" && seen(player, 0.999) == "0.0")
        #expect(seen(player, 1) == "1.0" && seen(player, 2.5) == "2.0" && seen(player, 99) == "3.0")
    }

    @Test("shows the first entry before its date comes, and does not change when it does")
    func future() {
        let player = player([1, 2])
        #expect(seen(player, 0) == "1.0" && seen(player, 1) == "1.0" && seen(player, 2) == "2.0")
    }

    @Test("shows the last one of those with the same date")
    func same() {
        let player = player([0, 1, 1])
        #expect(seen(player, 1) == "1.0")
    }

    @Test("without entries shows nothing, and wants more at once or when it says")
    func empty() {
        let player = player([])
        #expect(seen(player, 0) == nil)
        #expect(player.reloadDate == Self.start)
        #expect(self.player([], .never).reloadDate == nil)
    }

    @Test("is asked for again at its end, at a date before or after it, or never")
    func policies() {
        // The dragon comes in two hours, the market opens on Monday (Apple's examples).
        #expect(player([0, 1, 2, 3]).reloadDate == Self.start + 3 * Self.hour)
        let dragon = Self.start + 2 * Self.hour
        #expect(player([0, 1, 2, 3], .after(dragon)).reloadDate == dragon)
        let monday = Self.start + 63 * Self.hour
        #expect(player([0], .after(monday)).reloadDate == monday)
        #expect(player([0], .never).reloadDate == nil)
    }

    @Test("is put in order")
    func unordered() {
        let player = player([2, 0, 1])
        #expect(seen(player, 0.5) == "0.0" && seen(player, 3) == "2.0")
        let start: WallTime = 1_800_000_000_000
        #expect(player.entryDates == [start, start + 3_600_000, start + 7_200_000])
    }

    @Test("is cut off where the protocol takes no more")
    func long() {
        let player = player((0..<401).map(Double.init))
        #expect(player.entryDates.count == 400)
        #expect(player.reloadDate == Self.start + 399 * Self.hour)
    }
}
