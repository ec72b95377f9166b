import Foundation
import Testing

@testable import WidgetFleet

/// Viewers are names; what they are told is written down.
@Suite struct PageStateTests {
    private var state = PageState<String>()
    private var told: [String] = []
    private var gone: Set<String> = []

    private mutating func show(_ snapshot: HomeScreenSnapshot, limit: Int = 64) -> Bool {
        var told: [String] = []
        let gone = gone
        defer { self.told = told }
        return state.show(snapshot, limit: limit) { viewer, message in
            told.append("\(viewer) \(message.event)")
            return !gone.contains(viewer)
        }
    }

    private mutating func add(_ viewer: String, device: String? = nil) {
        var told: [String] = []
        let gone = gone
        state.add(viewer, device: device) { viewer, message in
            told.append("\(viewer) \(message.event)")
            return !gone.contains(viewer)
        }
        self.told = told
    }

    private mutating func reload(_ device: String) {
        var told: [String] = []
        let message = PageState<String>.Message(event: "reload", data: "{}")
        state.tell(message, toViewersOf: device) { viewer, message in
            told.append("\(viewer) \(message.event)")
            return true
        }
        self.told = told
    }

    @Test mutating func `A viewer is told the screen at once and with each change`() {
        #expect(show(sampleScreen()))
        add("a")
        #expect(told == ["a devices", "a screen"])
        var screen = sampleScreen()
        screen.online = false
        #expect(show(screen))
        #expect(told == ["a screen"])
        reload("player-007")
        #expect(told == ["a reload"])
    }

    @Test mutating func `A clock that goes on is no change, but the latest one is kept`() {
        _ = show(sampleScreen())
        add("a")
        _ = show(sampleScreen(device: "player-007"))
        #expect(told.isEmpty)
        var later = sampleScreen()
        later.now += 1_000
        #expect(show(later))
        #expect(told.isEmpty)
        #expect(state.snapshot(of: nil)?.snapshot == later)
    }

    @Test mutating func `Of several devices, who chose none sees the names, others see theirs`() {
        add("early")
        #expect(told == ["early devices"])
        _ = show(sampleScreen(device: "one"))
        #expect(told == ["early devices", "early screen"])
        add("first", device: "one")
        _ = show(sampleScreen(device: "two"))
        #expect(told == ["early devices"])
        #expect(state.isAmbiguous)
        #expect(state.snapshot(of: nil) == nil)
        reload("one")
        #expect(told == ["first reload"])
        reload("two")
        #expect(told.isEmpty)
    }

    @Test mutating func `A viewer that has gone is told nothing any more`() {
        _ = show(sampleScreen())
        add("a")
        add("b")
        gone = ["a"]
        var screen = sampleScreen()
        screen.foreground = true
        _ = show(screen)
        #expect(told == ["a screen", "b screen"])
        reload("player-007")
        #expect(told == ["b reload"])
        #expect(state.removeViewers() == ["b"])
        reload("player-007")
        #expect(told.isEmpty)
    }

    @Test mutating func `There are no more devices than the limit, known ones go on`() {
        #expect(show(sampleScreen(device: "one"), limit: 2))
        #expect(show(sampleScreen(device: "two"), limit: 2))
        #expect(!show(sampleScreen(device: "three"), limit: 2))
        #expect(state.snapshot(of: "three") == nil)
        var one = sampleScreen(device: "one")
        one.online = false
        #expect(show(one, limit: 2))
        #expect(state.snapshot(of: "one")?.snapshot.online == false)
    }

    @Test mutating func `A snapshot comes back from its JSON, sizes that are none as well`() throws
    {
        var screen = sampleScreen()
        _ = show(screen)
        let json = try #require(state.snapshot(of: nil)?.json)
        let back = try JSONDecoder().decode(HomeScreenSnapshot.self, from: Data(json.utf8))
        #expect(back == screen)
        screen.widgets[0].width = .nan
        #expect(show(screen))
    }
}
