import ArgumentParser
import Basics
import CommandSupport
import Glibc
import Platform
import RouterCore
import RouterServer

/// `check`: validates an app file, a configuration file and a file of widgets, without starting
/// anything.
struct Check: LongCommand {
    static let configuration = CommandConfiguration(
        abstract: "Validate an app file, a configuration file or a file of widgets.",
        discussion: """
            Prints "FILE: ok" and a summary, or each error with its line and column; and what is \
            valid but can hardly have the effect that is meant, as a warning. With an app file, the widgets' kinds must be declared in it. Exit status: 0 all valid, 1 not.
            """
    )

    @Option(help: "App file.", of: "file")
    var apps: String?

    @Option(help: "Configuration file of serve.", of: "file")
    var config: String?

    @Option(
        help: "File of a recording, of whose pushes rules may name members; repeatable.",
        of: "file",
        name: .customLong("capture")
    )
    var captures: [String] = []

    @Option(help: "JSON Lines of WIDGETS bodies.", of: "file")
    var widgets: String?

    @Option(help: "The app of the widgets. (default: any app of the app file)")
    var app: String?

    var activity: String? { "reading the files" }

    func validate() throws {
        if apps == nil && config == nil && widgets == nil {
            throw ValidationError("give --apps, --config or --widgets")
        }
        if apps == nil && !captures.isEmpty {
            throw ValidationError("--capture compares recordings with rules; give --apps, too")
        }
    }

    func run() throws {
        var isGood = true
        var catalog: AppCatalog?
        if let apps {
            do throws(AppFileProblem) {
                let file = try loadAppFile(apps)
                let read = file.catalog
                let kinds = read.apps.reduce(0) { $0 + $1.kinds.count }
                printLine(
                    "\(apps): ok (\(counted(read.apps.count, noun: "app")), \(counted(kinds, noun: "kind")))"
                )
                for hint in read.hints { writeStandardError("\(apps): warning: \(hint)\n") }
                for line in AccessSummary.lines(file.access, now: .now) { printLine(line) }
                catalog = read
                isGood = compareCaptures(with: read, of: apps)
            } catch {
                isGood = false
                writeStandardError("\(error)\n")
            }
        }
        if let config { isGood = checkConfiguration(config) && isGood }
        if let widgets { isGood = try checkWidgets(widgets, catalog: catalog) && isGood }
        if !isGood { throw ExitStatus.refused }
    }

    /// Warns of members that rules name and no push of the recordings had; false if these cannot be
    /// read.
    private func compareCaptures(with catalog: AppCatalog, of apps: String) -> Bool {
        if captures.isEmpty { return true }
        do {
            var members = try CaptureMembers(catalog)
            let count = try members.read(captures)
            for hint in members.hints() { writeStandardError("\(apps): warning: \(hint)\n") }
            printLine(
                "\(captures.joined(separator: ", ")): ok (\(counted(count, noun: "push", plural: "pushes")))"
            )
            return true
        } catch {
            writeStandardError("\(error)\n")
            return false
        }
    }

    /// Prints whether a configuration file is valid; false if not.
    private func checkConfiguration(_ path: String) -> Bool {
        do {
            let values = try ConfigurationFile.values(in: path)
            // Only `serve` requires an app file to be named; a placeholder keeps
            // `serverConfiguration` from refusing a file that names none.
            let settings = ServeSettings(
                flags: values["apps"] == nil ? ["apps": .text(apps ?? "-")] : [:],
                file: values
            )
            _ = try settings.serverConfiguration(memory: nil)
            _ = try settings.adminAddress()
            // Files that `serve` makes if they do not exist.
            if let path = try settings.adminTokenFile(), unsafe access(path, F_OK) == 0 {
                _ = try AdminTokenFile.read(path, of: "admin-token-file")
            }
            if let path = try settings.auditLog(), unsafe access(path, F_OK) == 0 {
                try checkTrusted(path, of: "audit-log")
            }
            _ = try settings.value(\.operators).map { try ServeAdmin.listed($0) }
            _ = try ServeAPNs(settings)
            _ = try settings.storeMustExist()
            _ = try settings.value(\.durability)
            _ = try settings.logSettings()
            printLine("\(path): ok (\(counted(values.count, noun: "setting")))")
            return true
        } catch {
            let text = "\(error)"
            writeStandardError(text.hasPrefix(path) ? text + "\n" : "\(path): \(text)\n")
            return false
        }
    }

    /// Refuses a file that others could change, as `serve` does.
    private func checkTrusted(_ path: String, of setting: String) throws {
        do throws(TrustedFileError) {
            close(try TrustedFile.open(path))
        } catch {
            throw SettingsProblem("\(setting) is \(path): \(error.reason)")
        }
    }

    /// Prints whether a file of widgets is valid; false if not. Without a catalog any kind may
    /// stand in it.
    private func checkWidgets(_ path: String, catalog: AppCatalog?) throws -> Bool {
        var kinds: Set<String>?
        if let catalog {
            let wanted = catalog.apps.filter { app == nil || $0.app == app }
            if wanted.isEmpty {
                let hint = Spelling.hint(for: app ?? "", among: catalog.apps.lazy.map(\.app))
                writeStandardError("\(path): the app file declares no app \(app ?? "")\(hint)\n")
                return false
            }
            kinds = Set(wanted.flatMap { $0.kinds.map(\.kind) })
        }
        var check = WidgetsCheck(kinds: kinds)
        var problems = 0
        var lines = try LineReader(path)
        while let line = try lines.nextNonBlank() {
            let problem = line.bytes.withByteView { check.problem(in: $0) }
            guard let problem else { continue }
            problems += 1
            let column = problem.column.map { ", column \($0)" } ?? ""
            writeStandardError("\(path): line \(line.number)\(column): \(problem.message)\n")
        }
        guard problems == 0 else { return false }
        let devices = counted(check.devices.count, noun: "device")
        printLine("\(path): ok (\(devices), \(counted(check.widgetCount, noun: "widget")))")
        return true
    }
}
