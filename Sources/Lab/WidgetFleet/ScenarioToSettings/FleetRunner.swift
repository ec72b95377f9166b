internal import Basics
internal import Foundation
internal import Glibc
internal import HTTPServing
package import LibuvLoop
internal import LoadReporting
internal import Platform
package import ReloadRouterClient
internal import RouterCore
package import WidgetTimelines

/// An error that keeps a fleet from starting, or ends it.
package struct FleetError: Error, CustomStringConvertible {
    /// The error as a sentence without a full stop.
    package let description: String

    /// Makes an error from its sentence.
    package init(_ description: String) { self.description = description }
}

/// Runs the command of a fleet: plays what the options say, and writes the reports.
package struct FleetRunner {
    private let options: FleetOptions
    private let bundles: [String: [WidgetDeclaration]]
    private let security: ClientSecurity
    private let adminHeaders: AdminHeaders
    private let progress: (String?) -> Void

    /// The header with an operator's token, for an admin server; the token may be in a file.
    package typealias AdminHeaders = (
        _ server: Endpoint, _ tokenFile: String?
    ) throws -> [String]

    /// Prepares a run with widgets by the names of their bundles; `security` is for the router of
    /// `--to`, and for its admin server. `progress` gets what the run does now, and nil once that
    /// is over.
    package init(
        _ options: FleetOptions,
        bundles: [String: [WidgetDeclaration]],
        security: ClientSecurity = .automatic,
        adminHeaders: @escaping AdminHeaders = { _, file in try FleetRunner.headers(file) },
        progress: @escaping (String?) -> Void = { _ in }
    ) {
        self.options = options
        self.bundles = bundles
        self.security = security
        self.adminHeaders = adminHeaders
        self.progress = progress
    }

    /// The header with the token in the first line of a file; none without a file.
    private static func headers(_ file: String?) throws -> [String] {
        guard let file else { return [] }
        let token = try ReportFile.read(file).prefix { !$0.isNewline }
        return ["Authorization: Bearer \(token)"]
    }

    /// Plays the fleet, and writes the reports; false if a threshold of the scenario was missed.
    package func run() async throws -> Bool {
        let settings = try settings()
        // A missing folder is reported before the run, and not after it.
        for file in [options.json, options.report, options.picture] { try ReportFile.check(file) }
        if !options.compareJitter {
            let report = try await play(settings, jitter: options.jitter)
            progress(nil)
            // Standard output is for the JSON alone if that goes there.
            let page = report.page
            if options.json != "-" { print(page.text) } else { say(report.verdicts) }
            if let refusal = report.fleet.firstRefusal {
                say("the router refused \(report.fleet.framesRefused) frames, first: \(refusal)\n")
            }
            try ReportFile.write(try report.json(), to: options.json)
            if let file = options.report { try ReportFile.write(page.html(), to: file) }
            return report.thresholds.allSatisfy(\.isMet)
        }
        var runs: [JitterComparison.Run] = []
        for jitter in FleetOptions.Jitter.allCases {
            runs.append((jitter.rawValue, try await play(settings, jitter: jitter)))
            if FleetStop.isRequested { break }
        }
        progress(nil)
        try write(runs)
        return runs.allSatisfy { $0.report.thresholds.allSatisfy(\.isMet) }
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    private func write(_ runs: [JitterComparison.Run]) throws {
        let comparison = JitterComparison(runs)
        for run in runs {
            if options.json == "-" {
                say(run.report.verdicts)
                continue
            }
            let origin = run.report.origin
            print(
                "\(run.label): \(origin.requests) requests, at most \(origin.peakPerSecond) "
                    + "a second, \(origin.refused) refused\n\(run.report.verdicts)",
                terminator: ""
            )
        }
        let reports = Dictionary(uniqueKeysWithValues: runs.map { ($0.label, $0.report) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try ReportFile.write(try encoder.encode(reports), to: options.json)
        if let file = options.picture { try ReportFile.write(comparison.chart.picture, to: file) }
        if let file = options.report { try ReportFile.write(comparison.page.html(), to: file) }
    }

    // MARK: - Reading

    private func settings() throws -> FleetSettings {
        let url = URL(fileURLWithPath: options.scenario)
        guard let data = try? Data(contentsOf: url) else {
            throw FleetError("\(options.scenario) cannot be read")
        }
        var scenario: FleetScenario
        do throws(ScenarioError) {
            scenario = try FleetScenario(json: data)
            if let devices = options.devices { scenario.devices = devices }
            if let seconds = options.seconds { scenario.seconds = seconds }
            try scenario.check()
        } catch {
            throw FleetError("\(options.scenario): \(error)")
        }
        guard let declarations = bundles[scenario.bundle] else {
            let names = bundles.keys.sorted().joined(separator: ", ")
            throw FleetError(
                "there is no bundle \"\(scenario.bundle)\"; there are \(names)"
                    + Spelling.hint(for: scenario.bundle, among: bundles.keys.sorted())
            )
        }
        do throws(ScenarioError) {
            _ = try FleetPopulation.kinds(scenario, in: declarations)
        } catch {
            throw FleetError("\(options.scenario): \(error)")
        }
        var settings = FleetSettings(scenario: scenario, declarations: declarations)
        settings.seed = options.seed
        settings.gateways = options.connectionEach ? 0 : options.gateways
        if let page = options.page.flatMap({ PageAddress($0) }) {
            let page = try openPage(page)
            say("screens are at \(page.url)\n")
            settings.page = page
        }
        return settings
    }

    private func openPage(_ address: PageAddress) throws -> FleetPage {
        do throws(HTTPServerError) {
            return try FleetPage(address.address, devices: FleetPage.devicesLimit)
        } catch {
            throw FleetError("\(error); --page HOST:PORT sets another address")
        }
    }

    /// The scenario's app file; nil if it names none: then it is not known what rules read.
    private func appFile(_ scenario: FleetScenario) throws -> FleetAppFile? {
        guard let name = scenario.apps else { return nil }
        let file = try appFile(name, of: scenario)
        do throws(ScenarioError) {
            try scenario.checkPayloads { file.reads($0, in: scenario.app) }
        } catch {
            throw FleetError("\(options.scenario): \(error)")
        }
        return file
    }

    private func appFile(_ name: String, of scenario: FleetScenario) throws -> FleetAppFile {
        let folder = URL(fileURLWithPath: options.scenario).deletingLastPathComponent()
        let url = URL(fileURLWithPath: name, relativeTo: folder)
        guard let data = try? Data(contentsOf: url) else {
            throw FleetError("\(url.path) cannot be read")
        }
        let file = try FleetAppFile(data)
        if !file.has(scenario.app) {
            throw FleetError("\(url.path) has no app \"\(scenario.app)\"")
        }
        if let kind = file.missing(scenario.widgets.map(\.kind), in: scenario.app) {
            throw FleetError("\(url.path) has no kind \"\(kind)\" in \"\(scenario.app)\"")
        }
        return file
    }

    // MARK: - Playing

    private func play(
        _ settings: FleetSettings,
        jitter: FleetOptions.Jitter?
    ) async throws -> FleetReport {
        let provenance = Provenance()
        var report = try await playRouter(settings, jitter: jitter)
        report.provenance = provenance
        report.thresholds = settings.scenario.thresholds.map { $0.judged(by: report) }
        return report
    }

    /// Plays against the router that the options name.
    private func playRouter(
        _ settings: FleetSettings,
        jitter: FleetOptions.Jitter?
    ) async throws -> FleetReport {
        var settings = settings
        let scenario = settings.scenario
        var file = try appFile(scenario)
        if let jitter { file?.spread(jitter.rawValue, window: options.window) }
        settings.gatewayToken = options.tokens.gateway
        settings.deviceToken = options.tokens.device
        settings.publisherToken = options.tokens.publisher
        let title = jitter.map { "jitter \($0.rawValue): " } ?? ""
        let show = { (engine: FleetEngine) in progress(title + engine.progress) }
        if options.accelerated {
            guard let file else { throw FleetError("the scenario has no \"apps\"") }
            let catalog = try catalog(file)
            return try await VirtualFleet.play(settings, catalog: catalog, progress: show)
        }
        if let to = options.to {
            settings.security = security
            if let apns, let publish = options.publish {
                settings.apns = FleetAPNsSettings(address: apns, listener: publish)
            }
            settings.askRouter = try question(to: options.admin)
            return try await SocketFleet.play(settings, router: to, progress: show)
        }
        return try await playOwn(settings, file: file, progress: show)
    }

    /// Plays against a router that is started for the run.
    private func playOwn(
        _ settings: FleetSettings,
        file: FleetAppFile?,
        progress: @escaping (FleetEngine) -> Void
    ) async throws -> FleetReport {
        var (settings, file) = (settings, file)
        file?.openRoles()
        if apns != nil { file?.reachByAPNs(settings.scenario.app) }
        guard let file else { throw FleetError("the scenario has no \"apps\"") }
        let keys = try apns.map { _ in try FleetKeys(file.keys) }
        let flags = apns.flatMap { keys?.flags("\($0)") } ?? []
        let router = try start(String(decoding: file.bytes, as: UTF8.self), flags: flags)
        defer {
            router.stop()
            // Its keys are in a folder that is deleted with them.
            withExtendedLifetime(keys) {}
        }
        if let apns, let listener = router.publishAddress {
            settings.apns = FleetAPNsSettings(address: apns, listener: "http://\(listener)")
        }
        settings.routerCPU = router.cpuTime
        settings.askRouter = AdminInquiry(router).answers
        return try await SocketFleet.play(settings, router: router.address, progress: progress)
    }

    /// Where APNs is played; nil if the devices have sessions.
    private var apns: Endpoint? { options.apns.flatMap { Endpoint($0, defaultPort: 2_197) } }

    /// Starts a router for the run.
    private func start(_ apps: String, flags: [String]) throws -> OwnRouter {
        do {
            return try OwnRouter(apps: apps, flags: flags)
        } catch let failure as LabFailure {
            throw FleetError(
                "\(failure); --to HOST:PORT plays against another router, and "
                    + "RELOAD_LAB_ROUTER=FILE names the program of one to start"
            )
        }
    }

    /// How the router of `--to` is asked; nil if `--admin` does not say where.
    private func question(to server: String?) throws -> (([String]) -> [[UInt8]?])? {
        guard let server, let endpoint = Endpoint(server, defaultPort: 7_411) else { return nil }
        let headers = try adminHeaders(endpoint, options.tokenFile)
        return AdminInquiry(endpoint, security: security, headers: headers).answers
    }

    private func catalog(_ file: FleetAppFile) throws -> AppCatalog {
        do {
            return try file.bytes.withByteView { try AppFile.parse($0).catalog }
        } catch {
            throw FleetError("the app file: \(error)")
        }
    }
}
