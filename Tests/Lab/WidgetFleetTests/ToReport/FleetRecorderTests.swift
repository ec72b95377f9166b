import Basics
import LoadReporting
import ReloadRouterClient
import TestSupport
import Testing

@testable import RouterSimulation
@testable import WidgetFleet

@Suite("What is recorded of a run")
struct FleetRecorderTests {
    private static let begin: ExactTime = 1_000_000

    private func recorder(widgets: Int = 4) -> FleetRecorder {
        var recorder = FleetRecorder(widgets: widgets)
        recorder.begin(origin: OriginCounts())
        return recorder
    }

    private func report(_ recorder: FleetRecorder) -> FleetReport {
        var report = FleetReport(
            scenario: "s",
            app: "a",
            bundle: "b",
            seed: 1,
            mode: .accelerated
        )
        recorder.fill(&report)
        return report
    }

    private func rendering(_ occasion: ReloadOccasion, isNew: Bool = true) -> Rendering {
        Rendering(widget: 0, occasion: .timeline(occasion), isNew: isNew)
    }

    private let push = ReloadOccasion.reload(seq: 1, .push)

    /// A push at 1 ms, its reload and what is seen of it.
    private func reload(
        _ recorder: inout FleetRecorder,
        widget: Int = 0,
        reportedAfter reported: Milliseconds,
        renderedAfter rendered: Milliseconds
    ) {
        recorder.matched(widget: widget, at: Self.begin)
        recorder.reported(widget: widget, cause: .push, at: Self.begin + Nanoseconds(reported))
        recorder.asked(widget: widget)
        recorder.rendered(
            widget: widget,
            rendering: rendering(push),
            at: Self.begin + Nanoseconds(rendered)
        )
    }

    @Test func `Times are from the push to the reload, and to what is seen`() {
        var recorder = recorder()
        for milliseconds in 1...100 as ClosedRange<Int64> {
            reload(
                &recorder,
                reportedAfter: .milliseconds(milliseconds),
                renderedAfter: .milliseconds(10 * milliseconds)
            )
        }
        let report = report(recorder)
        #expect(report.pushToReload.count == 100 && report.pushToRendered.count == 100)
        #expect((49...51).contains(report.pushToReload.p50))
        #expect((98...100).contains(report.pushToReload.p99))
        #expect((99.9...100.1).contains(report.pushToReload.max))
        #expect((495...505).contains(report.pushToRendered.p50))
        #expect(report.reloads.asks == 100 && report.reloads.wasted == 0)
        #expect(!recorder.isMissing(widget: 0))
    }

    @Test func `Of several pushes until a widget reloads the first one counts`() {
        var recorder = recorder()
        recorder.matched(widget: 1, at: 1_000_000)
        recorder.matched(widget: 1, at: 50_000_000)
        recorder.asked(widget: 1)
        // This one is for the next reload.
        recorder.matched(widget: 1, at: 60_000_000)
        recorder.rendered(widget: 1, rendering: rendering(push), at: 101_000_000)
        #expect((99.9...100.1).contains(report(recorder).pushToRendered.max))
        #expect(recorder.isMissing(widget: 1))
        recorder.asked(widget: 1)
        recorder.rendered(widget: 1, rendering: rendering(push), at: 110_000_000)
        #expect(!recorder.isMissing(widget: 1))
        #expect(report(recorder).pushToRendered.count == 2)
    }

    @Test func `Reloads without a push, or for another cause, have no times`() {
        var recorder = recorder()
        recorder.reported(widget: 0, cause: .push, at: 5)
        recorder.asked(widget: 0)
        recorder.rendered(widget: 0, rendering: rendering(push), at: 9)
        recorder.matched(widget: 1, at: 5)
        recorder.reported(widget: 1, cause: .after, at: 9)
        let report = report(recorder)
        #expect(report.pushToReload.count == 0 && report.pushToRendered.count == 0)
        #expect(recorder.isMissing(widget: 1))
    }

    @Test func `A reload that observes nothing new is wasted, but for the first timeline`() {
        var recorder = recorder()
        recorder.rendered(widget: 0, rendering: rendering(.added, isNew: false), at: 1)
        recorder.rendered(widget: 0, rendering: rendering(push, isNew: true), at: 1)
        recorder.rendered(widget: 0, rendering: rendering(push, isNew: false), at: 1)
        recorder.rendered(widget: 0, rendering: rendering(.date, isNew: false), at: 1)
        let sample = Rendering(widget: 0, occasion: .sample, isNew: false)
        recorder.rendered(widget: 0, rendering: sample, at: 1)
        #expect(report(recorder).reloads.wasted == 2)
    }

