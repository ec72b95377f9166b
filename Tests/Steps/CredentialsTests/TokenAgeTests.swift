import Basics
import Cryptography
import FrameCodec
import TestSupport
import Testing

@testable import Credentials

@Suite("A key whose tokens may have an age")
struct TokenAgeTests {
    private static let now: WallTime = 1_800_000_000_000
    private let key: SigningKey
    private let table: CredentialTable

    /// A table with the same key for tokens of any age.
    private let ageless: CredentialTable

    init() throws {
        key = try SigningKey.new("EdDSA")!
        var credential = Credential(
            id: "k",
            proof: .signature(key.verification),
            maxTokenAge: .hours(1)
        )
        let decoys = try VerificationKey.decoys()
        table = CredentialTable(
            [AppAccess(app: "game", devices: .listed([credential]))],
            decoys: decoys
        )
        credential.maxTokenAge = nil
        ageless = CredentialTable(
            [
                AppAccess(
                    app: "game",
                    devices: .listed([credential]),
                    gateways: .listed([credential])
                )
            ],
            decoys: decoys
        )
    }

    private func verdict(
        issued: WallTime?,
        expiry: WallTime = now + .days(3_650),
        role: Peer = .device,
        by table: CredentialTable? = nil,
        revokedBefore: WallTime? = nil
    ) throws -> Verdict {
        let table = table ?? self.table
        let claims = TokenClaims(
            subject: "d",
            audience: ["game"],
            role: role.rawValue,
            expiry: expiry,
            issued: issued
        )
        let token = try key.token(claims, keyID: "k")
        let hello = HelloMessage(
            role: role,
            app: "game",
            token: token,
            name: role == .device ? "d" : nil
        )
        let judged = table.judge(hello, certificate: nil, now: Self.now) { SHA256.digest($0) }
        guard case .signed(let signed) = judged else { return judged }
        let isValid = signed.key.verifies(signed.token)
        return table.finish(
            signed,
            isValid: isValid,
            revokedBefore: revokedBefore,
            now: Self.now
        )
    }

    @Test func `lets in no token of before the date from which on a device's are good`() throws {
        let date = Self.now - .minutes(10)
        func verdict(_ issued: WallTime?, role: Peer = .device) throws -> Verdict {
            try self.verdict(issued: issued, role: role, by: ageless, revokedBefore: date)
        }
        for issued in [nil, date - .seconds(1), .zero] {
            #expect(try verdict(issued) == .refused(.revoked(date)))
        }
        // A token that would not become older than any date.
        let later = Self.now + .hours(1)
        #expect(try verdict(later) == .refused(.notYetValid(later)))
        guard case .admitted(let grant) = try verdict(date) else {
            Issue.record("a token of the date itself is not let in")
            return
        }
        #expect(grant.issued == date)
        guard case .admitted = try verdict(nil, role: .gateway) else {
            Issue.record("a gateway is refused for a device's date")
            return
        }
    }

    @Test func `has tokens that a revocation takes out, also those of a date far ahead`() {
        let date = Self.now - .minutes(10)
        func isRevoked(_ issued: WallTime?) -> Bool {
            TokenClaims.isRevoked(issued, before: date, now: Self.now)
        }
        let skew = TokenClaims.clockSkew
        #expect(isRevoked(nil) && isRevoked(date - 1) && isRevoked(Self.now + skew + 1))
        #expect(!isRevoked(date) && !isRevoked(Self.now) && !isRevoked(Self.now + skew))
    }

    @Test func `says of a revoked token only to who has one that it is revoked`() throws {
        let refusal = CredentialRefusal.revoked(1_800_000_000_123)
        #expect(refusal.isProven && refusal.label == "revoked")
        let hello = HelloMessage(role: .device, app: "game", token: nil, name: "d")
        let error = refusal.error(for: hello)
        #expect(error.code == .tokenRevoked)
        #expect(error.message.contains("device d") && error.message.contains("00.123Z"))
    }

    @Test func `lets in until the age is reached, however long a token says it is good`() throws {
        let issued = Self.now - .minutes(30)
        guard case .admitted(let grant) = try verdict(issued: issued) else {
            Issue.record("a token of half an hour is not let in")
            return
        }
        #expect(grant.until == Self.now + .minutes(30) + TokenClaims.clockSkew)
        let end = Self.now - .minutes(30)
        #expect(try verdict(issued: end - .hours(1)) == .refused(.expired(end)))
    }

    @Test func `wants to know when a token was signed, and that it was`() throws {
        #expect(try verdict(issued: nil) == .refused(.claims))
        let later = Self.now + .hours(2)
        #expect(try verdict(issued: later) == .refused(.notYetValid(later)))
    }

    @Test func `does not make a token longer than it says`() throws {
        let end = Self.now - .minutes(30)
        let verdict = try verdict(issued: Self.now - .minutes(40), expiry: end)
        #expect(verdict == .refused(.expired(end)))
    }

    @Test func `of the claims reads when a token was signed`() {
        let claims = TokenClaims(
            subject: "d",
            audience: ["game"],
            role: "device",
            expiry: 5_000,
            issued: 3_000
        )
        #expect(claims.json.withByteView { TokenClaims(json: $0) } == claims)
        let text = Array(#"{"sub":"d","aud":"g","role":"device","exp":5,"iat":"3"}"#.utf8)
        #expect(text.withByteView { TokenClaims(json: $0) } == nil)
    }
}
