import APNsConnections
import APNsProtocol
import Basics
import Credentials
import Cryptography
import RouterCore
import Testing

@testable import RouterServer

/// Keys for tests.
enum TestKeys {
    static func make() throws -> ProviderKey {
        let authority = try DevelopmentAuthority(named: "tests", now: .zero, days: 1)
        let identity = try authority.issue(for: ["localhost"], now: .zero, days: 1)
        return try ProviderKey(pem: identity.key)
    }
}

private func instant(_ minutes: Int64, wall: Int64? = nil) -> Instant {
    Instant(
        monotonic: MonotonicTime(rawValue: 1_000) + .minutes(minutes),
        wall: WallTime(rawValue: 1_800_000_000_000) + .minutes(wall ?? minutes)
    )
}

@Suite("A provider of tokens for APNs")
struct APNsProviderTests {
    private let name = APNsCredential.key("KEY0123456", team: "TEAM012345")

    private func provider() throws -> APNsProvider {
        let provider = APNsProvider(name)
        #expect(provider.replace(.key(try TestKeys.make())))
        return provider
    }

    @Test func `signs a token that says which team and key it is, and when it was made`() throws {
        let provider = try provider()
        #expect(provider.token == nil)
        #expect(try !provider.renewToken(at: instant(0)))
        let bytes = try #require(provider.token).bytes
        let token = try #require(SignedToken(Secret(bytes)))
        #expect(token.algorithm == "ES256" && token.keyID == "KEY0123456")
        var claims: [String: String] = [:]
        let isObject = token.withClaims { name, reader in claims[name] = reader.rawValue().string }
        #expect(isObject)
        #expect(claims == ["iss": #""TEAM012345""#, "iat": "1800000000"])
    }

    @Test func `renews its token at each half hour, and not before`() throws {
        let provider = try provider()
        var numbers: [UInt64?] = []
        for minutes: Int64 in [0, 10, 29, 30, 59, 60, 89] {
            #expect(try !provider.renewToken(at: instant(minutes)))
            numbers.append(provider.token?.number)
        }
        #expect(numbers == [1, 1, 1, 2, 2, 3, 3])
    }

    @Test func `makes the same token again when the program starts again, and another one later`()
        throws
    {
        let key = try TestKeys.make()
        func token(after minutes: Int64) throws -> [UInt8]? {
            let provider = APNsProvider(name)
            _ = provider.replace(.key(key))
            _ = try provider.renewToken(at: instant(minutes))
            return provider.token?.bytes
        }
        let tokens = try [0, 1, 7, 29].map { try token(after: $0) }
        #expect(Set(tokens).count == 1)
        #expect(try token(after: 30) != tokens[0])
    }

    @Test func `dates a token from the present if Apple calls one of this half hour expired`()
        throws
    {
        let provider = try provider()
        _ = try provider.renewToken(at: instant(0))
        #expect(provider.tokenExpired(1, at: instant(25)))
        #expect(try !provider.renewToken(at: instant(25)))
        #expect(provider.token?.age.issuedAt == instant(25).wall)
        // It stays for its 20 minutes, and then until the next half hour.
        #expect(try !provider.renewToken(at: instant(31)) && provider.token?.number == 2)
        #expect(try !provider.renewToken(at: instant(46)) && provider.token?.number == 3)
        #expect(provider.token?.age.issuedAt == instant(30).wall)
    }

    @Test func `says that a token is early if a clock was set, so that it needs a new connection`()
        throws
    {
        let provider = try provider()
        #expect(try !provider.renewToken(at: instant(0)))
        #expect(try provider.renewToken(at: instant(5, wall: -10)), "back")
        #expect(try provider.renewToken(at: instant(10, wall: 605)), "far ahead")
        #expect(try !provider.renewToken(at: instant(11, wall: 606)))
        #expect(provider.token?.number == 3)
    }

    @Test func `replaces a token that Apple calls expired once Apple accepts another one`() throws {
        let provider = try provider()
        _ = try provider.renewToken(at: instant(0))
        #expect(!provider.tokenExpired(1, at: instant(19)), "Apple would refuse its successor")
        #expect(provider.token != nil)
        #expect(provider.tokenExpired(1, at: instant(20)))
        #expect(provider.token == nil)
        _ = try provider.renewToken(at: instant(20))
        #expect(provider.tokenExpired(1, at: instant(21)), "the answer to a push before it")
        #expect(provider.token?.number == 2)
    }

