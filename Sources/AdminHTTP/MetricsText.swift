/// Metrics in the text format of Prometheus (exposition format 0.0.4).
///
///     # HELP reload_router_pushes_accepted_total Pushes that were taken.
///     # TYPE reload_router_pushes_accepted_total counter
///     reload_router_pushes_accepted_total 12
struct MetricsText {
    private static var namespace: String { "reload_router_" }

    private(set) var text = ""

    /// - Parameters:
    ///   - name: without the namespace and `_total`.
    ///   - help: a sentence in one line, without backslashes.
    ///   - value: since the start.
    mutating func counter(_ name: String, _ help: String, _ value: some BinaryInteger) {
        family(name + "_total", "counter", help)
        sample(name + "_total", "\(value)")
    }

    /// A counter of each value of a label; values have no quotation marks and backslashes.
    mutating func counter(
        _ name: String,
        _ help: String,
        by label: String,
        _ values: [(String, UInt64)]
    ) {
        family(name + "_total", "counter", help)
        for (value, count) in values {
            sample(name + "_total{\(label)=\"\(value)\"}", "\(count)")
        }
    }

    mutating func gauge(_ name: String, _ help: String, _ value: some BinaryInteger) {
        family(name, "gauge", help)
        sample(name, "\(value)")
    }

    mutating func gauge(_ name: String, _ help: String, _ isSo: Bool) {
        gauge(name, help, isSo ? 1 : 0)
    }

    mutating func gauge(_ name: String, _ help: String, milliseconds: Int64) {
        family(name, "gauge", help)
        sample(name, "\(Double(milliseconds) / 1e3)")
    }

    mutating func gauge(_ name: String, _ help: String, nanoseconds: Int64) {
        family(name, "gauge", help)
        sample(name, "\(Double(nanoseconds) / 1e9)")
    }

    private mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(Self.namespace)\(name) \(help)\n"
        text += "# TYPE \(Self.namespace)\(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ value: String) {
        text += "\(Self.namespace)\(name) \(value)\n"
    }
}
