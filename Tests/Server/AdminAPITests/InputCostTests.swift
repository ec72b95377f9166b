import Basics
import CAllocationCounter
import Credentials
import EventPatterns
import FrameCodec
import HTTPMessages
import HTTPServing
import RouterCore
import TestSupport
import Testing

@testable import AdminAPI

/// What it costs to read what anyone may send: counted in memory that is asked for, as all that is
/// copied and built is, and not in time.
@Suite("The costliest input")
struct InputCostTests {
    /// A bound on the bytes that reading an input asks for.
    private struct Bound {
        /// For each byte of the input.
        var perByte: Int
        /// For any input.
        var fixed: Int
    }

    private static func bound(_ kind: CostlyInput.Kind) -> Bound {
        switch kind {
        case .request: Bound(perByte: 16, fixed: 32_768)
        // Header and claims are scanned by a scanner each, which has memory of its own.
        case .token: Bound(perByte: 24, fixed: 98_304)
        // A byte of a regular expression may make ten instructions.
        case .appFile: Bound(perByte: 400, fixed: 262_144)
        case .widgets: Bound(perByte: 48, fixed: 131_072)
        case .slots: Bound(perByte: 64, fixed: 65_536)
        case .regexp: Bound(perByte: 256, fixed: 262_144)
        }
    }

    @Test(
        "asks for memory in proportion to its length, whatever a search comes upon",
        arguments: CostlyInput.Kind.allCases
    )
    func search(kind: CostlyInput.Kind) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let bound = Self.bound(kind)
        for _ in 0..<3 {
            var best = CostlyInput(kind, &random)
            var bestCost = Self.cost(of: best)
            for _ in 0..<100 {
                let next = best.mutated(&random)
                let cost = Self.cost(of: next)
                // What is costly for its length, and what is costly at all.
                let (isDearer, isMore) = (
                    cost.perByte > bestCost.perByte, cost.bytes > bestCost.bytes
                )
                if !(random.below(2) == 0 ? isDearer : isMore) { continue }
                (best, bestCost) = (next, cost)
                #expect(
                    cost.bytes <= bound.fixed + bound.perByte * cost.length,
                    "seed \(seed): \(best): \(cost.bytes) for \(cost.length) bytes"
                )
            }
        }
    }

    private struct Cost {
        var length: Int
        var bytes: Int
        var perByte: Int { bytes / (length + 64) }
    }

    /// Reads an input as the router does, and counts.
    private static func cost(of input: CostlyInput) -> Cost {
        let bytes = Array(input.text.utf8)
        let read = reader(of: input.kind, bytes)
        allocation_counter_start()
        read()
        _ = allocation_counter_stop()
        return Cost(length: bytes.count, bytes: Int(allocation_counter_bytes()))
    }

    /// What reads an input of a kind.
    private static func reader(of kind: CostlyInput.Kind, _ bytes: [UInt8]) -> () -> Void {
        switch kind {
        case .request: return { readRequest(bytes) }
        case .token:
            let parts = bytes.split(separator: UInt8(ascii: "|")).map { part in
                part.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            let coded = parts.map { base64URL(Array($0.utf8)) } + [base64URL([0, 1, 2])]
            let token = Secret(coded.joined(separator: "."))
            return {
                guard let signed = SignedToken(token) else { return }
                _ = signed.withClaims { _, reader in reader.skipValue() }
            }
        case .appFile:
            return { bytes.withByteView { _ = try? AppFile.parse($0) } }
        case .widgets:
            return {
                bytes.withByteView { body in
                    guard let message = try? WidgetsMessage(body) else { return }
                    var list = message.makeWidgets()
                    while (try? list.next()) != nil {}
                }
            }
        case .slots:
            return {
                let request = HTTPRequest(method: "POST", path: "/v1/slots", body: .whole(bytes))
                let route = AdminRoutes.all.first { $0.path == "/v1/slots" }
                guard case .loop(let read)? = route?.operation else { return }
                let input = AdminInput(request: request, names: [], body: bytes)
                _ = try? read(input)
            }
        case .regexp:
            return { bytes.withByteView { _ = try? RegularExpression($0) } }
        }
    }

    private static func readRequest(_ bytes: [UInt8]) {
        bytes.withByteView { view in
            let reader = RequestReader()
            guard case .head = reader.read(view).event else { return }
            guard let (route, names) = PublishRoute.find(reader.head.path) else { return }
            let target = try? PublishTarget(names, for: route.operation, head: reader.head)
            _ = target?.problem
        }
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for _ in 0...group.count {
                text.append(digits[Int(bits >> 18 & 63)])
                bits <<= 6
            }
        }
        return text
    }
}
