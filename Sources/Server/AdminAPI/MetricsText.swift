internal import RouterMetrics

/// Metrics in the text format of Prometheus (exposition format 0.0.4).
///
///     # HELP reload_router_pushes_accepted_total Pushes that were taken.
///     # TYPE reload_router_pushes_accepted_total counter
///     reload_router_pushes_accepted_total 12
struct MetricsText {
    /// Names and values of labels; a value may be any text, and is escaped here.
    typealias Labels = [(name: String, value: String)]

    /// Prefix of all names.
    private static var namespace: String { "reload_router_" }

    /// The metrics written so far.
    private(set) var text = ""

    // MARK: - Counters

    /// Writes a counter without labels.
    ///
    /// - Parameters:
    ///   - name: its name without the namespace and `_total`.
    ///   - help: one line, without backslashes.
    ///   - value: the count since the start.
    mutating func counter(_ name: String, help: String, value: some BinaryInteger) {
        counter(name, help: help, values: [([], value)])
    }

    /// Writes a counter with one sample for each value of a label.
    mutating func counter(
        _ name: String,
        help: String,
        by label: String,
        values: [(String, some BinaryInteger)]
    ) {
        counter(name, help: help, values: values.map { ([(label, $0.0)], $0.1) })
    }

    /// Writes a counter with one sample for each set of labels; the sets must be distinct.
    mutating func counter(
        _ name: String,
        help: String,
        values: [(Labels, some BinaryInteger)]
    ) {
        family(name + "_total", type: "counter", help: help)
        for (labels, value) in values { sample(name + "_total", labels: labels, value: "\(value)") }
    }

    // MARK: - Gauges

    /// Writes a gauge without labels; see `counter` for the parameters.
    mutating func gauge(_ name: String, help: String, value: some BinaryInteger) {
        gauge(name, help: help, values: [([], value)])
    }

    /// Writes a gauge that is 1 if `isSo`, else 0.
    mutating func gauge(_ name: String, help: String, condition isSo: Bool) {
        gauge(name, help: help, value: isSo ? 1 : 0)
    }

    /// Writes a gauge in seconds.
    mutating func gauge(_ name: String, help: String, milliseconds: Int64) {
        family(name, type: "gauge", help: help)
        sample(name, labels: [], value: "\(Double(milliseconds) / 1e3)")
    }

    /// Writes a gauge in seconds.
    mutating func gauge(_ name: String, help: String, nanoseconds: Int64) {
        family(name, type: "gauge", help: help)
        sample(name, labels: [], value: "\(Double(nanoseconds) / 1e9)")
    }

    /// Writes a gauge with one sample for each value of a label.
    mutating func gauge(
        _ name: String,
        help: String,
        by label: String,
        values: [(String, some BinaryInteger)]
    ) {
        gauge(name, help: help, values: values.map { ([(label, $0.0)], $0.1) })
    }

    /// Writes a gauge with one sample for each set of labels; the sets must be distinct.
    mutating func gauge(
        _ name: String,
        help: String,
        values: [(Labels, some BinaryInteger)]
    ) {
        family(name, type: "gauge", help: help)
        for (labels, value) in values { sample(name, labels: labels, value: "\(value)") }
    }

    // MARK: - Histograms

    /// Writes a histogram of durations in seconds, counted since the start.
    mutating func histogram(_ name: String, help: String, summary: LatencySummary) {
        family(name, type: "histogram", help: help)
        var count: UInt64 = 0
        for (bucket, more) in summary.buckets.enumerated() {
            count += more
            let isLast = bucket == LatencyCells.bucketCount
            let bound = isLast ? "+Inf" : "\(Double(LatencyCells.bound(bucket)) / 1e9)"
            sample(name + "_bucket", labels: [("le", bound)], value: "\(count)")
        }
        sample(name + "_sum", labels: [], value: "\(Double(summary.sum) / 1e9)")
        sample(name + "_count", labels: [], value: "\(count)")
    }

    // MARK: - Lines

    private mutating func family(_ name: String, type: String, help: String) {
        text += "# HELP \(Self.namespace)\(name) \(help)\n"
        text += "# TYPE \(Self.namespace)\(name) \(type)\n"
    }

    private mutating func sample(_ name: String, labels: Labels, value: String) {
        text += Self.namespace
        text += name
        var separator = "{"
        for (name, value) in labels {
            text += "\(separator)\(name)=\"\(Self.escaped(value))\""
            separator = ","
        }
        text += labels.isEmpty ? " " : "} "
        text += "\(value)\n"
    }

    /// Escapes a label's value for its place between quotation marks.
    private static func escaped(_ value: String) -> String {
        // By bytes: a `Character` may consist of a backslash and a combining mark after it.
        if !value.utf8.contains(where: { $0 == 0x5c || $0 == 0x22 || $0 == 0x0a }) { return value }
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            switch byte {
            case 0x5c, 0x22: bytes += [0x5c, byte]
            case 0x0a: bytes += [0x5c, 0x6e]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
