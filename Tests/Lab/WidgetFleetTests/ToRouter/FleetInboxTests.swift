import Basics
import LoadReporting
import TestSupport
import Testing

@testable import WidgetFleet

@Suite("What APNs does with a fleet's pushes")
struct FleetInboxTests {
    private static let now: WallTime = 1_780_272_000_000
    private static let later = now + .hours(1)

    private func inbox(
        delay: Double = 0,
        deadPercent: Double = 0,
        devices: Int = 3,
        seed: UInt64 = 1
    ) -> FleetInbox {
        var plan = APNsPlan()
        plan.delay = delay
        plan.deadPercent = deadPercent
        return FleetInbox(plan, devices: devices, seed: seed)
    }

    @Test func `A device gets each push once`() {
        var inbox = inbox()
        inbox.matched(1, push: 1)
        let delay = inbox.accept(1, expiry: Self.later)
        #expect(delay == .zero)
        #expect(inbox.hasPush(for: 1) && !inbox.hasPush(for: 0))
        #expect(inbox.hasPush(forAny: { $0 == 1 }) && !inbox.hasPush(forAny: { $0 != 1 }))
        let first = inbox.deliver(to: 1, at: Self.now)
        let second = inbox.deliver(to: 1, at: Self.now)
        #expect(first && !second && !inbox.hasPush(forAny: { _ in true }))
        var expected = FleetReport.APNs()
        expected.accepted = 1
        expected.delivered = 1
        #expect(inbox.summary == expected)
    }

    @Test func `The latest push for a device takes the place of an earlier one`() {
        var inbox = inbox()
        for push in 1...3 {
            inbox.matched(0, push: push)
            _ = inbox.accept(0, expiry: Self.later)
        }
        #expect(inbox.summary.kept == 1 && inbox.summary.replaced == 2)
        let isDelivered = inbox.deliver(to: 0, at: Self.now)
        #expect(isDelivered)
        #expect(inbox.summary.delivered == 1 && inbox.summary.duplicates == 0)
    }

    @Test func `A push that has expired does not come`() {
        var inbox = inbox()
        _ = inbox.accept(0, expiry: Self.now)
        _ = inbox.accept(1, expiry: Self.now - 1)
        let (punctual, late) = (
            inbox.deliver(to: 0, at: Self.now), inbox.deliver(to: 1, at: Self.now)
        )
        #expect(punctual && !late)
        #expect(inbox.summary.delivered == 1 && inbox.summary.expired == 1)
    }

    @Test func `More pushes than had a cause are counted`() {
        var inbox = inbox()
        // Two widgets of the device: one cause.
        inbox.matched(0, push: 1)
        inbox.matched(0, push: 1)
        inbox.expects(0)
        for _ in 1...2 { _ = inbox.accept(0, expiry: Self.later) }
        #expect(inbox.summary.duplicates == 0)
        _ = inbox.accept(0, expiry: Self.later)
        #expect(inbox.summary.duplicates == 1)
        inbox.begin()
        #expect(inbox.summary.accepted == 0 && inbox.summary.duplicates == 0)
    }

    @Test func `Delays and removed apps follow from the seed`() {
        func draw(_ seed: UInt64) -> ([Int], [Milliseconds]) {
            var inbox = inbox(delay: 500, deadPercent: 30, devices: 1_000, seed: seed)
            let gone = inbox.removeApps()
            return (gone, (0..<1_000).map { _ in inbox.delay() })
        }
        let (gone, delays) = draw(7)
        let (again, other) = (draw(7), draw(8))
        #expect(again == (gone, delays) && other != (gone, delays))
        #expect((250...350).contains(gone.count))
        let mean = delays.reduce(.zero, +).rawValue / 1_000
        #expect((450...550).contains(mean))
    }

    @Test func `A device without the app is known`() {
        var inbox = inbox(deadPercent: 100, devices: 2)
        #expect(!inbox.isGone(1))
        let gone = inbox.removeApps()
        #expect(gone == [0, 1])
        #expect(inbox.isGone(1) && inbox.summary.devicesGone == 2)
    }
}
