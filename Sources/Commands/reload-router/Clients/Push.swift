import ArgumentParser
import Basics
import CommandSupport
import ReloadRouterClient
import Synchronization

/// `push`: publishes one payload, or one for each line of a file.
struct Push: AsyncParsableCommand, LongCommand {
    static let configuration = CommandConfiguration(
        abstract: "Push to the widgets that a payload matches.",
        discussion: """
            Pushes one payload (a JSON object), or with --file or - one per line, pipelined. \
            Prints what became of a single payload: sent, put off until when and why, or why it \
            matched no widget; with --outcomes, of each line. A line that the router refuses goes \
            to standard error with its number and code. Exit status: 0 all accepted, 1 some \
            refused, 2 no connection.
            """
    )

    @OptionGroup var client: ClientOptions

    @Option(help: "The producer that these pushes belong to; one session at a time may use it.")
    var producer = "cli"

    @Flag(help: "Send urgent pushes, which go before others.")
    var urgent = false

    @Option(help: "The time from now until a push expires and reloads nothing.", of: "seconds")
    var expiresAfter: Double?

    @OptionGroup var kinds: KindsOption

    @Option(help: "JSON Lines file: one payload per line.", of: .file("jsonl"))
    var file: String?

    @Flag(help: "Print what became of each line, as of a single payload; this is slower.")
    var outcomes = false

    @Argument(help: "The payload, or - for JSON Lines from standard input.")
    var payload: String?

    var activity: String? { file.map { "pushing \($0)" } }

    func validate() throws {
        if (payload == nil) == (file == nil) {
            throw ValidationError("give one payload, or --file FILE, or - for standard input")
        }
        if let expiresAfter, !(expiresAfter >= 0 && expiresAfter < 1e9) {
            throw ValidationError(
                "--expires-after is \(expiresAfter); it must be from 0 to 1e9 seconds"
            )
        }
    }

    func run() async throws {
        let report = PushReport(source: source)
        let publisher: Publisher
        do {
            publisher = try await connect(report)
        } catch {
            reload_router.report("push", error: error, options: client)
            throw ExitStatus.disconnected
        }
        let began = ContinuousClock.now
        do {
            try await publish(to: publisher, report: report)
            try await publisher.flush()
        } catch let error as ClientError {
            reload_router.report("push", error: error, options: client)
            printLine(summary(publisher.statistics, report: report, since: began))
            throw ExitStatus.disconnected
        }
        publisher.close()
        printLine(summary(publisher.statistics, report: report, since: began))
        if publisher.statistics.rejected > 0 || report.refusedLocally > 0 {
            throw ExitStatus.refused
        }
    }

    private func connect(_ report: PushReport) async throws -> Publisher {
        let (address, app, token) = (client.to, client.app, client.effectiveToken)
        let tokens = client.tokens
        let producer = producer
        let security = try client.protection.security()
        var onOutcome: (@Sendable (PushOutcome) -> Void)?
        var onPause: (@Sendable (Bool) -> Void)?
        if reportsOutcomes {
            onOutcome = { report.reported($0) }
            onPause = { report.paused($0, app: app) }
        }
        let (reportOutcome, reportPause) = (onOutcome, onPause)
        return try await FirstConnection(to: address).open { () throws(ClientError) in
            try await Publisher.connect(
                to: address,
                app: app,
                token: token,
                tokens: tokens,
                producer: producer,
                security: security,
                limits: FirstConnection.limits,
                onChange: reportChange("push"),
                onRejection: report.rejected,
                onLoss: report.lost,
                onOutcome: reportOutcome,
                onPause: reportPause
            )
        }
    }

    /// Whether the router is asked what becomes of each push.
    private var reportsOutcomes: Bool { outcomes || source == nil }

    /// The name of the input in messages; nil for a payload on the command line.
    private var source: String? { file ?? (payload == "-" ? "line" : nil) }

    private func publish(to publisher: Publisher, report: PushReport) async throws {
        if let payload, payload != "-" {
            return try await publish(Array(payload.utf8), line: 1, to: publisher, report: report)
        }
        var lines = try LineReader(file ?? "-")
        while let line = try lines.nextNonBlank() {
            try await publish(line.bytes, line: line.number, to: publisher, report: report)
            report.progress { publisher.statistics }
        }
    }

    private func publish(
        _ payload: [UInt8],
        line: Int,
        to publisher: Publisher,
        report: PushReport
    ) async throws {
        do throws(ClientError) {
            let seq = try await publisher.push(
                payload,
                urgent: urgent,
                expiresAfter: expiresAfter.map { .seconds($0) },
                kinds: kinds.names
            )
            report.sent(seq, line: line)
        } catch {
            guard case .tooLong = error else { throw error }
            report.refused(line: line, reason: "frame-length: \(error)")
        }
    }

    private func summary(
        _ statistics: PublisherStatistics,
        report: PushReport,
        since began: ContinuousClock.Instant
    ) -> String {
        let seconds = max(1e-9, (ContinuousClock.now - began) / .seconds(1))
        let rate = Int(Double(statistics.accepted + statistics.rejected) / seconds)
        return "sent \(statistics.sent), accepted \(statistics.accepted), "
            + "rejected \(statistics.rejected + report.refusedLocally), "
            + "matched \(statistics.matched), \(rate) per second"
    }
}

