import CReferences
import DataStructures
import Glibc
import Platform
import ReloadModel
import WidgetMatching

/// Stores a workload's widgets, and what that took.
struct BenchMatchBuild {
    /// Configurations that are written ahead of their insertion: only the latter is timed.
    private static var chunk: Int { 10_000 }

    /// The matcher's number of each widget.
    let ids: [WidgetID]
    /// CPU of all insertions.
    let cpuNanoseconds: Int64
    /// By how much the process has grown.
    let residentBytes: Int

    init(_ generator: any BenchMatchGenerator, into matcher: inout WidgetMatcher) throws {
        // What earlier workloads have freed would hide what this one takes.
        reference_server_free_memory()
        let residentBefore = try BenchProcess.residentBytes(of: getpid(), named: "the benchmark")
        var chunk = BenchMatchConfigurations()
        var ids = [WidgetID](repeating: 0, count: generator.widgets)
        var nanoseconds: Int64 = 0
        let own = ids.count * MemoryLayout<WidgetID>.stride
        matcher.install(apps: generator.apps)
        for first in stride(from: 0, to: ids.count, by: Self.chunk) {
            let widgets = first..<min(ids.count, first + Self.chunk)
            chunk.write(widgets, of: generator)
            nanoseconds += try chunk.insert(into: &matcher, as: &ids)
        }
        self.ids = ids
        cpuNanoseconds = nanoseconds
        let grown = try BenchProcess.residentBytes(of: getpid(), named: "the benchmark")
        residentBytes = grown - residentBefore - own - chunk.byteCount
    }
}

/// Some widgets' configurations, written ahead.
struct BenchMatchConfigurations {
    private var text = BenchMatchText()
    private var ranges: [Range<Int>] = []
    private var kinds: [KindID] = []
    private var first = 0

    /// Bytes held, about.
    var byteCount: Int {
        text.bytes.capacity + ranges.capacity * MemoryLayout<Range<Int>>.stride
            + kinds.capacity * MemoryLayout<KindID>.stride
    }

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

    /// Stores the widgets.
    ///
    /// - Returns: the CPU that it took, in ns.
    func insert(into matcher: inout WidgetMatcher, as ids: inout [WidgetID]) throws -> Int64 {
        try text.bytes.withByteView { bytes in
            let start = threadNanoseconds()
            for (number, range) in ranges.enumerated() {
                ids[first + number] = try matcher.insert(
                    kind: kinds[number],
                    configuration: bytes.slice(range.lowerBound, range.upperBound)
                )
            }
            return threadNanoseconds() - start
        }
    }
}
