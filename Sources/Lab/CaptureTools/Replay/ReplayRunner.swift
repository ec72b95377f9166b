internal import CaptureFormat
internal import Foundation
internal import Glibc
package import LibuvLoop
package import LoadReporting
internal import StoreFormat

/// Where the results of a replay go, and what they are held against.
package struct ReplayOutputs: Equatable, Sendable {
    /// A file, or `-` for standard output.
    package var json: String?
    /// A page.
    package var report: String?
    /// The JSON of another run.
    package var compare: String?
    package var gate: ReplayGate?

    package init() {}
}

/// Replays captures, and writes what it was like.
package struct ReplayRunner {
    private let paths: [String]
    private let settings: ReplaySettings
    private let outputs: ReplayOutputs
    private let address: Endpoint?
    private let startRouter: (_ apps: String) throws -> OwnRouter

    /// - Parameters:
    ///   - paths: the capture's files.
    ///   - settings: what of it is replayed, and how.
    ///   - outputs: what is done with the result.
    ///   - address: the router's; nil for one of its own.
    ///   - startRouter: starts that, with the text of an app file.
    package init(
        _ paths: [String],
        _ settings: ReplaySettings,
        _ outputs: ReplayOutputs,
        address: Endpoint?,
        startRouter: @escaping (_ apps: String) throws -> OwnRouter
    ) {
        self.paths = paths
        self.settings = settings
        self.outputs = outputs
        self.address = address
        self.startRouter = startRouter
    }

    /// Replays, and writes the reports.
    ///
    /// - Returns: what the gate has missed, a sentence each.
    /// - Throws: what keeps the replay from beginning, or ended it.
    package func run() throws -> [String] {
        do {
            return try playAndReport()
        } catch let problem as ReportProblem {
            throw ReplayError(.file, "\(problem)")
        }
    }

    private func playAndReport() throws -> [String] {
        // What is missing is told before the run and not behind it.
        let other = try outputs.compare.map { ($0.lastPathComponent, try Self.report($0)) }
        for file in [outputs.json, outputs.report] { try ReportFile.check(file) }
        var report = try play()
        report.capture = paths.map(\.lastPathComponent)
        if outputs.json != "-" {
            print(report.text)
            if let other {
                print(ReplayComparison(report, with: other.1, named: other.0).text)
            }
        }
        warn(report)
        if let file = outputs.json { try ReportFile.write(try report.json(), to: file) }
        if let file = outputs.report {
            try ReportFile.write(Data(report.html(comparedWith: other).utf8), to: file)
        }
        return outputs.gate?.misses(report) ?? []
    }

    private func play() throws -> ReplayReport {
        say("reading \(paths.map(\.lastPathComponent).joined(separator: ", "))")
        let source = try CaptureFilesSource(paths: paths)
        let roster = try ReplayRoster(source, settings)
        if roster.appFile.isEmpty && address == nil {
            throw ReplayError(.apps, "the capture has no app file to start a router with")
        }
        let engine = try ReplayEngine(source, roster, settings)
        let router = try address == nil ? startRouter(Self.text(roster.appFile)) : nil
        defer { router?.stop() }
        let own = router.flatMap { Endpoint($0.address) }
        let target = own ?? address ?? Endpoint(host: "localhost")
        let view = ReplayView()
        defer { view.end() }
        let replay = try SocketReplay(
            engine,
            router: target,
            routerNanoseconds: router?.nanoseconds
        ) { view.show($0.text) }
        return try replay.run()
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func warn(_ report: ReplayReport) {
        if report.lostRecords > 0 {
            say("the recorder had lost \(report.lostRecords) inputs: they are missing here, too")
        }
        if report.laterAppFiles > 0 {
            say("the capture changes its app file \(report.laterAppFiles) times: not replayed")
        }
        if let reason = report.firstLoss {
            say("\(report.connectionsLost) connections were lost, the first: \(reason)")
        }
        if let rejection = report.devices.firstRejection {
            say("the router rejected frames, the first: \(rejection)")
        }
        if report.gaveUp { say("gave up: no more answers came") }
    }

    private func say(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    // MARK: - Files

    private static func report(_ path: String) throws(ReplayError) -> ReplayReport {
        do {
            return try ReplayReport(json: try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw ReplayError(.file, "\(path) is no report of a replay, or cannot be read")
        }
    }
}

extension String {
    fileprivate var lastPathComponent: String { URL(fileURLWithPath: self).lastPathComponent }
}

/// How a run stands, on standard error: a line in its place on a terminal, elsewhere one a second.
final class ReplayView {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var hasLine = false

    func show(_ text: String) {
        hasLine = isTerminal
        FileHandle.standardError.write(Data((isTerminal ? "\r\u{1b}[2K\(text)" : "\(text)\n").utf8))
    }

    /// Leaves what is shown, and goes on below it.
    func end() {
        if hasLine { FileHandle.standardError.write(Data("\n".utf8)) }
        hasLine = false
    }
}
