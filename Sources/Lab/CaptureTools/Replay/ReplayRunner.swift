internal import CaptureFormat
internal import Foundation
internal import Glibc
package import LibuvLoop
package import LoadReporting
package import ReloadRouterClient
internal import StoreFormat

/// The outputs of a replay, and what its results are compared with; each is nil if not wanted.
package struct ReplayOutputs: Equatable, Sendable {
    /// The file for the JSON report, or `-` for standard output.
    package var json: String?
    /// The file for the HTML page.
    package var report: String?
    /// The JSON report of another run to compare with.
    package var compare: String?
    /// The limit that the run's results are checked against.
    package var gate: ReplayGate?

    /// Creates outputs without files, comparison or gate.
    package init() {}
}

/// Runs `reload-lab replay`: replays a capture and writes the reports.
package struct ReplayRunner {
    private let paths: [String]
    private let settings: ReplaySettings
    private let outputs: ReplayOutputs
    private let address: Endpoint?
    private let security: ClientSecurity
    private let progress: (String?) -> Void

    /// Prepares a run; nothing is read before `run`. Without an address, a router is started with
    /// the capture's app file. `progress` gets what the run does now, and nil once that is over.
    package init(
        _ paths: [String],
        settings: ReplaySettings,
        outputs: ReplayOutputs,
        address: Endpoint?,
        security: ClientSecurity,
        progress: @escaping (String?) -> Void = { _ in }
    ) {
        self.paths = paths
        self.settings = settings
        self.outputs = outputs
        self.address = address
        self.security = security
        self.progress = progress
    }

    /// Replays the capture and writes the reports.
    ///
    /// - Returns: a sentence for each limit of the gate that the run has missed.
    /// - Throws: an error that kept the replay from beginning, or ended it.
    package func run() throws -> [String] {
        do {
            return try playAndReport()
        } catch let problem as ReportProblem {
            throw ReplayError(.file, message: "\(problem)")
        }
    }

    private func playAndReport() throws -> [String] {
        // A missing file is reported before the run, and not after it.
        let other = try outputs.compare.map {
            (name: $0.lastPathComponent, report: try Self.report($0))
        }
        for file in [outputs.json, outputs.report] { try ReportFile.check(file) }
        let provenance = Provenance()
        var report = try play()
        report.provenance = provenance
        report.capture = paths.map(\.lastPathComponent)
        let page = report.page(comparedWith: other)
        if outputs.json != "-" { print(page.text) }
        warn(report)
        if let file = outputs.json { try ReportFile.write(try report.json(), to: file) }
        if let file = outputs.report { try ReportFile.write(page.html(), to: file) }
        return outputs.gate?.misses(report) ?? []
    }

    private func play() throws -> ReplayReport {
        progress("reading \(paths.map(\.lastPathComponent).joined(separator: ", "))")
        let source = try CaptureFilesSource(paths: paths)
        let roster = try ReplayRoster(source, settings: settings)
        if roster.appFile.isEmpty && address == nil {
            throw ReplayError(.apps, message: "the capture has no app file to start a router with")
        }
        let engine = try ReplayEngine(source, roster: roster, settings: settings)
        let router = try address == nil ? OwnRouter(apps: Self.text(roster.appFile)) : nil
        defer { router?.stop() }
        let own = router.flatMap { Endpoint($0.address) }
        let target = own ?? address ?? Endpoint(host: "localhost")
        let replay = try SocketReplay(
            engine,
            router: target,
            security: own == nil ? security : .automatic,
            routerCPU: router?.cpuTime
        ) { progress($0) }
        defer { progress(nil) }
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
        if report.gaveUp { say("gave up: no more answers arrived") }
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    // MARK: - Files

    private static func report(_ path: String) throws(ReplayError) -> ReplayReport {
        do {
            return try ReplayReport(json: try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw ReplayError(.file, message: "\(path) is not a replay report, or cannot be read")
        }
    }
}

extension String {
    fileprivate var lastPathComponent: String { URL(fileURLWithPath: self).lastPathComponent }
}
