import Basics
import FrameCodec
import TestSupport

@testable import RouterCore

/// An operator, who pauses the app now and then, asks for places, and looks at everything.
extension SchedulingSimulation {
    var isPaused: Bool { harness.router.router.isPaused(app: "game") }

    func operate() {
        do throws(ProtocolError) {
            switch random.below(40) {
            case 0..<2:
                harness.router.router.tick(harness.router.now)
                try harness.router.router.setPaused(!isPaused, app: "game")
                notePause()
            case 2:
                let dates = (0..<1 + random.below(20)).map { _ in
                    harness.router.now.wall + Milliseconds(random.below(300_000) - 10_000)
                }
                _ = try harness.router.router.takeSlots(
                    app: "game",
                    kind: "k\(random.below(Self.kindCount))",
                    dates: dates,
                    now: harness.router.now
                )
                noteSlots()
            case 3..<6: try look()
            default: break
            }
        } catch {
            fail("an operator was refused: \(error)")
        }
    }

    /// Lets the app go on if it is paused.
    func resume() {
        harness.router.router.tick(harness.router.now)
        try? harness.router.router.setPaused(false, app: "game")
    }

    /// Asks what can be asked; nothing changes by that.
    private func look() throws(ProtocolError) {
        let before = StateImage(harness.router.router)
        let now = harness.router.now
        let bytes = harness.router.router.journalBytes.count
        if let device = devices.first(where: { !$0.widgets.isEmpty })?.name,
            (try? harness.router.router.view(ofDevice: device, app: "game", now: now)) != nil
        {
            try explain(device: device)
        }
        try explain(device: nil)
        _ = harness.router.router.originViews(after: nil, limit: 9, now: now)
        _ = harness.router.router.connections(from: 0, limit: 10)
        _ = harness.router.router.appViews
        if let difference = StateImage(harness.router.router).difference(from: before) {
            fail("looking has changed something: \(difference)")
        }
        if harness.router.router.journalBytes.count != bytes {
            fail("looking has written to the journal")
        }
    }

    private func explain(device: String?) throws(ProtocolError) {
        if !harness.router.router.canExplain { return }
        let work = try harness.router.router.beginExplaining(
            app: "game",
            payload: Array(#"{"character":"kit","hp":1}"#.utf8),
            isUrgent: device == nil,
            device: device,
            kind: nil,
            limit: 100,
            now: harness.router.now
        )
        while !harness.router.router.resume(work) {}
        _ = work.explanation.result()
    }
}