/// Finds the line of a refused push, and says how far the pushes are.
///
/// Rejections arrive on the connection's thread, possibly before the task that pushed knows the
/// push's sequence number. Such early rejections wait until it does.
final class PushReport: Sendable {
    /// The most pushes whose lines are remembered; the older half is dropped beyond that.
    static let lineLimit = 1 << 20

    private struct State {
        /// The lines of the last pushes, whose sequence numbers follow each other.
        var lines: [Int] = []
        var lastSeq: UInt64 = 0
        /// Rejections of pushes whose line is not known yet: at most as many as there are
        /// unanswered pushes.
        var early: [Rejection] = []
        /// Lines that were too long to be sent.
        var refusedLocally: UInt64 = 0
        var shownAt = ContinuousClock.now

        /// The line of a push; nil if it is not remembered.
        func line(of seq: UInt64) -> Int? {
            guard seq <= lastSeq, lastSeq - seq < UInt64(lines.count) else { return nil }
            return lines[lines.count - 1 - Int(lastSeq - seq)]
        }
    }

    private let state = Mutex(State())
    private let source: String?

    init(source: String?) { self.source = source }

    /// Lines that were refused before they were sent.
    var refusedLocally: UInt64 { state.withLock { $0.refusedLocally } }

    /// Records that a line was pushed under this sequence number.
    func sent(_ seq: UInt64, line: Int) {
        let early = state.withLock { state -> [(Rejection, Int?)] in
            // Another session of the producer may have had the numbers between.
            if seq != state.lastSeq + 1 { state.lines = [] }
            if state.lines.count == Self.lineLimit { state.lines.removeFirst(Self.lineLimit / 2) }
            state.lines.append(line)
            state.lastSeq = seq
            let early = state.early.filter { $0.seq <= seq }
            state.early.removeAll { $0.seq <= seq }
            return early.map { ($0, state.line(of: $0.seq)) }
        }
        for (rejection, line) in early { show(line, reason: rejection.description) }
    }

    /// Reports a push that the router has refused, or keeps it until its line is known.
    func rejected(_ rejection: Rejection) {
        let line = state.withLock { state -> Int?? in
            if rejection.seq > state.lastSeq {
                state.early.append(rejection)
                return nil
            }
            return .some(state.line(of: rejection.seq))
        }
        if let line { show(line, reason: rejection.description) }
    }

    /// Says that the router has lost pushes which it had answered.
    func lost(_ pushes: ClosedRange<UInt64>) {
        let (first, last) = (pushes.lowerBound, pushes.upperBound)
        let lines = state.withLock { state in
            [first, last].map { state.line(of: $0).map(String.init) ?? "?" }
        }
        writeStandardError(
            "reload-router push: the router has lost the pushes \(first) to \(last) (lines "
                + "\(lines[0]) to \(lines[1])), which it had answered: its store is older; send "
                + "again what still matters\n"
        )
    }

    func reported(_ outcome: PushOutcome) {
        for line in PushOutcomeText(outcome).lines { printLine(line) }
    }

    /// Reports that an operator has paused the app, or resumed it.
    func paused(_ isPaused: Bool, app: String) {
        let news =
            isPaused
            ? "is paused by an operator: its pushes wait until it is resumed" : "is resumed"
        writeStandardError("reload-router push: \(app) \(news)\n")
    }

    /// Counts and reports a line that cannot be sent.
    func refused(line: Int, reason: String) {
        state.withLock { $0.refusedLocally += 1 }
        show(line, reason: reason)
    }

    /// Says every 200 ms how far the pushes are.
    func progress(_ statistics: () -> PublisherStatistics) {
        let isDue = state.withLock { state in
            let now = ContinuousClock.now
            guard now - state.shownAt >= .milliseconds(200) else { return false }
            state.shownAt = now
            return true
        }
        guard isDue else { return }
        let now = statistics()
        Progress.update("sent \(now.sent), accepted \(now.accepted), rejected \(now.rejected)")
    }

    private func show(_ line: Int?, reason: String) {
        guard let source else { return writeStandardError("rejected: \(reason)\n") }
        let number = line.map(String.init) ?? "?"
        let location = source == "line" ? "line \(number)" : "\(source):\(number)"
        writeStandardError("\(location): \(reason)\n")
    }
}

/// The option that narrows pushes to kinds of widgets.
struct KindsOption: ParsableArguments {
    @Option(
        name: .customLong("kinds"),
        help: "Narrow the pushes to widgets of these kinds, separated by commas."
    )
    var list: String?

    /// The names; nil if the pushes are not narrowed.
    var names: [String]? { list.map { KindNames.names(in: $0) } }

    func validate() throws {
        guard let names, KindNames.encode(names) == nil else { return }
        throw ValidationError(
            "--kinds is \(list ?? ""); each name must have 1 to \(RouterLimits.identifierBytes) bytes, "
                + "and all together at most 65,535"
        )
    }
}
