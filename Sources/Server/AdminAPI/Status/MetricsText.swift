internal import Basics
internal import CAdminFiles

/// Metrics in the text format of Prometheus (exposition format 0.0.4).
///
///     # HELP reload_router_pushes_accepted_total Pushes that were accepted.
///     # TYPE reload_router_pushes_accepted_total counter
///     reload_router_pushes_accepted_total 12
///
/// What the first two lines say, and which labels a metric has, is in `protocol/metrics.table`.
struct MetricsText {
    /// A row of the table.
    private struct Row {
        let type: Substring
        /// The names of the labels.
        let labels: [Substring]
        /// What the metric was called in the version before; it is written under both names.
        let former: String?
        let help: String
    }

    /// A line of a metric.
    private struct Sample {
        var suffix = ""
        /// The values of the labels, which may be any text, and are escaped here.
        var labels: [String] = []
        let value: String
    }

    /// Prefix of all names.
    private static var namespace: String { "reload_router_" }

    /// The table's rows, by the names of the metrics.
    private static let rows: [String: Row] = {
        var rows: [String: Row] = [:]
        for line in String(decoding: metrics_table.copy, as: UTF8.self).split(separator: "\n") {
            guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { continue }
            let words = line[..<colon].split(separator: " ")
            func word(after name: Substring) -> Substring? {
                words.firstIndex(of: name).map { words[$0 + 1] }
            }
            rows[String(words[1])] = Row(
                type: words[0],
                labels: word(after: "by")?.split(separator: ",") ?? [],
                former: word(after: "was").map(String.init),
                help: String(line[colon...].dropFirst(2))
            )
        }
        return rows
    }()

    /// The metrics written so far.
    private(set) var text = ""

    // MARK: - Numbers

    /// Writes a metric without labels; nothing for nil.
    mutating func write(_ name: String, value: (some BinaryInteger)?) {
        if let value { write(name, samples: [Sample(value: "\(value)")]) }
    }

    /// Writes a metric with one sample for each value of its label.
    mutating func write(_ name: String, value values: [(String, some BinaryInteger)]) {
        write(name, samples: values.map { Sample(labels: [$0.0], value: "\($0.1)") })
    }

    /// The same for what is so or not: 1 or 0.
    mutating func write(_ name: String, value values: [(String, Bool)]) {
        write(name, value: values.map { ($0.0, $0.1 ? 1 : 0) })
    }

    /// Writes a metric with one sample for each set of values of its labels; they must be distinct.
    mutating func write(_ name: String, value values: [([String], some BinaryInteger)]) {
        write(name, samples: values.map { Sample(labels: $0.0, value: "\($0.1)") })
    }

    /// Writes a metric that is 1 if something is so, else 0.
    mutating func write(_ name: String, value isSo: Bool) { write(name, value: isSo ? 1 : 0) }

    // MARK: - Seconds

    /// Writes a metric that is a date, in seconds since 1970; nothing for nil.
    mutating func write(_ name: String, value date: WallTime?) {
        if let date { write(name, value: date - .zero) }
    }

    /// Writes a metric that is a length of time.
    mutating func write(_ name: String, value length: Milliseconds) {
        write(name, samples: [Sample(value: "\(Double(length.rawValue) / 1e3)")])
    }

    /// Writes a metric that is a measured length of time.
    mutating func write(_ name: String, value length: Nanoseconds) {
        write(name, samples: [Sample(value: "\(length.inSeconds)")])
    }

    /// Writes a histogram of durations, counted since the start; nothing for nil.
    mutating func write(_ name: String, value figures: LatencyFigures?) {
        guard let figures else { return }
        assert(
            figures.buckets.count == LatencyCells.bucketCount + 1,
            "the histogram \(name) has other buckets"
        )
        var count: UInt64 = 0
        var samples: [Sample] = []
        for (bucket, more) in figures.buckets.enumerated() {
            count += more
            let isLast = bucket == LatencyCells.bucketCount
            let bound = isLast ? "+Inf" : "\(LatencyCells.bound(bucket).inSeconds)"
            samples.append(Sample(suffix: "_bucket", labels: [bound], value: "\(count)"))
        }
        samples.append(Sample(suffix: "_sum", value: "\(figures.sum.inSeconds)"))
        samples.append(Sample(suffix: "_count", value: "\(count)"))
        write(name, samples: samples)
    }

    /// Writes the number and the sum of durations, counted since the start, for each value of a
    /// label.
    mutating func write(_ name: String, value stalls: [StallTotal]) {
        let samples = stalls.flatMap { stall in
            [
                Sample(suffix: "_sum", labels: [stall.work], value: "\(stall.time.inSeconds)"),
                Sample(suffix: "_count", labels: [stall.work], value: "\(stall.count)"),
            ]
        }
        write(name, samples: samples)
    }

    // MARK: - Lines

    private mutating func write(_ name: String, samples: [Sample]) {
        guard let row = Self.rows[name] else {
            return assertionFailure("protocol/metrics.table has no metric \(name)")
        }
        write(name, help: row.help, of: row, samples: samples)
        guard let former = row.former else { return }
        let help = "Former name of \(Self.namespace)\(name); the next version will not have it."
        write(former, help: help, of: row, samples: samples)
    }

    private mutating func write(_ name: String, help: String, of row: Row, samples: [Sample]) {
        let name = Self.namespace + name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(row.type)\n"
        for sample in samples {
            assert(
                sample.labels.isEmpty || sample.labels.count == row.labels.count,
                "\(name) has other labels in protocol/metrics.table"
            )
            text += name + sample.suffix
            var separator = "{"
            for (label, value) in zip(row.labels, sample.labels) {
                text += "\(separator)\(label)=\"\(Self.escaped(value))\""
                separator = ","
            }
            text += sample.labels.isEmpty ? " " : "} "
            text += "\(sample.value)\n"
        }
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
