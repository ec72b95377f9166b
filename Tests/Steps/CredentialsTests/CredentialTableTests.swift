import Basics
import Credentials
import Cryptography
import FrameCodec
import TestSupport
import Testing

@Suite("The table of credentials")
struct CredentialTableTests {
    private static let now = WallTime(rawValue: 1_800_000_000_000)
    private let decoys: [VerificationKey]
    private let keys: [String: SigningKey]
    private let table: CredentialTable

    init() throws {
        decoys = try VerificationKey.decoys()
        var keys: [String: SigningKey] = [:]
        for name in ["HS256", "EdDSA", "ES256"] { keys[name] = try SigningKey.new(name) }
        self.keys = keys
        table = CredentialTable([try Self.access(keys)], decoys: decoys)
    }

    private static func access(_ keys: [String: SigningKey]) throws -> AppAccess {
        var publishers = [
            credential("ci", "ci-secret", ["shard-*"]),
            credential("old", "old-secret", ["*"], until: now),
            Credential(id: "cert", proof: .certificate(.dns("shard-1.game.example"))),
        ]
        publishers.append(
            Credential(id: "signer", proof: .signature(keys["ES256"]!.verification))
        )
        let devices = ["HS256", "EdDSA"].map { name in
            Credential(id: name, proof: .signature(keys[name]!.verification))
        }
        let gateways = [
            credential("edge", "edge-secret", ["eu-*"]),
            Credential(
                id: "signer",
                proof: .signature(keys["ES256"]!.verification),
                names: try NamePatterns(["eu-*"])
            ),
        ]
        return AppAccess(
            app: "game",
            publishers: .listed(publishers),
            devices: .listed(devices),
            gateways: .listed(gateways)
        )
    }

    private static func credential(
        _ id: String,
        _ token: String,
        _ names: [String],
        until end: WallTime? = nil
    ) -> Credential {
        Credential(
            id: id,
            proof: .token(token.withByteView { SHA256.digest($0) }),
            names: try! NamePatterns(names),
            notAfter: end
        )
    }

    /// Judges a HELLO to the end, signatures included.
    private func verdict(
        _ role: Peer,
        _ name: String?,
        app: String = "game",
        token: String?,
        certificate: ShownCertificate? = nil,
        in other: CredentialTable? = nil,
        now: WallTime = now
    ) -> Verdict {
        let hello = HelloMessage(role: role, app: app, token: token, name: name)
        let table = other ?? table
        let verdict = table.judge(hello, certificate: certificate, now: now) { SHA256.digest($0) }
        guard case .signed(let signed) = verdict else { return verdict }
        let isValid = signed.key.verifies(signed.token)
        return table.finish(signed, isValid: isValid, revokedBefore: nil, now: now)
    }

    /// A token that one of the keys has signed.
    private func signed(
        _ key: String,
        sub: String,
        aud: [String] = ["game"],
        role: String,
        expiry: WallTime = now + .hours(1),
        begin: WallTime? = nil,
        keyID: String? = nil
    ) throws -> String {
        let claims = TokenClaims(
            subject: sub,
            audience: aud,
            role: role,
            expiry: expiry,
            begin: begin
        )
        return try keys[key]!.token(claims, keyID: keyID)
    }

    private func isAdmitted(_ verdict: Verdict) -> Bool {
        if case .admitted = verdict { true } else { false }
    }

    // MARK: - Tokens

