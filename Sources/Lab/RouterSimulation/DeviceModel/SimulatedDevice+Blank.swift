package import Basics
internal import Foundation
package import FrameCodec
internal import WidgetTimelines

/// The provider of devices whose widgets show nothing: there is no widget code, and only the dates
/// of its timelines matter.
extension SimulatedDevice {
    private static let calendar = Calendar(identifier: .gregorian)

    /// Accepts the answer to any question; that to one that is no longer awaited is dropped.
    package mutating func answer(
        _ question: ProviderQuestion,
        dates: [WallTime] = [],
        policy: TimelinePolicy = .never,
        at now: WallTime,
        into actions: inout [DeviceAction]
    ) {
        if question.subject != .timeline {
            let entry = RenderableEntry(blankAt: now.date)
            return answer(question, sample: entry, at: now, into: &actions)
        }
        let wanted: TimelineReloadPolicy =
            switch policy {
            case .never: .never
            case .atEnd: .atEnd
            case .after(let date): .after(date.date)
            }
        answer(
            question,
            timeline: RenderableTimeline(blankAt: dates.map(\.date), policy: wanted),
            at: now,
            calendar: Self.calendar,
            into: &actions
        )
    }
}

extension SimulatedWidget {
    /// Makes a widget that shows nothing, of a kind without widget code.
    package init(blank id: String, kind: Int, page: Int, now: WallTime) {
        self.init(
            id: id,
            kind: kind,
            family: .systemSmall,
            choice: .none,
            page: page,
            now: now,
            phase: .zero
        )
    }
}
