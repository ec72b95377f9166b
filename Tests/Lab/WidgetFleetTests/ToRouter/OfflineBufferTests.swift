import FrameCodec
import ReloadRouterClient
import Testing

@testable import WidgetFleet

@Suite("What a gateway keeps for devices that are offline")
struct OfflineBufferTests {
    private func reload(_ seq: UInt64, _ widgets: [String] = ["w0"]) -> ReloadEvent {
        ReloadEvent(
            seq: seq,
            device: "fleet-1",
            kinds: ["k"],
            widgets: widgets,
            cause: "push",
            body: []
        )
    }

    private func frame(_ number: Int) -> DeviceFrame {
        DeviceFrame(.state, device: "fleet-1", body: [UInt8(number)])
    }

    @Test func `Nothing for a device with a network`() {
        var offline = OfflineBuffer()
        offline.begin(2)
        let isKept = [offline.keep(frame(1), of: 1, widget: nil), offline.keep(reload(1), for: 1)]
        #expect(isKept == [false, false])
        let kept = offline.end(1)
        #expect(kept.frames.isEmpty && kept.reloads.isEmpty)
    }

    @Test func `All of it, in order, until the device is back`() {
        var offline = OfflineBuffer()
        offline.begin(1)
        let isKept = [
            offline.keep(frame(1), of: 1, widget: nil), offline.keep(frame(2), of: 1, widget: 3),
            offline.keep(reload(1), for: 1), offline.keep(reload(2), for: 1),
        ]
        #expect(isKept == [true, true, true, true])
        let kept = offline.end(1)
        #expect(kept.frames.map(\.frame) == [frame(1), frame(2)])
        #expect(kept.frames.map(\.widget) == [nil, 3])
        #expect(kept.reloads.map(\.seq) == [1, 2])
        // From now on there is a network.
        let isKeptStill = offline.keep(frame(3), of: 1, widget: nil)
        #expect(!isKeptStill)
        let rest = offline.end(1)
        #expect(rest.reloads.isEmpty)
    }

    @Test func `Beyond the limit the oldest frames are dropped`() {
        var offline = OfflineBuffer()
        offline.begin(1)
        for number in 0..<OfflineBuffer.limit + 3 {
            _ = offline.keep(frame(number), of: 1, widget: nil)
        }
        let frames = offline.end(1).frames
        #expect(frames.count == OfflineBuffer.limit && frames[0].frame == frame(3))
    }

    @Test func `Beyond the limit a reload is dropped whose widgets newer ones reload as well`() {
        var offline = OfflineBuffer()
        offline.begin(1)
        _ = offline.keep(reload(1, ["w1"]), for: 1)
        for seq in 2...UInt64(OfflineBuffer.limit + 10) { _ = offline.keep(reload(seq), for: 1) }
        let reloads = offline.end(1).reloads
        #expect(reloads.count == OfflineBuffer.limit)
        #expect(reloads[0].seq == 1 && reloads[0].widgets == ["w1"])
        #expect(reloads[1].seq == 12 && reloads.last?.seq == UInt64(OfflineBuffer.limit + 10))
    }
}
