import ArgumentParser
import CommandSupport
import Glibc
import ReloadRouterClient
import Synchronization

/// `push`: publishes one payload, or one for each line of a file.
struct Push: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Push to the widgets that a payload concerns.",
        discussion: """
            Pushes one payload (a JSON object), or with --file or - one a line, pipelined. A line \
            that the router refuses goes to standard error with its number and code. Exit status: \
            0 all accepted, 1 some refused, 2 no connection.
            """
    )

    @OptionGroup var client: ClientOptions

    @Option(
        help: ArgumentHelp(
            "The name under which the router counts these pushes; one session at a time.",
            valueName: "producer"
        )
    )
    var producer = "cli"

    @Flag(help: "Let these pushes go before others.")
    var urgent = false

    @Option(
        help: ArgumentHelp("How long a push is worth anything, from now.", valueName: "seconds")
    )
    var voidAfter: Double?

    @Option(
        help: ArgumentHelp("JSON Lines: one payload a line.", valueName: "file"),
        completion: .file(extensions: ["jsonl"])
    )
    var file: String?

    @Argument(help: "The payload, or - for JSON Lines from standard input.")
    var payload: String?

    func validate() throws {
        if (payload == nil) == (file == nil) {
            throw ValidationError("give one payload, or --file FILE, or - for standard input")
        }
        if let voidAfter, !(voidAfter >= 0 && voidAfter < 1e9) {
            throw ValidationError("--void-after is \(voidAfter); it must be 0 to 1e9 seconds")
        }
    }

    func run() async throws {
        let report = PushReport(source: source)
        let publisher: Publisher
        do throws(ClientError) {
            publisher = try await Publisher.connect(
                to: client.to,
                app: client.app,
                token: client.effectiveToken,
                producer: producer,
                onChange: reportChange("push"),
                onRejection: report.rejected
            )
        } catch {
            reload_router.report("push", error)
            throw ExitStatus.disconnected
        }
        let began = ContinuousClock.now
        do {
            try await publish(to: publisher, report)
            try await publisher.flush()
        } catch let error as ClientError {
            report.clearProgress()
            reload_router.report("push", error)
            printLine(summary(publisher.statistics, report, since: began))
            throw ExitStatus.disconnected
        }
        publisher.close()
        report.clearProgress()
        printLine(summary(publisher.statistics, report, since: began))
        if publisher.statistics.rejected > 0 || report.refusedHere > 0 { throw ExitStatus.refused }
    }

    /// The name of the input in messages; nil for a payload on the command line.
    private var source: String? { file ?? (payload == "-" ? "line" : nil) }

    private func publish(to publisher: Publisher, _ report: PushReport) async throws {
        if let payload, payload != "-" {
            return try await publish(Array(payload.utf8), 1, to: publisher, report)
        }
        var lines = try LineReader(file ?? "-")
        while let line = try lines.nextFilled() {
            try await publish(line.bytes, line.number, to: publisher, report)
            report.progress { publisher.statistics }
        }
    }

    private func publish(
        _ payload: [UInt8],
        _ line: Int,
        to publisher: Publisher,
        _ report: PushReport
    ) async throws {
        do throws(ClientError) {
            let seq = try await publisher.push(
                payload,
                urgent: urgent,
                voidAfter: voidAfter.map { .seconds($0) }
            )
            report.sent(seq, line: line)
        } catch {
            guard case .tooLong = error else { throw error }
            report.refused(line: line, "frame-length: \(error)")
        }
    }

    private func summary(
        _ statistics: PublisherStatistics,
        _ report: PushReport,
        since began: ContinuousClock.Instant
    ) -> String {
        let seconds = max(1e-9, (ContinuousClock.now - began) / .seconds(1))
        let rate = Int(Double(statistics.accepted + statistics.rejected) / seconds)
        return "sent \(statistics.sent), accepted \(statistics.accepted), "
            + "rejected \(statistics.rejected + report.refusedHere), "
            + "matched \(statistics.matched), \(rate) per second"
    }
}

