import APNsMock
import APNsProtocol
import ArgumentParser
import Basics
import CommandSupport
import Credentials
import Cryptography
import Glibc
import LibuvLoop
import Platform

/// `reload-lab apns-mock`: plays Apple's push service, for tests of those who push.
struct APNsMockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apns-mock",
        abstract: "Play Apple's push service (APNs), to test what pushes to it.",
        discussion: """
            It answers as Apple documents it: one stream until a push was accepted and after each \
            refusal, provider tokens of at most an hour that change at most every 20 minutes, topics \
            and types that must agree, dead tokens with their date. The field apns-mock-why says what is \
            wrong with a push, or odd, in words. Failures, delays, GOAWAY and idle connections come as \
            asked for. At the end it prints what it has answered, as JSON.
            """
    )

    @Option(help: "Where to listen.", of: "host:port")
    var listen = "127.0.0.1:2197"

    @Option(help: "The certificate's PEM file, with its chain.", of: "file")
    var cert: String?

    @Option(help: "The certificate's key.", of: "file")
    var key: String?

    @Option(
        help: """
            The authorities (PEM file) of the certificates by which apps prove themselves, in place \
            of provider tokens.
            """,
        of: "file",
        name: .customLong("client-ca")
    )
    var clientAuthority: String?

    @Flag(help: "Speak HTTP/2 without TLS.")
    var plaintext = false

    @Option(
        help: "A bundle identifier that has pushes; repeat it for others. Without, all have.",
        of: "id",
        name: .customLong("bundle")
    )
    var bundles: [String] = []

    @Option(
        help: "The public key (JWK file) that provider tokens with this key id must be signed by.",
        of: "id=file",
        name: .customLong("team-key")
    )
    var keys: [String] = []

    @Option(help: "Streams of a connection once a push was accepted.", of: "n")
    var streams = 1_000

    @Option(help: "Streams of a connection before that.", of: "n")
    var firstStreams = 1

    @Option(help: "How long an answer takes, in ms.", of: "ms")
    var delay = 0

    @Option(help: "Close connections that are idle this long.", of: "seconds")
    var idle: Double?

    @Option(
        help: "Send GOAWAY after this many requests of a connection.",
        of: "n",
        name: .customLong("goaway-after")
    )
    var goAwayAfter: Int?

    @Option(help: "A device's token that is dead; repeat it for others.", of: "hex")
    var dead: [String] = []

    @Option(
        help: """
            Answer with a reason for some time, such as 10:60:ServiceUnavailable:50 for half of the \
            requests from second 10 to 70. Without a share all fail; with the reason "none" there \
            are no answers. Repeat it for others.
            """,
        of: "start:seconds:reason[:percent]",
        name: .customLong("outage")
    )
    var outages: [String] = []

    @Option(
        help: "Append each request and its answer to this file, as JSON lines.",
        of: .file("jsonl")
    )
    var requests: String?

    func validate() throws {
        _ = try endpoint
        _ = try settings()
        try checkNumbers([streams, firstStreams], within: 1...100_000, of: "the number of streams")
        try checkNumbers([delay], within: 0...3_600_000, of: "--delay")
        if let goAwayAfter {
            try checkNumbers([goAwayAfter], within: 1...1_000_000_000, of: "--goaway-after")
        }
        if plaintext && clientAuthority != nil {
            throw ValidationError("--client-ca needs TLS: leave out --plaintext")
        }
        if !plaintext && (cert == nil || key == nil) {
            throw ValidationError(
                "--cert and --key are missing; `reload-router cert new` makes them, and --plaintext "
                    + "does without TLS"
            )
        }
    }

    private var endpoint: Endpoint {
        get throws(ValidationError) {
            if let endpoint = Endpoint(listening: listen, defaultPort: 2_197) { return endpoint }
            throw ValidationError("--listen \(listen) is not HOST:PORT")
        }
    }

    func run() throws {
        let endpoint = try endpoint
        _ = raiseFileDescriptorLimit()
        let loop = try Loop()
        let address = try SocketAddress.resolve(
            host: endpoint.host,
            port: endpoint.port,
            loop: loop
        )
        var generator = SystemRandomNumberGenerator()
        let mock = try MockServer(
            loop,
            address: address[0],
            security: try security(),
            settings: try settings(),
            now: { MonotonicTime.now },
            date: { WallTime.now },
            random: { generator.next() }
        )
        for token in dead { mock.rules.kill(token, since: .now) }
        let requestLog = try requests.map { try MockRequestLog($0) }
        if let requestLog { mock.onRequest = { requestLog.put($0, answer: $1) } }
        printLine("listening on \(endpoint.host):\(mock.port)")
        let stopper = try SignalStopper(loop)
        try loop.run()
        stopper.close()
        mock.close()
        printLine(String(decoding: Self.report(mock), as: UTF8.self))
    }

    private func security() throws -> TLSServerContext? {
        if plaintext { return nil }
        guard let cert, let key else { preconditionFailure("validate has let none pass") }
        let identity = Identity(
            chain: try SecretFile.certificate(cert, of: "--cert"),
            key: try SecretFile.key(key, of: "--key")
        )
        let security = ServerSecurity(
            [identity],
            minimum: .tls12,
            clientAuthorities: try clientAuthority.map {
                try SecretFile.certificate($0, of: "--client-ca")
            }
        )
        return try TLSServerContext(security, protocols: ["h2"])
    }

    private func settings() throws -> MockSettings {
        var settings = MockSettings()
        settings.bundles = Set(bundles)
        settings.needsCertificate = clientAuthority != nil
        settings.streams = streams
        settings.firstStreams = firstStreams
        settings.delay = .milliseconds(Int64(delay))
        settings.idleTime = try idle.map { try Self.length($0, of: "--idle") }
        settings.requestsPerConnection = goAwayAfter
        for text in keys {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count != 2 { throw ValidationError("--team-key \(text) is not ID=FILE") }
            settings.keys[parts[0]] = try publicKey(parts[1])
        }
        settings.outages = try outages.map(outage)
        return settings
    }

    private func publicKey(_ path: String) throws -> VerificationKey {
        try SecretFile.certificate(path, of: "--team-key").withByteView { bytes in
            var reader = JSONReader(bytes)
            do throws(JWKProblem) {
                return try VerificationKey(jwk: &reader)
            } catch {
                throw ValidationError("\(path): \(error.message)")
            }
        }
    }

    private func outage(_ text: String) throws -> MockOutage {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 3 || parts.count == 4, let start = Double(parts[0]),
            let length = Double(parts[1])
        else { throw ValidationError("--outage \(text) is not START:SECONDS:REASON[:PERCENT]") }
        let reason = APNsReason(rawValue: parts[2])
        if reason == nil && parts[2] != "none" {
            let all = APNsReason.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--outage \(text): the reasons are \(all), and none")
        }
        let percent = parts.count == 4 ? Double(parts[3]) : 100
        guard let percent, (0...100).contains(percent) else {
            throw ValidationError("--outage \(text): the share is from 0 to 100 percent")
        }
        return MockOutage(
            start: try Self.length(start, of: "the start of --outage \(text)"),
            length: try Self.length(length, of: "the length of --outage \(text)"),
            reason: reason,
            share: percent / 100
        )
    }

    /// A length of at most a year, which all that is counted in ms can hold.
    private static func length(_ seconds: Double, of what: String) throws -> Milliseconds {
        if !(0...31_536_000).contains(seconds) {
            throw ValidationError("\(what) is \(seconds) s; it must be from 0 to 31536000 s")
        }
        return .milliseconds(Int64(seconds * 1_000))
    }

    /// What was answered: `{"connections":1,"accepted":7,"BadTopic":2}`.
    private static func report(_ mock: MockServer) -> [UInt8] {
        JSONWriter.object { json in
            json.member("connections", value: mock.acceptedCount)
            json.member("accepted", value: mock.rules.counts["", default: 0])
            for (reason, count) in mock.rules.counts.sorted(by: { $0.key < $1.key })
            where reason != "" {
                json.member(reason, value: count)
            }
        }
    }
}

/// Stops a loop at Ctrl-C and SIGTERM.
private final class SignalStopper: SignalOwner {
    private let loop: Loop
    private var signals: [LoopSignal] = []

    init(_ loop: Loop) throws(UVError) {
        self.loop = loop
        for number in [SIGINT, SIGTERM] {
            signals.append(try LoopSignal(loop, signal: number, owner: self))
        }
    }

    func signalReceived(_ signal: LoopSignal) { loop.stop() }

    func close() { for signal in signals { signal.close() } }
}
