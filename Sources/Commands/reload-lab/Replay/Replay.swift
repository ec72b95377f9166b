import ArgumentParser
import Basics
import Benchmarks
import CaptureFiles
import CaptureTools
import CommandSupport
import LibuvLoop
import LoadReporting
import ReloadRouterClient
import StoreFormat
import WidgetFleet

/// `replay`: sends a capture to a router again, by its own schedule, and measures.
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send a recorded burst again, on its own schedule, and measure.",
        discussion: """
            The schedule is that of the capture and does not depend on the router's answers; \
            latencies count from when a push was intended. Everything in the capture before its \
            first push (devices and their widgets) is sent first, as fast as it is acknowledged. \
            Without --to the command starts a router of its own, in memory, with the capture's \
            app file. Ctrl-C ends the run early, with its report. Exit status: 1 if it could not \
            be played, 2 if --max-p99 was missed.
            """
    )

    @OptionGroup var capture: CaptureOptions

    @Option(
        help: "Address of the router to load; a port alone is one of this machine.",
        of: "host:port"
    )
    var to: String?

    @OptionGroup var protection: SecurityOptions

    @Option(help: "Factor on the recorded speed, such as 10; or max, without a schedule.")
    var speed = "1"

    @Option(help: "Connections that push. (default: one per recorded producer, at most 64)")
    var connections: Int?

    @Option(
        help:
            "Maximum of gateway connections of each app; 0 for all that were recorded."
    )
    var gateways = 4

    @Option(help: "Time of the first pushes to send.", of: "time")
    var from: String?

    @Option(help: "Time before which to end.", of: "time")
    var until: String?

    @Option(help: "Number of times to play the schedule.", of: "times")
    var loop = 1

    @Option(help: "Copies of producers, devices and their values.", of: "copies")
    var scale = 1

    @Flag(help: "Play only publishers, without devices.")
    var noDevices = false

    @OptionGroup var tokens: RoleTokens

    @Option(help: "Time to wait for the last answers, in seconds.")
    var patience = 30.0

    @Option(help: "Write the report as JSON; - for standard output.", of: "file")
    var json: String?

    @Option(help: "Write the report as one HTML page.", of: "file")
    var report: String?

    @Option(help: "JSON report of another run to compare with.", of: "file")
    var compare: String?

    @Option(
        help: "Fail (exit status 2) if p99 of ACK or RELOAD is above this, such as 5ms.",
        of: "time",
        name: .customLong("max-p99")
    )
    var maxP99: String?

    @Flag(
        help:
            "Play the capture through a router in this process at once, and report its decisions."
    )
    var dryRun = false

    @Option(help: "App file with other rules to compare with, with --dry-run.", of: .file("json"))
    var rules: String?

    @Option(
        help: "File for every decision, one per line, with --dry-run; - for standard output.",
        of: "file"
    )
    var decisions: String?

    @Option(help: "Number of changes of each sort to report, with --dry-run.")
    var examples = 10

    func validate() throws {
        let problems: [(isThere: Bool, sentence: String)] = [
            (
                ReplaySpeed(speed) == nil,
                "--speed is \(speed); it must be a factor from 0.001 to 100000, or max"
            ),
            (!(0...86_400).contains(patience), "--patience must be from 0 to 86400"),
            (to.map { Endpoint($0) == nil } ?? false, Endpoint.problem(to ?? "", of: "--to")),
            (
                maxP99.map { ReplayGate($0) == nil } ?? false,
                "--max-p99 is \(maxP99 ?? ""); it must be a time such as 500us, 5ms or 1s"
            ),
            (
                !dryRun && (rules != nil || decisions != nil),
                "--rules and --decisions require --dry-run"
            ),
            (
                dryRun && (to != nil || maxP99 != nil || report != nil || compare != nil),
                "--dry-run has no router to measure: it cannot be combined with --to, "
                    + "--max-p99, --report or --compare"
            ),
            (dryRun && json != nil && json != "-", "with --dry-run, --json must be -"),
        ]
        if let problem = problems.first(where: \.isThere) {
            throw ValidationError(problem.sentence)
        }
        let most = ReplaySettings.connectionLimit
        try checkNumbers([connections ?? 1], within: 1...most, of: "--connections")
        try checkNumbers([gateways], within: 0...1_024, of: "--gateways")
        try checkNumbers([loop], within: 1...1_000_000, of: "--loop")
        try checkNumbers([scale], within: 1...ReplaySettings.scaleLimit, of: "--scale")
        for moment in [from, until].compactMap({ $0 }) where CaptureMoment(moment) == nil {
            throw ValidationError("\(moment) is not a time; expected \(CaptureMoment.help)")
        }
    }

    func run() throws {
        if dryRun { return try playDry() }
        do {
            let misses = try runner().run()
            for miss in misses { writeStandardError("missed --max-p99 \(maxP99 ?? ""): \(miss)\n") }
            if !misses.isEmpty { throw ExitCode(2) }
        } catch let status as ExitCode {
            throw status
        } catch {
            let hint = MissingToken.hint(for: error, isGiven: tokens.isGiven)
            var sentence = "\(error)\(hint)"
            if let error = error as? ReplayError, error.code == .router {
                sentence = PortProbe.sentence(forClientOf: to) ?? sentence
            }
            throw SettingsProblem(sentence)
        }
    }

    private func playDry() throws {
        var dryRun = ReplayDryRun(paths: capture.files)
        dryRun.rules = rules
        dryRun.decisions = decisions
        dryRun.examples = examples
        dryRun.json = json == "-"
        let settings = try settings()
        (dryRun.from, dryRun.to) = (settings.from, settings.to)
        try dryRun.run()
    }

    private func runner() throws -> ReplayRunner {
        var outputs = ReplayOutputs()
        outputs.json = json
        outputs.report = report
        outputs.compare = compare
        outputs.gate = maxP99.flatMap { ReplayGate($0) }
        return ReplayRunner(
            capture.files,
            settings: try settings(),
            outputs: outputs,
            address: to.flatMap { Endpoint($0) },
            security: try protection.security(),
            progress: Progress.show
        )
    }

    private func settings() throws -> ReplaySettings {
        var settings = ReplaySettings()
        settings.speed = ReplaySpeed(speed) ?? settings.speed
        settings.connections = connections
        settings.gateways = gateways
        settings.loops = loop
        settings.scale = scale
        settings.hasDevices = !noDevices
        settings.patience = Nanoseconds(seconds: patience)
        settings.runName = String(UInt32.random(in: 0 ... .max), radix: 16)
        settings.publisherToken = tokens.publisher
        settings.gatewayToken = tokens.gateway
        settings.deviceToken = tokens.device
        if from == nil && until == nil { return settings }
        let header = try CaptureReader(paths: capture.files).header
        if let from, let moment = CaptureMoment(from) { settings.from = moment.offset(in: header) }
        if let until, let moment = CaptureMoment(until) { settings.to = moment.offset(in: header) }
        return settings
    }
}
