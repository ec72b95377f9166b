internal import Basics
internal import Foundation
internal import Glibc
internal import LoadReporting
internal import Synchronization

/// Shows a run on standard error: redrawn in its place on a terminal; elsewhere one line says that
/// it takes a while, if it does.
final class FleetView: Sendable {
    private struct State {
        var lines = 0
        var isAnnounced = false
    }

    /// How long a run lasts before a line says so.
    private static var patience: Duration { .seconds(2) }

    private let title: String
    private let began = ContinuousClock.now
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    init(title: String) {
        self.title = title
    }

    /// Shows the state of the run.
    func show(_ progress: FleetProgress) {
        state.withLock { state in
            if isTerminal {
                redraw(progress, state: &state)
            } else if !state.isAnnounced, ContinuousClock.now - began >= Self.patience {
                state.isAnnounced = true
                write("\(title): \(Self.line(progress)); this takes a while\n")
            }
        }
    }

    /// Leaves the last picture on the terminal; what is shown next appears below it.
    func end() { state.withLock { $0.lines = 0 } }

    private func redraw(_ progress: FleetProgress, state: inout State) {
        let lines = [
            "\(title)  \(progress.phase), \(Self.time(progress))",
            "devices    \(progress.devices), \(progress.online) online, "
                + "\(progress.live) of \(progress.widgets) widgets live",
            "pushes     \(progress.pushesSent)",
            "reloads/s  " + Self.curve(progress.reloads),
            "origin/s   " + Self.curve(progress.originRequests)
                + (progress.refused > 0 ? "  \(progress.refused) refused" : ""),
            "staleness  \(Self.milliseconds(progress.staleness)), push to rendered, at the median",
        ]
        // Moves up to the first line of the last picture; each line is cleared before it is
        // written.
        let up = state.lines > 0 ? "\u{1b}[\(state.lines)A" : ""
        write(up + lines.map { "\r\u{1b}[2K\($0)\n" }.joined())
        state.lines = lines.count
    }

    private static func line(_ progress: FleetProgress) -> String {
        "\(progress.phase), \(time(progress)): \(progress.devices) devices, "
            + "\(progress.live) of \(progress.widgets) widgets live, "
            + "\(progress.pushesSent) pushes, \(progress.reloads.last ?? 0) reloads/s, "
            + "\(progress.originRequests.last ?? 0) origin requests/s, "
            + "stale for \(milliseconds(progress.staleness))"
    }

    private static func time(_ progress: FleetProgress) -> String {
        FigureText.seconds(progress.seconds.rounded(.down))
    }

    private static func curve(_ values: [Int]) -> String {
        let last = values.last.map { "\($0)" } ?? "–"
        return Sparkline(Array(values.suffix(60))).text(width: 60) + "  \(last)"
    }

    private static func milliseconds(_ value: Double) -> String {
        value == 0 ? "–" : String(format: value < 10 ? "%.1f ms" : "%.0f ms", value)
    }

    private func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