    @Test func `The content of an ended extension is still missing, and its staleness grows`() {
        var recorder = recorder()
        recorder.matched(widget: 2, at: Self.begin)
        recorder.asked(widget: 2)
        recorder.ended(widget: 2)
        #expect(recorder.isMissing(widget: 2))
        recorder.asked(widget: 2)
        recorder.rendered(widget: 2, rendering: rendering(push), at: 31_000_000)
        let report = report(recorder)
        #expect(!recorder.isMissing(widget: 2) && report.reloads.extensionsEnded == 1)
        #expect((29.9...30.1).contains(report.pushToRendered.max))
    }

    @Test func `What is missing is reported by what keeps it`() {
        var recorder = recorder()
        recorder.miss(for: .deviceOffline)
        for wait in [5, 9, nil] as [Milliseconds?] {
            recorder.miss(for: .putOff, reason: .spacing, waiting: wait)
        }
        for _ in 0..<2 { recorder.miss(for: .putOff, reason: .budget) }
        let report = report(recorder)
        #expect(report.reloads.missed == 6)
        #expect(report.notShown.map(\.cause) == [.putOff, .putOff, .deviceOffline])
        #expect(report.notShown.map(\.reason) == ["spacing", "budget", nil])
        #expect(report.notShown.map(\.widgets) == [3, 2, 1])
        #expect(report.notShown.map(\.waitMilliseconds) == [9, nil, nil])
    }

    @Test func `Each second has its own figures, and the origin's are differences`() {
        var recorder = FleetRecorder(widgets: 1)
        recorder.pushed()
        recorder.begin(origin: OriginCounts(arrived: 100, answered: 90, refused: 10))
        recorder.pushed()
        recorder.received(.push, widgets: 3)
        reload(&recorder, reportedAfter: 1, renderedAfter: 20)
        recorder.endSecond(
            origin: OriginCounts(arrived: 105, answered: 94, refused: 11),
            online: 9
        )
        recorder.received(.after, widgets: 1)
        recorder.received(.push, widgets: 1)
        recorder.endSecond(
            origin: OriginCounts(arrived: 107, answered: 96, refused: 11),
            online: 10
        )
        let report = report(recorder)
        #expect(report.series.pushes == [1, 0] && report.series.reloads == [3, 2])
        #expect(report.series.originRequests == [5, 2] && report.series.originRefused == [1, 0])
        #expect(report.series.online == [9, 10] && report.series.isAligned)
        #expect((19.0...21.0).contains(report.series.staleP50Milliseconds[0]))
        #expect(report.series.staleP50Milliseconds[1] == 0)
        #expect(report.reloads.frames == 3 && report.reloads.widgets == 5)
        #expect(report.reloads.byCause == ["push": 4, "after": 1])
        #expect(report.reloads.perSecond == 2.5 && report.reloads.peakPerSecond == 3)
        #expect(report.pushes.sent == 1 && report.pushes.perSecond == 0.5)
        #expect(report.origin.requests == 7 && report.origin.answered == 6)
        #expect(report.origin.refused == 1 && report.origin.peakPerSecond == 5)
        #expect(report.origin.meanPerSecond == 3.5)
    }

    @Test func `What was before the run does not count, but for who waits`() {
        var recorder = FleetRecorder(widgets: 2)
        recorder.pushed()
        recorder.received(.push, widgets: 9)
        reload(&recorder, reportedAfter: 1, renderedAfter: 2)
        recorder.matched(widget: 1, at: 5)
        recorder.retried()
        recorder.fetchFailed()
        recorder.connectionLost()
        recorder.coalesced()
        recorder.postponed()
        recorder.begin(origin: OriginCounts(arrived: 5))
        let empty = FleetReport(scenario: "s", app: "a", bundle: "b", seed: 1, mode: .accelerated)
        #expect(report(recorder) == empty)
        #expect(recorder.isMissing(widget: 1))
    }

    @Test func `Counts are passed on`() {
        var recorder = recorder()
        recorder.retried()
        for _ in 0..<2 { recorder.fetchFailed() }
        for _ in 0..<3 { recorder.connectionLost() }
        for _ in 0..<4 { recorder.coalesced() }
        for _ in 0..<5 { recorder.postponed() }
        let report = report(recorder)
        #expect(report.origin.retries == 1 && report.origin.failed == 2)
        #expect(report.fleet.connectionsLost == 3)
        #expect(report.reloads.coalesced == 4 && report.reloads.heldByDevice == 5)
    }

    @Test(arguments: [-5, 0, 1, 172_800_000_000_000] as [Nanoseconds])
    func `A time that no histogram has is cut, and no crash`(length: Nanoseconds) {
        var recorder = recorder()
        recorder.matched(widget: 0, at: 1_000)
        recorder.reported(widget: 0, cause: .push, at: 1_000 + length)
        let summary = report(recorder).pushToReload
        #expect(summary.count == 1 && summary.max >= 0.001 && summary.max <= 86_500_000)
    }
}