    @Test("lets in clients that have a token of the role, under the names that it is for")
    func tokens() {
        #expect(isAdmitted(verdict(.publisher, "shard-7", token: "ci-secret")))
        #expect(verdict(.publisher, "cms", token: "ci-secret") == .refused(.name))
        #expect(verdict(.publisher, "shard-7", token: "old-secret") == .refused(.expired(Self.now)))
        #expect(
            isAdmitted(verdict(.publisher, "x", token: "old-secret", now: Self.now - .seconds(1)))
        )
    }

    @Test("refuses all others alike, and says to the log alone whether there is no such app")
    func unknown() {
        for (role, app, token) in [
            (Peer.publisher, "game", "edge-secret"), (.device, "game", "ci-secret"),
            (.publisher, "chess", "ci-secret"), (.publisher, "game", "ci-secre"),
            (.publisher, "game", ""), (.gateway, "chess", "nothing"),
        ] {
            let refusal = app == "chess" ? CredentialRefusal.app : .unknown
            #expect(verdict(role, "shard-7", app: app, token: token) == .refused(refusal))
        }
        let hello = HelloMessage(role: .publisher, app: "chess", token: nil, name: "shard-7")
        let errors = [.unknown, .malformed, .signature, .app].map { (refusal: CredentialRefusal) in
            refusal.error(for: hello).message
        }
        #expect(Set(errors).count == 1)
        #expect(verdict(.publisher, "shard-7", token: nil) == .refused(.missing))
        #expect(verdict(.publisher, "shard-7", app: "chess", token: nil) == .refused(.missing))
        #expect(!CredentialRefusal.app.isProven && CredentialRefusal.name.isProven)
    }

    @Test("limits a gateway to the devices of its credential")
    func gateways() throws {
        guard case .admitted(let grant) = verdict(.gateway, nil, token: "edge-secret") else {
            Issue.record("the gateway is not let in")
            return
        }
        #expect(grant.names == (try NamePatterns(["eu-*"])))
    }

    // MARK: - Signed tokens

    @Test("lets in a device with a token for this very device", arguments: ["HS256", "EdDSA"])
    func devices(key: String) throws {
        let token = try signed(key, sub: "d-1", role: "device")
        guard case .admitted(let grant) = verdict(.device, "d-1", token: token) else {
            Issue.record("the device is not let in")
            return
        }
        #expect(grant.until == Self.now + .hours(1) + .seconds(60))
        #expect(verdict(.device, "d-2", token: token) == .refused(.name))
        let all = try signed(key, sub: "*", role: "device")
        #expect(verdict(.device, "d-1", token: all) == .refused(.name))
        #expect(isAdmitted(verdict(.device, "*", token: all)))
    }

    @Test("checks every claim of a signed token")
    func claims() throws {
        func judged(_ token: String) -> Verdict { verdict(.device, "d", token: token) }
        let now = Self.now
        let late = try signed("HS256", sub: "d", role: "device", expiry: now - .seconds(61))
        #expect(judged(late) == .refused(.expired(now - .seconds(61))))
        let skewed = try signed("HS256", sub: "d", role: "device", expiry: now - .seconds(59))
        #expect(isAdmitted(judged(skewed)))
        let early = now + .seconds(61)
        let future = try signed("HS256", sub: "d", role: "device", begin: early)
        #expect(judged(future) == .refused(.notYetValid(early)))
        let soon = try signed("HS256", sub: "d", role: "device", begin: now + .seconds(59))
        #expect(isAdmitted(judged(soon)))
        #expect(
            judged(try signed("HS256", sub: "d", aud: ["chess"], role: "device"))
                == .refused(.audience)
        )
        #expect(
            isAdmitted(
                judged(try signed("HS256", sub: "d", aud: ["chess", "game"], role: "device"))
            )
        )
        #expect(judged(try signed("HS256", sub: "d", role: "gateway")) == .refused(.role))
        let inMilliseconds = WallTime(rawValue: now.rawValue * 1_000)
        let endless = try signed("HS256", sub: "d", role: "device", expiry: inMilliseconds)
        #expect(judged(endless) == .refused(.claims))
    }

    @Test("refuses tokens that are signed with another key, or not at all")
    func forged() throws {
        let token = try signed("HS256", sub: "d", role: "device")
        let stranger = try #require(try SigningKey.new("HS256"))
        let claims = TokenClaims(
            subject: "d",
            audience: ["game"],
            role: "device",
            expiry: Self.now + .hours(1)
        )
        #expect(
            verdict(.device, "d", token: try stranger.token(claims, keyID: nil))
                == .refused(.signature)
        )
        // Its key is one of publishers.
        #expect(
            verdict(.device, "d", token: try signed("ES256", sub: "d", role: "device"))
                == .refused(.signature)
        )
        // The same for an app that there is not: only the log says so.
        #expect(verdict(.device, "d", app: "chess", token: token) == .refused(.app))
        #expect(
            verdict(
                .device,
                "d",
                token: try signed("EdDSA", sub: "d", role: "device", keyID: "HS256")
            )
                == .refused(.signature)
        )
        let parts = token.split(separator: ".")
        let none = encodeBase64URL(Array(#"{"alg":"none"}"#.utf8))
        #expect(verdict(.device, "d", token: "\(none).\(parts[1]).") == .refused(.malformed))
        let swapped = encodeBase64URL(Array(#"{"alg":"EdDSA"}"#.utf8))
        #expect(
            verdict(.device, "d", token: "\(swapped).\(parts[1]).\(parts[2])")
                == .refused(.signature)
        )
        let long = String(repeating: "e", count: 100_000)
        #expect(verdict(.device, "d", token: "\(long).\(long).\(long)") == .refused(.malformed))
    }

    @Test("does not take a public key for a secret of HS256")
    func confusion() throws {
        guard case .eddsa(let publicKey)? = keys["EdDSA"]?.verification else { return }
        let forger = SigningKey(verification: .hs256(secret: Secret(publicKey)), secret: [])
        let claims = TokenClaims(
            subject: "d",
            audience: ["game"],
            role: "device",
            expiry: Self.now + .hours(1)
        )
        for id in [nil, "EdDSA"] as [String?] {
            #expect(
                verdict(.device, "d", token: try forger.token(claims, keyID: id))
                    == .refused(.signature)
            )
        }
    }

    @Test("lets a signed token of a gateway name what its key may, and no more")
    func signedGateways() throws {
        let own = try signed("ES256", sub: "eu-de-*", role: "gateway")
        guard case .admitted(let grant) = verdict(.gateway, nil, token: own) else {
            Issue.record("the gateway is not let in")
            return
        }
        #expect(grant.names == (try NamePatterns(["eu-de-*"])))
        let wide = try signed("ES256", sub: "*", role: "gateway")
        #expect(verdict(.gateway, nil, token: wide) == .refused(.name))
        let publisher = try signed("ES256", sub: "shard-*", role: "publisher")
        #expect(isAdmitted(verdict(.publisher, "shard-1", token: publisher)))
        #expect(verdict(.publisher, "cms", token: publisher) == .refused(.name))
    }

    @Test("lets a publisher without a producer speak for what its token and the key both name")
    func publishersWithoutProducer() throws {
        let key = Credential(
            id: "limited",
            proof: .signature(keys["ES256"]!.verification),
            names: try NamePatterns(["eu-*"])
        )
        let access = AppAccess(app: "game", publishers: .listed([key]))
        let table = CredentialTable([access], decoys: decoys)
        for (sub, names) in [
            ("eu-de-*", ["eu-de-*"]), ("eu-1", ["eu-1"]), ("*", ["eu-*"]), ("eu-*", ["eu-*"]),
            ("us-*", nil),
        ] as [(String, [String]?)] {
            let token = try signed("ES256", sub: sub, role: "publisher")
            switch verdict(.publisher, nil, token: token, in: table) {
            case .admitted(let grant): #expect(grant.names.texts == names)
            case let refused: #expect(names == nil && refused == .refused(.name))
            }
        }
    }

    @Test("takes the key that a token names, and otherwise the first that has not expired")
    func severalKeys() throws {
        let key = keys["EdDSA"]!.verification
        let other = VerificationKey.eddsa(publicKey: [UInt8](repeating: 1, count: 32))
        let table = CredentialTable(
            [
                AppAccess(
                    app: "game",
                    devices: .listed([
                        Credential(id: "gone", proof: .signature(other), notAfter: Self.now),
                        Credential(
                            id: "a",
                            proof: .signature(key),
                            names: try NamePatterns(["a-*"])
                        ),
                        Credential(
                            id: "b",
                            proof: .signature(key),
                            names: try NamePatterns(["b-*"])
                        ),
                    ])
                )
            ],
            decoys: decoys
        )
        func judged(_ device: String, _ keyID: String?) throws -> Verdict {
            let token = try signed("EdDSA", sub: device, role: "device", keyID: keyID)
            return verdict(.device, device, token: token, in: table)
        }
        #expect(isAdmitted(try judged("a-1", nil)))
        #expect(isAdmitted(try judged("b-1", "b")))
        #expect(try judged("b-1", "a") == .refused(.name))
        #expect(try judged("b-1", "gone") == .refused(.signature))
    }

    @Test("tries one key for a token that names none, however many of its algorithm are listed")
    func manyKeys() throws {
        // Every third has expired, and the others expire in another order than they are listed.
        let ends = (0..<90).map { number -> WallTime? in
            let hours = number % 3 == 0 ? 0 : 1 + number * 7 % 90
            return Self.now + .hours(Int64(hours))
        }
        func judged(_ ends: [WallTime?], at now: WallTime) throws -> Int? {
            let signers = try ends.map { _ in try #require(try SigningKey.new("HS256")) }
            let credentials = zip(signers, ends).enumerated().map { number, pair in
                Credential(
                    id: "\(number)",
                    proof: .signature(pair.0.verification),
                    notAfter: pair.1
                )
            }
            let table = CredentialTable(
                [AppAccess(app: "game", devices: .listed(credentials))],
                decoys: decoys
            )
            let token = try signed("HS256", sub: "d", role: "device")
            let hello = HelloMessage(role: .device, app: "game", token: token, name: "d")
            let verdict = table.judge(hello, certificate: nil, now: now) { SHA256.digest($0) }
            guard case .signed(let asked) = verdict else { return nil }
            return signers.firstIndex { $0.verification == asked.key }
        }
        for hours in [0, 1, 8, 40, 89, 90, 91] as [Int64] {
            let now = Self.now + .hours(hours)
            let first = ends.firstIndex { $0.map { $0 > now } ?? true }
            #expect(try judged(ends, at: now) == first ?? 0)
        }
        #expect(try judged(ends + [nil], at: Self.now + .hours(99)) == 90)
        #expect(try judged([], at: Self.now) == nil)
    }

    @Test("does not look at a token that is too long for a HELLO")
    func longTokens() {
        let token = String(repeating: "a", count: CredentialTable.tokenBytes + 1)
        let hello = HelloMessage(role: .publisher, app: "game", token: token, name: "p")
        let verdict = table.judge(hello, certificate: nil, now: Self.now) { _ in
            Issue.record("it is hashed")
            return SHA256.digest(.empty)
        }
        #expect(verdict == .refused(.malformed))
    }

    @Test("compares names by their bytes, however they look")
    func bytes() throws {
        let (composed, decomposed) = ("Jos\u{e9}", "Jose\u{301}")
        let token = try signed("HS256", sub: decomposed, role: "device")
        #expect(verdict(.device, composed, token: token) == .refused(.name))
        #expect(isAdmitted(verdict(.device, decomposed, token: token)))
        let table = CredentialTable(
            [
                AppAccess(
                    app: composed,
                    publishers: .listed([Self.credential("a", "secret", ["*"])])
                ), AppAccess(app: decomposed),
            ],
            decoys: decoys
        )
        #expect(isAdmitted(verdict(.publisher, "p", app: composed, token: "secret", in: table)))
        #expect(
            verdict(.publisher, "p", app: decomposed, token: "secret", in: table)
                == .refused(.unknown)
        )
    }

    // MARK: - Certificates

    @Test("lets in clients that have a certificate for a listed name, until it ends")
    func certificates() {
        let end = Self.now + .hours(9)
        let names = [
            CertificateName("uri:spiffe://x"), CertificateName("dns:Shard-1.game.example"),
        ]
        let shown = ShownCertificate(names: names.compactMap { $0 }, notAfter: end)
        guard case .admitted(let grant) = verdict(.publisher, "p", token: nil, certificate: shown)
        else {
            Issue.record("the publisher is not let in")
            return
        }
        #expect(grant.until == end && grant.tokenEnd == end)
        #expect(
            verdict(.publisher, "p", token: nil, certificate: shown, now: end)
                == .refused(.expired(end))
        )
        let other = ShownCertificate(names: [.dns("shard-2.game.example")], notAfter: end)
        #expect(verdict(.publisher, "p", token: nil, certificate: other) == .refused(.unknown))
        #expect(verdict(.device, "d", token: nil, certificate: shown) == .refused(.unknown))
    }

    // MARK: - Another app file

    @Test("judges a verified signature by the key that the app file in force lists under its id")
    func moved() throws {
        let token = try signed("EdDSA", sub: "d", role: "device")
        let hello = HelloMessage(role: .device, app: "game", token: token, name: "d")
        let verdict = table.judge(hello, certificate: nil, now: Self.now) { SHA256.digest($0) }
        guard case .signed(let signed) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        var access = try Self.access(keys)
        access.publishers = .closed
        let moved = CredentialTable([access], decoys: decoys)
        #expect(isAdmitted(moved.finish(signed, isValid: true, revokedBefore: nil, now: Self.now)))
        access.devices = .closed
        let closed = CredentialTable([access], decoys: decoys)
        #expect(
            closed.finish(signed, isValid: true, revokedBefore: nil, now: Self.now)
                == .refused(.signature)
        )
        var others = keys
        others["EdDSA"] = try SigningKey.new("EdDSA")
        let replaced = CredentialTable([try Self.access(others)], decoys: decoys)
        #expect(
            replaced.finish(signed, isValid: true, revokedBefore: nil, now: Self.now)
                == .refused(.signature)
        )
    }

    @Test(
        "finds what takes a credential's place in another app file: the same proof under the same id"
    )
    func successors() throws {
        var access = try Self.access(keys)
        access.publishers = .listed([
            Self.credential("ci", "another-secret", ["shard-*"]),
            Self.credential("old", "old-secret", ["cms"]),
        ])
        access.devices = .open
        let other = CredentialTable([access], decoys: decoys)
        let found = table.successors(in: other)
        #expect(found == [nil, 1, nil, nil, nil, nil, 3, 4])
        #expect(other.isGood(1, for: Array("cms".utf8), at: Self.now))
        #expect(!other.isGood(1, for: Array("shard-1".utf8), at: Self.now))
        #expect(!table.isGood(1, for: Array("x".utf8), at: Self.now))
        #expect(table.nextExpiry(after: Self.now - .seconds(1)) == Self.now)
        #expect(table.nextExpiry(after: Self.now) == nil)
    }

    @Test("lets all clients have an open role")
    func open() {
        let table = CredentialTable([AppAccess(app: "game", devices: .open)], decoys: decoys)
        #expect(isAdmitted(verdict(.device, "d", token: nil, in: table)))
        #expect(isAdmitted(verdict(.device, "d", token: "whatever", in: table)))
        #expect(verdict(.gateway, nil, token: nil, in: table) == .refused(.missing))
    }
}
