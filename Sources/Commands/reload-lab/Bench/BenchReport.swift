import CommandSupport
import LoadReporting
import RouterMetrics
import Times

/// Collects the figures of a benchmark, and prints them as a table, or each as a JSON object.
struct BenchReport {
    let json: Bool
    private(set) var figures: [BenchFigure] = []

    init(json: Bool) {
        self.json = json
    }

    mutating func add(
        _ name: String,
        value: Double,
        unit: String,
        reference: Double? = nil,
        aim: BenchAim? = nil
    ) {
        figures.append(BenchFigure(name, value: value, unit: unit, reference: reference, aim: aim))
    }

    func print() {
        if json {
            for figure in figures { Swift.print(figure.json) }
            return
        }
        let header = ["name", "value", "unit", "reference", "ratio", "aim"]
        let rows = figures.map { figure in
            [
                figure.name, rounded(figure.value), figure.unit,
                figure.reference.map(rounded) ?? "-",
                figure.ratio.map { FigureText.fixed($0, places: 2) } ?? "-", figure.verdict,
            ]
        }
        Swift.print(TextTable.text([header] + rows, numbers: [1, 3, 4]), terminator: "")
    }
}

/// The result of one measured window: how many operations, and how much wall time and CPU time of
/// the measured process they took.
struct BenchWindow {
    var operations: Int
    var time: Nanoseconds
    var cpu: Nanoseconds
    /// The median time of an operation, where operations are timed one by one; else zero.
    var median = Nanoseconds.zero
}

/// The windows of one side, and medians over them.
struct BenchWindows {
    private var windows: [BenchWindow] = []

    mutating func add(_ window: BenchWindow) {
        windows.append(window)
    }

    /// Operations per second; the median of the windows.
    var rate: Double {
        median(windows.map { Double($0.operations) * 1e9 / Double(max(1, $0.time.rawValue)) })
    }

    /// The measured process's CPU time per operation, in ns; the median of the windows.
    var cpu: Double {
        median(windows.map { $0.cpu.inNanoseconds / Double(max(1, $0.operations)) })
    }

    /// The time of an operation, in µs, where they are timed one by one; the median of the windows.
    var time: Double { median(windows.map { $0.median.inMicroseconds }) }
}

/// Returns the middle value, or the mean of the two in the middle; NaN if there is no value.
func median(_ values: [Double]) -> Double {
    if values.isEmpty { return .nan }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
