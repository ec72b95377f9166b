package import ArgumentParser
import Basics
import Glibc
import Platform
import Synchronization

/// Says on standard error that a command is at work: on a terminal in one line that is rewritten,
/// elsewhere once. A command that takes less than `patience` says nothing.
///
/// A command is a `LongCommand`, and calls `update` as it proceeds. A thread does the writing, so
/// the work itself need not look at clocks. What the functions of `StandardStreams` and a
/// `LineWriter` write takes the place of the line.
package final class Progress: Sendable {
    /// How long a command works before it says so.
    package static var patience: Duration { .seconds(2) }
    /// How often the line is rewritten.
    private static var interval: useconds_t { 200_000 }

    private struct State {
        var activity: String
        var isShown = false
        var isAnnounced = false
        var hasEnded = false
    }

    private static let active = Mutex<Progress?>(nil)

    private let command: String
    private let isTerminal: Bool
    private let write: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// Makes a progress that its caller ticks. The command's name has the program's; `write` writes
    /// text without changing it.
    package init(
        _ command: String,
        activity: String,
        isTerminal: Bool,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.command = command
        self.isTerminal = isTerminal
        self.write = write
        state = Mutex(State(activity: activity))
    }

    /// Begins the progress of a command that is about to run, and a thread that shows it; nil if
    /// the command takes no time, or if another program shows the progress.
    package static func begin(
        _ command: any ParsableCommand,
        of program: any ParsableCommand.Type
    ) -> Progress? {
        let isShownByOthers = environmentVariable(progressVariable) == "none"
        guard !isShownByOthers, let long = command as? any LongCommand, let activity = long.activity
        else { return nil }
        let name = "\(program._commandName) \(type(of: command)._commandName)"
        let isTerminal = isatty(STDERR_FILENO) == 1
        let progress = Progress(name, activity: activity, isTerminal: isTerminal) {
            _ = writeAll(Array($0.utf8), to: STDERR_FILENO)
        }
        active.withLock { $0 = progress }
        let began = ContinuousClock.now
        // Without a thread nothing is shown; the work is done all the same.
        _ = startThread {
            while progress.tick(ContinuousClock.now - began) { usleep(interval) }
        }
        return progress
    }

    /// Says what the command that runs does now; nothing happens if it shows no progress.
    package static func update(_ activity: @autoclosure () -> String) {
        guard let progress = active.withLock({ $0 }) else { return }
        progress.update(activity())
    }

    /// Says what the command that runs does now; nil ends its progress.
    package static func show(_ activity: String?) {
        if let activity { update(activity) } else { endActive() }
    }

    /// Erases the line from the terminal, if there is one, because something else is written.
    package static func hideLine() { active.withLock { $0 }?.hideLine() }

    /// Ends the progress of the command that runs; nothing happens if it shows none.
    package static func endActive() { active.withLock { $0 }?.end() }

    /// Says what the command does now.
    package func update(_ activity: String) {
        state.withLock { $0.activity = activity }
    }

    /// Shows the line again, or says once that the command takes a while. Returns false if there is
    /// nothing more to show.
    package func tick(_ elapsed: Duration) -> Bool {
        state.withLock { state in
            if state.hasEnded || state.isAnnounced { return false }
            if elapsed < Self.patience { return true }
            if !isTerminal {
                state.isAnnounced = true
                write("\(command): \(state.activity); this takes a while\n")
                return false
            }
            state.isShown = true
            let seconds = Int((elapsed / .seconds(1)).rounded(.down))
            let time = seconds < 60 ? "\(seconds) s" : FigureText.seconds(Double(seconds))
            // A longer line would take several rows, of which only the last is rewritten.
            let width = terminalSize(STDERR_FILENO)?.width ?? 80
            let room = width - 1 - command.count - time.count - 4
            let activity = state.activity.prefix(max(0, room))
            write("\r\u{1b}[K\(command): \(activity), \(time)")
            return true
        }
    }

    /// Erases the line, if it is shown; the next tick shows it again.
    package func hideLine() {
        state.withLock { state in
            if state.isShown { write("\r\u{1b}[K") }
            state.isShown = false
        }
    }

    /// Erases the line for good.
    package func end() {
        hideLine()
        state.withLock { $0.hasEnded = true }
    }
}

/// A command that may take more than two seconds. While it runs, `Progress` says so.
package protocol LongCommand: ParsableCommand {
    /// What it does, in words that follow its name: `reading all records`. Nil if it takes no time
    /// with its present options.
    var activity: String? { get }
}
