import Testing

@testable import WidgetFleet

/// Viewers are names; what they are receivers is written down.
@Suite struct PageStateTests {
    private var state = PageState<String>()
    private var reported: [String] = []
    private var gone: Set<String> = []
    private var changes = 0

    private mutating func show(_ screen: DeviceScreen, limit: Int = 64) -> Bool {
        var reported: [String] = []
        let gone = gone
        defer { self.reported = reported }
        return state.show(screen, limit: limit) { viewer, message in
            reported.append("\(viewer) \(message.event)")
            return !gone.contains(viewer)
        }
    }

    private mutating func add(_ viewer: String, device: String? = nil) {
        var reported: [String] = []
        let gone = gone
        state.add(viewer, device: device) { viewer, message in
            reported.append("\(viewer) \(message.event)")
            return !gone.contains(viewer)
        }
        self.reported = reported
    }

    private mutating func wants(_ device: String) -> Bool { state.wants(device) }
    private mutating func takesRequest() -> Bool { state.takePreviewsRequest() }

    /// Shows another state of a device.
    private mutating func change(_ device: String) {
        changes += 1
        _ = show(sampleScreen(device: device, app: "com.mygame\(changes)"))
    }

    @Test mutating func `A viewer is reported the screen at once and with each change`() {
        #expect(show(sampleScreen()))
        add("a")
        #expect(reported == ["a devices", "a screen"])
        #expect(show(sampleScreen(online: false)))
        #expect(reported == ["a screen"])
        change("player-007")
        #expect(reported == ["a screen"])
    }

    @Test mutating func `A passing clock is no change, but the latest time is kept`() {
        _ = show(sampleScreen())
        add("a")
        _ = show(sampleScreen(device: "player-007"))
        #expect(reported.isEmpty)
        let later = sampleScreen(now: 1_800_000_001_000)
        #expect(show(later))
        #expect(reported.isEmpty)
        #expect(state.screen(of: nil) == later)
    }

    @Test mutating func `Of several devices, who chose none sees the names, others see theirs`() {
        add("early")
        #expect(reported == ["early devices"])
        _ = show(sampleScreen(device: "one"))
        #expect(reported == ["early devices", "early screen"])
        add("first", device: "one")
        _ = show(sampleScreen(device: "two"))
        #expect(reported == ["early devices"])
        #expect(state.isAmbiguous)
        #expect(state.screen(of: nil) == nil)
        change("one")
        #expect(reported == ["first screen"])
        change("two")
        #expect(reported.isEmpty)
    }

    @Test mutating func `A viewer that has gone is reported nothing any more`() {
        _ = show(sampleScreen())
        add("a")
        add("b")
        gone = ["a"]
        _ = show(sampleScreen(online: false))
        #expect(reported == ["a screen", "b screen"])
        change("player-007")
        #expect(reported == ["b screen"])
        #expect(state.removeViewers() == ["b"])
        change("player-007")
        #expect(reported.isEmpty)
    }

    @Test mutating func `A screen is wanted if it is new or has viewers`() {
        #expect(wants("one"))
        _ = show(sampleScreen(device: "one"))
        #expect(!wants("one"))
        add("a")
        #expect(reported == ["a devices"], "what nobody wanted is outdated")
        #expect(wants("one"))
        _ = show(sampleScreen(device: "two"))
        #expect(!wants("one"))
        #expect(!wants("two"))
        add("b", device: "two")
        #expect(!wants("one"))
        #expect(wants("two"))
    }

    @Test mutating func `Previews are for those who have not chosen one of several devices`() {
        _ = show(sampleScreen(device: "one"))
        add("a")
        #expect(!takesRequest())
        _ = show(sampleScreen(device: "two"))
        #expect(takesRequest())
        #expect(!takesRequest())
        add("b", device: "two")
        #expect(!takesRequest())
        add("c")
        #expect(takesRequest())
        var receivers: [String] = []
        state.send(previews: PageMessage(event: "previews", data: "[]")) { viewer, _ in
            receivers.append(viewer)
            return true
        }
        #expect(receivers == ["a", "c"])
    }

    @Test mutating func `There are no more devices than the limit; known ones stay`() {
        #expect(show(sampleScreen(device: "one"), limit: 2))
        #expect(show(sampleScreen(device: "two"), limit: 2))
        #expect(!show(sampleScreen(device: "three"), limit: 2))
        #expect(state.screen(of: "three") == nil)
        let one = sampleScreen(device: "one", online: false)
        #expect(show(one, limit: 2))
        #expect(state.screen(of: "one") == one)
    }
}