/// Finds the line of a refused push, and shows progress on a terminal.
///
/// Rejections arrive on the connection's thread, possibly before the task that pushed knows the
/// push's sequence number. Such early rejections wait until it does.
final class PushReport: Sendable {
    /// Most runs of lines that are remembered; the older half is dropped beyond that.
    ///
    /// Within a run, line numbers and sequence numbers rise together. A line that is not pushed
    /// (blank, or too long) ends the run, so that the next push begins another.
    static let runLimit = 65_536

    private struct State {
        /// The first sequence number and line of each run, ascending.
        var runs: [(seq: UInt64, line: Int)] = []
        var lastSeq: UInt64 = 0
        /// Rejections of pushes whose line is not known yet: at most as many as there are
        /// unanswered pushes.
        var early: [Rejection] = []
        /// Lines that were too long to be sent.
        var refusedHere: UInt64 = 0
        var shownAt = ContinuousClock.now
        var isProgressShown = false
    }

    private let state = Mutex(State())
    private let source: String?
    private let showsProgress = isatty(STDERR_FILENO) == 1

    init(source: String?) {
        self.source = source
    }

    /// Lines that were refused before they were sent.
    var refusedHere: UInt64 { state.withLock { $0.refusedHere } }

    /// Records that a line was pushed under this sequence number.
    func sent(_ seq: UInt64, line: Int) {
        let early = state.withLock { state -> [(Rejection, Int?)] in
            let last = state.runs.last
            if last.map({ UInt64(line - $0.line) != seq - $0.seq }) ?? true {
                if state.runs.count >= Self.runLimit {
                    state.runs.removeFirst(Self.runLimit / 2)
                }
                state.runs.append((seq, line))
            }
            state.lastSeq = seq
            let early = state.early.filter { $0.seq <= seq }
            state.early.removeAll { $0.seq <= seq }
            return early.map { ($0, Self.line(of: $0.seq, state.runs)) }
        }
        for (rejection, line) in early { show(line, rejection.description) }
    }

    /// Reports a push that the router has refused, or keeps it until its line is known.
    func rejected(_ rejection: Rejection) {
        let line = state.withLock { state -> Int?? in
            if rejection.seq > state.lastSeq {
                state.early.append(rejection)
                return nil
            }
            return .some(Self.line(of: rejection.seq, state.runs))
        }
        if let line { show(line, rejection.description) }
    }

    /// Counts and reports a line that cannot be sent.
    func refused(line: Int, _ reason: String) {
        state.withLock { $0.refusedHere += 1 }
        show(line, reason)
    }

    /// Shows progress every 200 ms, on a terminal only.
    func progress(_ statistics: () -> PublisherStatistics) {
        guard showsProgress else { return }
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.shownAt >= .milliseconds(200) else { return false }
            state.shownAt = now
            state.isProgressShown = true
            return true
        }
        guard isDue else { return }
        let now = statistics()
        writeStandardError(
            "\r\u{1b}[Ksent \(now.sent), accepted \(now.accepted), rejected \(now.rejected)"
        )
    }

    /// Erases the progress line from the terminal.
    func clearProgress() {
        let wasShown = state.withLock { state in
            defer { state.isProgressShown = false }
            return state.isProgressShown
        }
        if wasShown { writeStandardError("\r\u{1b}[K") }
    }

    private func show(_ line: Int?, _ reason: String) {
        clearProgress()
        guard let source else { return writeStandardError("rejected: \(reason)\n") }
        let number = line.map(String.init) ?? "?"
        let place = source == "line" ? "line \(number)" : "\(source):\(number)"
        writeStandardError("\(place): \(reason)\n")
    }

    /// The line of a push, by binary search; nil if its run is no longer remembered.
    private static func line(of seq: UInt64, _ runs: [(seq: UInt64, line: Int)]) -> Int? {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].seq <= seq { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        return runs[low - 1].line + Int(seq - runs[low - 1].seq)
    }
}
