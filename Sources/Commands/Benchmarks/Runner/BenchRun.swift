import Basics
import CommandSupport
import LoadReporting

/// One run of a benchmark: the servers it starts, the windows it measures in turn, and the figures
/// it reports.
final class BenchRun {
    let options: BenchOptions
    /// The number of windows to measure on each side.
    let rounds: Int
    /// The loop of all that this process sends.
    let bench: BenchLoop
    private let name: String
    private var sides: [BenchSide] = []
    private var figures: [BenchFigure] = []
    private var ownFolder: TemporaryFolder?

    init(_ plan: BenchPlan, options: BenchOptions) throws {
        self.options = options
        name = plan.name
        rounds = options.rounds ?? plan.rounds
        bench = try BenchLoop()
    }

    var seconds: Double { options.seconds }

    /// A folder on the disk to measure, which is deleted at the end.
    func folder() throws -> TemporaryFolder {
        if let ownFolder { return ownFolder }
        let folder = try TemporaryFolder(in: options.folder)
        ownFolder = folder
        return folder
    }

    // MARK: - Servers

    /// Starts a router, with the kinds that the benchmarks need.
    func router(
        store: BenchStoreSettings = .memory,
        flags: [String] = [],
        log: String? = nil,
        apps: String = BenchApp.file,
        security: BenchSecurity? = nil
    ) throws -> BenchSide {
        let flags = flags + (security?.flags ?? [])
        let server = try LabServer.router(apps: apps, store: store, flags: flags, log: log)
        return try add(server, wire: .router, security: security)
    }

    func reference(
        _ reference: BenchReference,
        security: BenchSecurity? = nil
    ) throws -> BenchSide {
        let server = try LabServer.reference(reference, files: security?.files ?? [])
        let wire = reference == .acknowledge ? LoadGenerator.Wire.acknowledging : .forwarding
        return try add(server, wire: wire, security: security)
    }

    private func add(
        _ server: LabServer,
        wire: LoadGenerator.Wire,
        security: BenchSecurity?
    ) throws -> BenchSide {
        let client = security?.client
        let generator = try LoadGenerator(bench, port: server.port, wire: wire, security: client)
        let side = BenchSide(server: server, generator: generator)
        sides.append(side)
        return side
    }

    /// Closes all connections, and ends all servers.
    func stopServers() {
        for side in sides {
            try? side.generator.closeAll()
            side.server.process.stop()
        }
        sides = []
    }

    // MARK: - Windows

    /// Measures each side several times, in turn, so that a busy machine slows all of them. Returns
    /// the windows of each side.
    func alternate<Side, Window>(
        _ sides: [Side],
        body: (Side) throws -> Window
    ) rethrows -> [[Window]] {
        var windows: [[Window]] = sides.map { _ in [] }
        for _ in 0..<rounds {
            for (index, side) in sides.enumerated() { windows[index].append(try body(side)) }
        }
        return windows
    }

    // MARK: - Figures

    /// Adds a figure; its name follows that of the benchmark.
    func add(
        _ row: String,
        value: Double,
        unit: String,
        reference: Double? = nil,
        aim: BenchAim? = nil
    ) {
        let name = "\(name).\(row)"
        figures.append(BenchFigure(name, value: value, unit: unit, reference: reference, aim: aim))
    }

    /// Adds a figure of the windows of the router, and of its reference if there is one.
    func add<Window>(
        _ row: String,
        of sides: [[Window]],
        as figure: ([Window]) -> Double,
        unit: String,
        aim: BenchAim? = nil
    ) {
        let values = sides.map(figure)
        let reference = values.count > 1 ? values[1] : nil
        add(row, value: values[0], unit: unit, reference: reference, aim: aim)
    }

    /// Adds percentiles of times, beside those of the reference, with their targets.
    func add(
        _ row: String,
        times: [Nanoseconds],
        beside quiet: [Nanoseconds],
        aims: KeyValuePairs<BenchPoint, BenchAim?> = [.p50: nil, .p99: nil]
    ) {
        for (point, aim) in aims {
            add(
                "\(row).\(point)",
                value: quantile(point.rawValue, of: times) / 1e6,
                unit: "ms",
                reference: quantile(point.rawValue, of: quiet) / 1e6,
                aim: aim
            )
        }
    }

    /// Prints the figures as a table, or each as a JSON object.
    func printFigures() {
        if options.json {
            for figure in figures { print(figure.json) }
            return
        }
        let header = ["name", "value", "unit", "reference", "ratio", "aim"]
        let rows = figures.map { figure in
            [
                figure.name, FigureText.short(figure.value), figure.unit,
                figure.reference.map(FigureText.short) ?? "-",
                figure.ratio.map { FigureText.fixed($0, places: 2) } ?? "-", figure.verdict,
            ]
        }
        print(TextTable.text([header] + rows, numbers: [1, 3, 4]), terminator: "")
    }
}

/// A percentile that is reported: the part of all times that are no longer.
enum BenchPoint: Double {
    case p50 = 0.5
    case p99 = 0.99
    case max = 1
}

/// The result of one measured window: how many operations, and how much wall time and CPU time of
/// the measured process they took.
struct BenchWindow {
    var operations: Int
    var time: Nanoseconds
    var cpu: Nanoseconds
    /// The CPU time of the thread of the server's loop, if `LabServer.findLoop` has found it.
    var loop = Nanoseconds.zero
    /// The median time of an operation, where operations are timed one by one; else zero.
    var median = Nanoseconds.zero

    /// A window in which nothing was measured.
    static let nothing = BenchWindow(operations: 0, time: .zero, cpu: .zero)
}

extension [BenchWindow] {
    /// Operations per second; the median of the windows.
    var rate: Double {
        median(map { Double($0.operations) * 1e9 / Double(Swift.max(1, $0.time.rawValue)) })
    }

    /// The measured process's CPU time per operation, in ns; the median of the windows.
    var cpu: Double { perOperation(\.cpu) }

    /// The loop thread's CPU time per operation, in ns; the median of the windows.
    var loop: Double { perOperation(\.loop) }

    /// The time of an operation, in µs, where they are timed one by one; the median of the windows.
    var time: Double { median(map { $0.median.inMicroseconds }) }

    private func perOperation(_ time: KeyPath<BenchWindow, Nanoseconds>) -> Double {
        median(map { $0[keyPath: time].inNanoseconds / Double(Swift.max(1, $0.operations)) })
    }
}

/// Returns the middle value, or the mean of the two in the middle; NaN if there is no value.
func median(_ values: [Double]) -> Double {
    if values.isEmpty { return .nan }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// Returns the time in ns within which a fraction of `times` lies; NaN if there are none.
func quantile(_ part: Double, of times: [Nanoseconds]) -> Double {
    assert(part >= 0 && part <= 1, "\(part) is not a fraction")
    if times.isEmpty { return .nan }
    let sorted = times.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))].inNanoseconds
}
