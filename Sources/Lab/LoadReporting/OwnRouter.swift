package import Basics
package import Foundation

/// A router that a load test has started for itself, and must stop.
package struct OwnRouter {
    /// The address on which the router listens, `HOST:PORT`.
    package let address: String
    /// The address of its admin server; nil if it has none.
    package let adminAddress: String?
    /// The address of its listener for publishers and devices over HTTP; nil if it has none.
    package let publishAddress: String?
    /// Returns the router's CPU time so far.
    package let cpuTime: () -> Nanoseconds
    /// Ends the router.
    package let stop: () -> Void

    /// Describes a router that runs.
    package init(
        address: String,
        adminAddress: String? = nil,
        publishAddress: String? = nil,
        cpuTime: @escaping () -> Nanoseconds,
        stop: @escaping () -> Void
    ) {
        self.address = address
        self.adminAddress = adminAddress
        self.publishAddress = publishAddress
        self.cpuTime = cpuTime
        self.stop = stop
    }
}

/// The result of a load test in a form that programs read.
package protocol JSONReport: Codable {}

extension JSONReport {
    /// The report as one line of JSON with sorted keys.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// Reads a report that `json` has written.
    package init(json: Data) throws { self = try JSONDecoder().decode(Self.self, from: json) }
}
