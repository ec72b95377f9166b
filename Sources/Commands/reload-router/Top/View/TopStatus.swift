import Basics
import CommandSupport

/// What a router reports of itself at one moment: the body of `GET /v1/status`, whose members its
/// OpenAPI document describes.
struct TopStatus: Equatable, Sendable {
    /// The whole body. A member that is missing, or of another type, reads as nil, false or empty.
    private let body: JSONValue
    /// When the status was made, in ms since 1970.
    let at: Double
    /// How long the router has run, in ms.
    let uptime: Double

    /// Reads the body of an answer. Members that are missing are no error.
    init(_ bytes: [UInt8]) throws(SettingsProblem) {
        do throws(JSONError) {
            body = try JSONValue(bytes)
        } catch {
            throw Self.problem("it is not JSON: \(error.message)")
        }
        guard let at = body["at"].number, let uptime = body["uptime"].number else {
            throw Self.problem("it lacks the time at which it was made")
        }
        self.at = at
        self.uptime = uptime
    }

    private static func problem(_ reason: String) -> SettingsProblem {
        SettingsProblem("the answer is not a status of a router: \(reason)")
    }

    subscript(name: String) -> JSONValue { body[name] }

    /// Counters that only grow while the router runs, under the names by which `TopRates` finds
    /// them.
    var counters: [Counter] {
        let found: [(String, Double?)] = [
            ("pushes", body["pushes"]["accepted"].number),
            ("duplicates", body["pushes"]["duplicate"].number),
            ("rejected", body["pushes"]["rejected"].counters.sum),
            ("matched", body["matched"].number),
            ("reloads", body["reloads"]["sent"].number),
            ("void", body["reloads"]["void"].number),
            ("APNs sent", body["apns"]["sent"].number),
            ("APNs accepted", body["apns"]["accepted"].number),
            ("bytes in", body["bytes"]["in"].number),
            ("bytes out", body["bytes"]["out"].number),
        ]
        return found.compactMap { name, value in value.map { Counter(name: name, value: $0) } }
    }
}

/// The `detail` of a problem document (RFC 9457); nil if the bytes are none.
func problemDetail(_ bytes: [UInt8]) -> String? {
    guard let detail = (try? JSONValue(bytes))?["detail"].string else { return nil }
    return DisplayText.printable(detail)
}
