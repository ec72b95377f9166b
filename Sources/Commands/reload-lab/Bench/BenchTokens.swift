import ArgumentParser
import Credentials
import Cryptography
import DataStructures
import FrameCodec
import LoadReporting
import Platform
import ReloadModel
import Times

/// `bench tokens`: measures what it costs to judge a HELLO, by what the client shows.
struct BenchTokens: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "What it costs to judge who is let in: tokens, and signatures of each algorithm.",
        discussion: """
            Everything of the router's own work from HELLO's members to the verdict, on one thread; \
            the reference is the hash, or the verification of the signature, by OpenSSL alone. The \
            router verifies EdDSA and ES256 on a thread beside its loop. tokens.stranger is a token \
            that no app has, for an app that there is, with one that there is not as its \
            reference; tokens.refusal is the same over a socket, from HELLO to the answer, for \
            random tokens and for signed ones.
            """
    )

    @OptionGroup var options: BenchOptions

    @Option(help: "Number of credentials in the app file.")
    var credentials = 1_000

    @Option(help: "Number of HELLOs that are refused over a socket, of each kind.")
    var hellos = 2_000

    static var app: String { "com.mygame" }
    /// An app that there is not.
    static var unknownApp: String { "com.nowhere" }

    func validate() throws {
        try checkNumbers([credentials], within: 1...1_000, of: "--credentials")
        try checkNumbers([hellos], within: 1...100_000, of: "--hellos")
    }

    func run() throws {
        var report = BenchReport(json: options.json)
        try measureTokens(into: &report)
        for algorithm in ["HS256", "EdDSA", "ES256"] {
            try measure(algorithm, into: &report)
        }
        try measureRefusals(into: &report)
        report.print()
    }

    private func measureTokens(into report: inout BenchReport) throws {
        let tokens = try (0..<credentials).map { _ in encodeBase64URL(try randomBytes(32)) }
        let listed = tokens.enumerated().map { number, token in
            Credential(
                id: "c-\(number)",
                proof: .token(token.withByteView { SHA256.digest($0) })
            )
        }
        let table = CredentialTable(
            [AppAccess(app: Self.app, publishers: .listed(listed))],
            decoys: try VerificationKey.decoys()
        )
        let known = hello(.publisher, token: tokens[credentials / 2])
        let bytes = Array(tokens[0].utf8)
        let results = alternate([
            { _ = judge(known, in: table) },
            { _ = bytes.withByteView { SHA256.digest($0) } },
        ])
        report.add(
            "tokens.hashed.cpu",
            value: results[0],
            unit: "ns/HELLO",
            reference: results[1]
        )
        let stranger = encodeBase64URL(try randomBytes(32))
        let wrong = hello(.publisher, token: stranger)
        let nowhere = hello(.publisher, app: Self.unknownApp, token: stranger)
        let answers = alternate([
            { _ = judge(wrong, in: table) }, { _ = judge(nowhere, in: table) },
        ])
        report.add(
            "tokens.stranger.cpu",
            value: answers[0],
            unit: "ns/HELLO",
            reference: answers[1]
        )
    }

    private func measure(_ algorithm: String, into report: inout BenchReport) throws {
        guard let key = try SigningKey.new(algorithm) else { return }
        let table = CredentialTable(
            [
                AppAccess(
                    app: Self.app,
                    devices: .listed([Credential(id: "k", proof: .signature(key.verification))])
                )
            ],
            decoys: try VerificationKey.decoys()
        )
        let claims = TokenClaims(
            subject: "d-1",
            audience: [Self.app],
            role: "device",
            expiry: WallTime.now + .hours(1)
        )
        let hello = hello(.device, token: try key.token(claims, keyID: "k"))
        guard case .signed(let signed) = judge(hello, in: table) else { return }
        let results = alternate([
            {
                guard case .signed(let signed) = judge(hello, in: table) else { return }
                let isValid = signed.key.verifies(signed.token)
                _ = table.finish(
                    signed,
                    isValid: isValid,
                    revokedBefore: nil,
                    now: .now
                )
            },
            { _ = signed.key.verifies(signed.token) },
        ])
        report.add(
            "tokens.\(algorithm.lowercased()).cpu",
            value: results[0],
            unit: "ns/HELLO",
            reference: results[1]
        )
    }

    func hello(_ role: Peer, app: String = app, token: String) -> HelloMessage {
        HelloMessage(role: role, app: app, token: token, name: role == .device ? "d-1" : "p")
    }

    private func judge(_ hello: HelloMessage, in table: CredentialTable) -> Verdict {
        table.judge(hello, certificate: nil, now: .now) { SHA256.digest($0) }
    }

    /// The CPU time of each body, in ns, as the least of some rounds that alternate.
    private func alternate(_ bodies: [() -> Void]) -> [Double] {
        var best = bodies.map { _ in Double.infinity }
        for _ in 0..<max(3, options.windows) {
            for (index, body) in bodies.enumerated() {
                let begin = Nanoseconds.threadCPU
                var count = 0
                repeat {
                    for _ in 0..<100 { body() }
                    count += 100
                } while (Nanoseconds.threadCPU - begin).rawValue < 200_000_000
                let cost = Double((Nanoseconds.threadCPU - begin).rawValue) / Double(count)
                best[index] = min(best[index], cost)
            }
        }
        return best
    }
}
