import Credentials
import Cryptography
import DataStructures
import FrameCodec
import LoadReporting
import Platform
import Times

/// What a stranger can learn from a refusal, over a socket.
extension BenchTokens {
    /// An app file whose roles have credentials that no client here has.
    private static func apps(_ key: SigningKey) throws -> String {
        let hash = try randomBytes(32).withByteView { SHA256.digest($0) }
        let jwk = String(decoding: key.verification.jwk, as: UTF8.self)
        return """
            {"apps":[{"app":"\(app)","publishers":[{"id":"p","sha256":"\(hash.hexadecimal)"}],
            "devices":[{"id":"k","jwk":\(jwk)}],"kinds":[{"kind":"k","match":{"a":[1]}}]}]}
            """
    }

    /// Says HELLOs with tokens of strangers, in turn for an app that there is and for one that
    /// there is not: the answers must be the same, and take as long.
    func measureRefusals(into report: inout BenchReport) throws {
        for algorithm in [nil, "HS256", "EdDSA", "ES256"] {
            let name = algorithm?.lowercased() ?? "random"
            printProgress("refusals, \(name)")
            guard let key = try SigningKey.new(algorithm ?? "EdDSA") else { continue }
            let token = try algorithm.map { try stranger($0) } ?? encodeBase64URL(randomBytes(32))
            let hellos = [Self.app, Self.unknownApp].map { app in
                let hello = hello(algorithm == nil ? .publisher : .device, app: app, token: token)
                return encodeFrame(.hello, seq: 0, body: hello.encoded)
            }
            let times = try refuse(hellos, apps: try Self.apps(key))
            report.add(
                "tokens.refusal.\(name)",
                value: times[0],
                unit: "µs/HELLO",
                reference: times[1],
                aim: .ratio(1.05)
            )
        }
    }

    /// A token for a device, signed with a key that no app has.
    private func stranger(_ algorithm: String) throws -> String {
        guard let key = try SigningKey.new(algorithm) else {
            throw BenchFailure("there is no algorithm \(algorithm)")
        }
        let claims = TokenClaims(
            subject: "d-1",
            audience: [Self.app],
            role: "device",
            expiry: WallTime.now + .hours(1)
        )
        return try key.token(claims, keyID: "k")
    }

    /// The time of the refusal of each HELLO, in µs, as the median of many that alternate.
    private func refuse(_ hellos: [[UInt8]], apps: String) throws -> [Double] {
        let server = try BenchServer.router(apps: apps)
        defer { server.process.stop() }
        let bench = try BenchLoop()
        bench.isSpinning = true
        let refused = try RefusedHellos(bench, port: server.port)
        let expected = text(try refused.say(hellos[0]).answer, for: 0)
        var times: [[Double]] = hellos.map { _ in [] }
        for round in 0..<self.hellos {
            // In each order equally often, because the first of two may find colder caches.
            for index in round % 2 == 0 ? [0, 1] : [1, 0] {
                let found = try refused.say(hellos[index])
                let answer = text(found.answer, for: index)
                if answer != expected {
                    throw BenchFailure("one refusal is \(expected), another one \(answer)")
                }
                times[index].append(found.time.inMicroseconds)
            }
        }
        return times.map { median($0) }
    }
    /// A refusal without the name of the app, which is the client's own.
    private func text(_ refusal: [UInt8], for index: Int) -> String {
        let body = String(decoding: refusal.dropFirst(FrameHeader.byteCount), as: UTF8.self)
        return body.replacing(index == 0 ? Self.app : Self.unknownApp, with: "APP")
    }
}
