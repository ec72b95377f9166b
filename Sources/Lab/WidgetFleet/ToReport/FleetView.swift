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

    init(title: String) { self.title = title }

    /// Shows the state of the run.
    func show(_ engine: FleetEngine) {
        state.withLock { state in
            if isTerminal {
                redraw(engine, state: &state)
            } else if !state.isAnnounced, ContinuousClock.now - began >= Self.patience {
                state.isAnnounced = true
                write("\(title): \(Self.line(engine)); this takes a while\n")
            }
        }
    }

    /// Leaves the last picture on the terminal; what is shown next appears below it.
    func end() { state.withLock { $0.lines = 0 } }

    private func redraw(_ engine: FleetEngine, state: inout State) {
        let series = engine.recorder.series
        let refused = series.originRefused.last ?? 0
        let lines = [
            "\(title)  \(Self.phase(engine))",
            "devices    \(engine.begunCount), \(engine.onlineCount) online, "
                + "\(engine.liveCount) of \(engine.population.widgetCount) widgets live",
            "pushes     \(engine.recorder.pushes.sent)",
            "reloads/s  " + Self.curve(series.reloads),
            "origin/s   " + Self.curve(series.originRequests)
                + (refused > 0 ? "  \(refused) refused" : ""),
            "staleness  \(Self.staleness(engine)), push to rendered, at the median",
        ]
        // Moves up to the first line of the last picture; each line is cleared before it is
        // written.
        let up = state.lines > 0 ? "\u{1b}[\(state.lines)A" : ""
        write(up + lines.map { "\r\u{1b}[2K\($0)\n" }.joined())
        state.lines = lines.count
    }

    private static func line(_ engine: FleetEngine) -> String {
        let series = engine.recorder.series
        return "\(phase(engine)): \(engine.begunCount) devices, "
            + "\(engine.liveCount) of \(engine.population.widgetCount) widgets live, "
            + "\(engine.recorder.pushes.sent) pushes, \(series.reloads.last ?? 0) reloads/s, "
            + "\(series.originRequests.last ?? 0) origin requests/s, "
            + "stale for \(staleness(engine))"
    }

    /// The phase, and for how long it has lasted.
    private static func phase(_ engine: FleetEngine) -> String {
        let name =
            switch engine.director.phase {
            case .gathering: "devices come"
            case .running: "running"
            case .ending: "ending"
            case .over: "over"
            }
        let seconds = (engine.now - engine.director.phaseStart).inSeconds
        return "\(name), \(FigureText.seconds(max(0, seconds.rounded(.down))))"
    }

    private static func curve(_ values: [Int]) -> String {
        let last = values.last.map { "\($0)" } ?? "–"
        return Sparkline(Array(values.suffix(60))).text(width: 60) + "  \(last)"
    }

    private static func staleness(_ engine: FleetEngine) -> String {
        let value = engine.recorder.staleness
        return value == 0 ? "–" : String(format: value < 10 ? "%.1f ms" : "%.0f ms", value)
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
