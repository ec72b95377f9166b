import CReferences
import DataStructures
import Glibc
import Platform
import ReloadModel
import Times
import WidgetMatching

/// Stores the widgets of a workload in a matcher, and measures what that costs.
struct BenchMatchBuild {
    /// The number of configurations that are written before they are inserted, so that only the
    /// insertion is timed.
    private static var chunk: Int { 10_000 }

    /// The matcher's number for each widget.
    let ids: [WidgetID]
    /// CPU time of all insertions.
    let cpu: Nanoseconds
    /// The growth of the process in bytes, without what the benchmark itself uses.
    let residentBytes: Int

    init(_ generator: any BenchMatchGenerator, into matcher: inout WidgetMatcher) throws {
        // Memory that earlier workloads have freed would hide how much this one uses.
        reference_server_free_memory()
        let residentBefore = try BenchProcess.residentBytes(of: getpid(), named: "the benchmark")
        var chunk = BenchMatchConfigurations()
        var ids = [WidgetID](repeating: .none, count: generator.widgets)
        var cpu = Nanoseconds.zero
        let own = ids.count * MemoryLayout<WidgetID>.stride
        matcher.install(apps: generator.apps)
        for first in stride(from: 0, to: ids.count, by: Self.chunk) {
            let widgets = first..<min(ids.count, first + Self.chunk)
            chunk.write(widgets, of: generator)
            cpu += try chunk.insert(into: &matcher, as: &ids)
        }
        self.ids = ids
        self.cpu = cpu
        let grown = try BenchProcess.residentBytes(of: getpid(), named: "the benchmark")
        residentBytes = grown - residentBefore - own - chunk.byteCount
    }
}

/// The configurations of some widgets, written before they are inserted.
struct BenchMatchConfigurations {
    private var text = BenchMatchText()
    private var ranges: [Range<Int>] = []
    private var kinds: [KindID] = []
    private var first = 0

    /// The bytes of memory in use, roughly.
    var byteCount: Int {
        text.bytes.capacity + ranges.capacity * MemoryLayout<Range<Int>>.stride
            + kinds.capacity * MemoryLayout<KindID>.stride
    }

    /// Writes the configurations of some widgets, in place of the former ones.
    mutating func write(_ widgets: Range<Int>, of generator: any BenchMatchGenerator) {
        text.removeAll()
        ranges.removeAll(keepingCapacity: true)
        kinds.removeAll(keepingCapacity: true)
        first = widgets.lowerBound
        for widget in widgets {
            let start = text.count
            text.begin()
            _ = generator.writeConfiguration(of: widget, to: &text)
            text.end()
            ranges.append(start..<text.count)
            kinds.append(generator.kind(of: widget))
        }
    }

    /// Inserts the widgets into a matcher.
    ///
    /// - Returns: the CPU time of that.
    func insert(into matcher: inout WidgetMatcher, as ids: inout [WidgetID]) throws -> Nanoseconds {
        try text.bytes.withByteView { bytes in
            let start = Nanoseconds.threadCPU
            for (number, range) in ranges.enumerated() {
                ids[first + number] = try matcher.insert(
                    kind: kinds[number],
                    configuration: bytes.slice(range.lowerBound, to: range.upperBound)
                )
            }
            return Nanoseconds.threadCPU - start
        }
    }
}
