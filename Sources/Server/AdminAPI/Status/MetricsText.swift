internal import Basics

/// Metrics in the text format of Prometheus (exposition format 0.0.4).
///
///     # HELP reload_router_pushes_accepted_total Pushes that were accepted.
///     # TYPE reload_router_pushes_accepted_total counter
///     reload_router_pushes_accepted_total 12
struct MetricsText {
    /// Names and values of labels; a value may be any text, and is escaped here.
    typealias Labels = [(name: String, value: String)]

    /// Prefix of all names.
    private static var namespace: String { "reload_router_" }

    /// What a metric was called in the version before; it is written under both names.
    private static let formerNames = [
        "ticks_total": "turns_total",
        "tick_seconds": "turn_seconds",
        "reloads_expired_total": "reloads_void_total",
        "reload_requests_total": "wishes_total",
        "reload_requests_ended_total": "wishes_ended_total",
        "uncommitted_answer_bytes": "answers_held_bytes",
        "checkpoint_last_longest_tick_seconds": "checkpoint_last_longest_turn_seconds",
    ]

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
        family(name + "_total", type: "counter", help: help) { text, name in
            for (labels, value) in values {
                assert(value >= 0, "the counter \(name) is negative")
                text.sample(name, labels: labels, value: "\(value)")
            }
        }
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

    /// Writes a gauge that is a date, in seconds since 1970.
    mutating func gauge(_ name: String, help: String, date: WallTime) {
        gauge(name, help: help, length: date - .zero)
    }

    /// Writes a gauge that is a length of time, in seconds.
    mutating func gauge(_ name: String, help: String, length: Milliseconds) {
        gauge(name, help: help, seconds: Double(length.rawValue) / 1e3)
    }

    /// Writes a gauge that is a measured length of time, in seconds.
    mutating func gauge(_ name: String, help: String, length: Nanoseconds) {
        gauge(name, help: help, seconds: length.inSeconds)
    }

    private mutating func gauge(_ name: String, help: String, seconds: Double) {
        family(name, type: "gauge", help: help) { text, name in
            text.sample(name, labels: [], value: "\(seconds)")
        }
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
        family(name, type: "gauge", help: help) { text, name in
            for (labels, value) in values { text.sample(name, labels: labels, value: "\(value)") }
        }
    }

    // MARK: - Histograms

    /// Writes a histogram of durations in seconds, counted since the start.
    mutating func histogram(_ name: String, help: String, summary: LatencyFigures) {
        assert(
            summary.buckets.count == LatencyCells.bucketCount + 1,
            "the histogram \(name) has other buckets"
        )
        family(name, type: "histogram", help: help) { text, name in
            var count: UInt64 = 0
            for (bucket, more) in summary.buckets.enumerated() {
                count += more
                let isLast = bucket == LatencyCells.bucketCount
                let bound = isLast ? "+Inf" : "\(LatencyCells.bound(bucket).inSeconds)"
                text.sample(name + "_bucket", labels: [("le", bound)], value: "\(count)")
            }
            text.sample(name + "_sum", labels: [], value: "\(summary.sum.inSeconds)")
            text.sample(name + "_count", labels: [], value: "\(count)")
        }
    }

    /// Writes the number and the sum of durations in seconds, counted since the start, for each
    /// value of a label.
    mutating func summary(
        _ name: String,
        help: String,
        by label: String,
        values: [(value: String, count: UInt64, sum: Nanoseconds)]
    ) {
        family(name, type: "summary", help: help) { text, name in
            for (value, count, sum) in values {
                text.sample(name + "_sum", labels: [(label, value)], value: "\(sum.inSeconds)")
                text.sample(name + "_count", labels: [(label, value)], value: "\(count)")
            }
        }
    }

    // MARK: - Lines

    /// Writes a metric, and once more under its former name if it has one.
    ///
    /// - Parameters:
    ///   - name: its name without the namespace.
    ///   - type: `counter`, `gauge`, `histogram` or `summary`.
    ///   - help: one line, without backslashes.
    ///   - samples: writes the samples under the name that it gets.
    private mutating func family(
        _ name: String,
        type: String,
        help: String,
        samples: (inout MetricsText, String) -> Void
    ) {
        header(name, type: type, help: help)
        samples(&self, name)
        guard let former = Self.formerNames[name] else { return }
        header(
            former,
            type: type,
            help: "Former name of \(Self.namespace)\(name); the next version will not have it."
        )
        samples(&self, former)
    }

    private mutating func header(_ name: String, type: String, help: String) {
        assert(!help.contains { $0.isNewline || $0 == "\\" }, "the help of \(name) is not escaped")
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
