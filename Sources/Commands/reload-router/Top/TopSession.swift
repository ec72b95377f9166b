import ArgumentParser
import Basics
import CommandSupport
import Glibc
import HTTPFetching
import HTTPMessages
import LibuvLoop

/// Asks for a router's status once an interval, and shows it.
///
///     timer ──► GET /v1/status ──► TopHistory ──► TopScreen ──► terminal
///                                                └► TopText, or the JSON itself
///
/// At most one request is under way: if an interval ends before the answer has come, no other
/// request is sent.
final class TopSession: TimerOwner, SignalOwner, PollOwner {
    /// The output: a full screen, blocks of text, or the JSON as it comes.
    enum Format {
        case screen
        case text
        case json
    }

    private let address: AdminAddress
    private let interval: Milliseconds
    private let format: Format
    private let isOnce: Bool
    private let loop: Loop
    private let client: AdminClient
    private var timer: LoopTimer?
    private var signals: [LoopSignal] = []
    private var keys: LoopPoll?
    private var terminal: TopTerminal?
    private var history = TopHistory()
    /// Why the last request failed; nil if it did not.
    private var problem: String?
    /// The last error of a request, and the sentence about it.
    private var lastError: AdminClientError?
    private var errorText = ""
    /// The sentence about an answer with status 400; empty while there was none.
    private var badRequestText = ""
    private var isAsking = false
    private var isEnding = false
    private var code = ExitCode.success

    init(_ address: AdminAddress, interval: Milliseconds, format: Format, isOnce: Bool) throws {
        self.address = address
        self.interval = interval
        self.format = format
        self.isOnce = isOnce
        loop = try Loop()
        var limits = AdminClient.Limits()
        // Room for the status of many apps, origins and keys.
        limits.bodyBytes = 8 << 20
        limits.timeout = .seconds(5)
        client = try address.client(loop, limits: limits)
    }

    /// Runs until q, a signal, or the only output of `--once`, and returns the exit status.
    func run() throws -> ExitCode {
        assert(timer == nil, "a session runs only once")
        let timer = try LoopTimer(loop, owner: self)
        self.timer = timer
        try timer.start(after: .zero, repeating: interval)
        if format == .screen { try takeScreen() }
        try loop.run()
        try loop.close()
        return code
    }

    /// Enters the full screen, and listens for signals and keys.
    private func takeScreen() throws {
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT] {
            signals.append(try LoopSignal(loop, signal: number, owner: self))
        }
        let terminal = TopTerminal()
        self.terminal = terminal
        terminal.enter()
        draw()
        if terminal.keys < 0 { return }
        let keys = try LoopPoll(loop, socket: terminal.keys, owner: self)
        self.keys = keys
        try keys.start(.reading)
    }

    /// Stops everything, which ends the loop; the first exit status counts.
    private func end(_ code: ExitCode = .success) {
        if isEnding { return }
        isEnding = true
        self.code = code
        timer?.close()
        keys?.close()
        for signal in signals { signal.close() }
        client.close()
        terminal?.leave()
    }

    // MARK: - Asking

    func timerFired(_ timer: LoopTimer) { ask() }

    private func ask() {
        if isAsking || isEnding { return }
        isAsking = true
        client.ask(address.question("/v1/status")) { [self] outcome in
            isAsking = false
            if !isEnding { take(outcome) }
        }
    }

    private func take(_ outcome: Result<HTTPAnswer, AdminClientError>) {
        switch outcome {
        case .failure(let error): fail(problem(error), code: ExitStatus.disconnected)
        case .success(let reply) where reply.status == 401:
            let problem = address.problem(in: reply)
            fail(problem, code: ExitStatus.refused, isFinal: true)
        case .success(let reply) where reply.status == 400:
            if badRequestText.isEmpty { badRequestText = address.problem(in: reply) }
            fail(badRequestText, code: ExitStatus.refused)
        case .success(let reply) where reply.status != 200:
            let detail = problemDetail(reply.body).map { ": " + $0 } ?? ""
            fail(
                "the admin server answers with status \(reply.status)\(detail)",
                code: reply.status < 500 ? ExitStatus.refused : ExitStatus.disconnected
            )
        case .success(let reply): take(reply.body)
        }
    }

    /// Why there is no answer. What listens there instead is asked only once, because that blocks
    /// the loop.
    private func problem(_ error: AdminClientError) -> String {
        if lastError != error { errorText = address.problem(error) }
        lastError = error
        return errorText
    }

    private func take(_ body: [UInt8]) {
        do throws(TopStatusError) {
            history.add(try TopStatus(body))
        } catch {
            return fail("\(error)", code: ExitStatus.refused)
        }
        problem = nil
        switch format {
        case .screen: draw()
        case .json: printOut(Array(body.split(separator: 0x0a).joined()) + [0x0a])
        // Without rates half of the block would be empty.
        case .text: if history.hasRates { printOut(Array(TopText.block(history).utf8)) }
        }
    }

    /// Reports why there is nothing to show. A screen keeps asking, and so does text output, unless
    /// the problem is final.
    private func fail(_ reason: String, code: ExitCode, isFinal: Bool = false) {
        if format == .screen {
            problem = reason
            return draw()
        }
        if problem != reason { writeStandardError("reload-router top: \(reason)\n") }
        problem = reason
        if isOnce || isFinal { end(code) }
    }

    // MARK: - Showing

    private func printOut(_ bytes: [UInt8]) {
        // Writing fails once the reader of the output is gone.
        if !writeStandardOutput(bytes) || isOnce { end() }
    }

    private func draw() {
        guard let terminal, !isEnding else { return }
        let size = terminal.size
        let lines = TopScreen.lines(
            history,
            width: size.width,
            height: size.height,
            notice: problem.map { $0 + "; asking again" },
            hint: "q quit   space ask now   every \(Double(interval.rawValue) / 1_000) s"
        )
        if !terminal.draw(lines) { end(ExitStatus.disconnected) }
    }

    // MARK: - Keys and signals

    func poll(_ poll: LoopPoll, isReady ready: LoopPoll.Readiness) {
        guard let terminal, let pressed = terminal.readKeys(), !ready.contains(.failure) else {
            // The terminal is gone: no more keys will come.
            return end(ExitStatus.disconnected)
        }
        for key in pressed {
            switch Unicode.Scalar(key) {
            case "q", "Q": return end()
            case " ": ask()
            default: break
            }
        }
    }

    func signalReceived(_ signal: LoopSignal) {
        switch signal.number {
        case SIGWINCH: draw()
        case SIGTSTP:
            terminal?.leave()
            _ = kill(getpid(), SIGSTOP)
        case SIGCONT:
            terminal?.enter()
            draw()
        default: end(ExitCode(128 + signal.number))
        }
    }
}
