// These break tables from within, which only builds for testing let them.
#if DEBUG
import Basics
import FrameCodec
import ReloadScheduling
import TestSupport
import Testing

@testable import RouterCore

@Suite("The invariants of a router")
struct RouterInvariantTests {
    /// A router with a device that has a pending reload, because its output is full, and a date.
    private func harness() -> RouterHarness {
        let harness = RouterHarness()
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.character("w", "elf"), .character("v", "elf")])
        harness.timeline(gateway, "d", "v", policy: #"{"after":1700000100000}"#)
        _ = harness.step()
        harness.router.outputFilled(gateway)
        harness.request(gateway, "d")
        _ = harness.step()
        return harness
    }

    /// The sentence of the violation that the check throws after a change; nil if it throws none.
    private func sentence(_ change: (inout Router) -> Void = { _ in }) -> String? {
        let harness = harness()
        change(&harness.router)
        do throws(InvariantViolation) {
            try harness.router.checkInvariants()
            return nil
        } catch {
            return error.description
        }
    }

    @Test("hold for one that nothing was done to")
    func whole() {
        #expect(sentence() == nil)
    }

    @Test("name a widget that is in the pending chain and is not ready")
    func pendingChain() {
        let text = sentence { $0.state.reloads.delivery.widgets[0].stage = .idle }
        #expect(text?.hasPrefix("ReloadState.DeliveryTable: widget ") == true, "\(text ?? "")")
    }

    @Test("name a device whose list has another number of widgets than it counts")
    func widgetCount() {
        let text = sentence { $0.state.reloads.delivery.devices[0].widgetCount = 3 }
        #expect(text == "ReloadState.DeliveryTable: device 0 counts 3 of 2 widgets")
    }

    @Test("name a widget with a date and no timer")
    func timer() {
        let text = sentence { $0.outbox.agenda.setTimer(of: 1, to: .max) }
        #expect(
            text == "Router: widget 1, whose reload is ready, waits for a time, and has no timer"
        )
    }

    @Test("name a device with a pending RELOAD that is in no queue")
    func queue() {
        let text = sentence { $0.outbox.agenda.removeQueued(0) }
        #expect(text == "Router: device 0 has a pending RELOAD and is in no queue")
    }

    @Test("name a reload request that has neither ended nor waits")
    func requests() {
        let text = sentence { $0.outbox.observer.counters.reloadRequests += 1 }
        #expect(text?.contains("reload requests") == true, "\(text ?? "")")
    }

    @Test("name a count of declared apps that is another one")
    func declaredApps() {
        let text = sentence { $0.state.reloads.catalog.declaredAppCount += 1 }
        #expect(
            text?.hasSuffix("3 apps are counted of 2 that are declared") == true,
            "\(text ?? "")"
        )
    }

    @Test("name a count of declared kinds that is another one")
    func declaredKinds() {
        let text = sentence { $0.state.reloads.catalog.declaredKindCount += 1 }
        #expect(text?.contains("kinds are counted of") == true, "\(text ?? "")")
    }

    @Test("name a slot of an origin that is no widget's")
    func slot() {
        let text = sentence { $0.state.reloads.schedules.widgets[1].slot = .none }
        #expect(text == "ReloadState: 0 widgets have slots, and 1 are assigned")
    }

    @Test("name an app whose stored bytes are counted wrongly")
    func bytes() {
        let text = sentence { $0.state.reloads.delivery.countBytes(of: 0, adding: 4) }
        #expect(text?.contains("stored bytes are counted for app 0") == true, "\(text ?? "")")
    }
}
#endif