    @Test func `keeps its token when its key's file is read again, and not with another key`()
        throws
    {
        let (provider, key) = (APNsProvider(name), try TestKeys.make())
        #expect(provider.replace(.key(key)))
        _ = try provider.renewToken(at: instant(0))
        #expect(!provider.replace(.key(key)) && provider.token?.number == 1)
        #expect(provider.replace(.key(try TestKeys.make())) && provider.token == nil)
        #expect(provider.replace(nil))
        _ = try provider.renewToken(at: instant(1))
        #expect(provider.token == nil, "without a key")
    }

    @Test func `with a certificate has no tokens, and notices another certificate`() throws {
        let authority = try DevelopmentAuthority(named: "tests", now: .zero, days: 2)
        func certificate(_ days: Int) throws -> APNsCertificate {
            let identity = try authority.issue(for: ["game.example"], now: .zero, days: days)
            return try APNsCertificate(pem: identity.chain + identity.key) {
                (identity) throws(TLSError) in
                try TLSClientContext(trust: .anybody, identity: identity, protocols: ["h2"])
            }
        }
        let provider = APNsProvider(.certificate("game"))
        #expect(provider.isCertificate && provider.certificate == nil)
        let first = try certificate(1)
        #expect(first.notAfter == .zero + .days(1))
        #expect(first.security(for: .production) !== first.security(for: .sandbox))
        #expect(provider.replace(.certificate(first)))
        #expect(!provider.replace(.certificate(first)))
        #expect(try !provider.renewToken(at: instant(0)) && provider.token == nil)
        #expect(provider.replace(.certificate(try certificate(2))))
        #expect(provider.certificate?.notAfter == .zero + .days(2))
        #expect(provider.replace(nil) && provider.certificate == nil && provider.isCertificate)
    }

    @Test(arguments: [true, false])
    func `needs both parts of a certificate's file`(hasKey: Bool) throws {
        let authority = try DevelopmentAuthority(named: "tests", now: .zero, days: 1)
        let identity = try authority.issue(for: ["game.example"], now: .zero, days: 1)
        #expect(throws: TLSError.self) {
            try APNsCertificate(pem: hasKey ? identity.key : identity.chain) {
                (identity) throws(TLSError) in
                try TLSClientContext(trust: .anybody, identity: identity, protocols: ["h2"])
            }
        }
    }
}

@Suite("Pushes under way")
struct PushesUnderWayTests {
    @Test func `are found once by their indexes, which are used again`() throws {
        let service = APNsService(
            APNsProvider(.key("K", team: "T")),
            environment: .sandbox
        )
        let lane = APNsLane(
            APNsLaneID(app: AppID(rawValue: 0), environment: .sandbox, channel: .widgets),
            of: service,
            app: "com.mygame",
            settings: APNsSettings(team: "T", key: "K", bundle: "com.mygame")
        )
        func entry(_ number: UInt64) -> PushesUnderWay.Entry {
            PushesUnderWay.Entry(
                device: DeviceID(rawValue: UInt32(number)),
                number: number,
                lane: lane,
                service: service,
                tokenNumber: 1,
                sentAt: .none
            )
        }
        var random = SplitMix64(seed: 28)
        var pushes = PushesUnderWay()
        var known: [UInt64: UInt64] = [:]
        for number: UInt64 in 0..<5_000 {
            if random.below(3) > 0 {
                let index = pushes.insert(entry(number))
                let former = known.updateValue(number, forKey: index)
                #expect(former == nil)
            } else if let index = known.keys.min() {
                let (removed, again) = (pushes.remove(index), pushes.remove(index))
                let expected = known.removeValue(forKey: index)
                #expect(removed?.number == expected && again == nil)
            }
            #expect(pushes.count == known.count)
        }
        let strange = pushes.remove(1_000_000)
        #expect(strange == nil)
        pushes.removeAll()
        let first = pushes.remove(0)
        #expect(pushes.count == 0 && first == nil)
    }

    @Test func `of several services share the connections, and each has one at least`() {
        let limits = APNsDeliveryLimits()
        #expect(limits.pool(of: 1).connections == 4)
        #expect(limits.pool(of: 16).connections == 4)
        #expect(limits.pool(of: 32).connections == 2)
        #expect(limits.pool(of: 1_000).connections == 1)
    }
}
