import Cryptography
import DataStructures
import FrameCodec
import TestSupport
import Testing
import Times

@testable import Credentials

@Suite("A key whose tokens may have an age")
struct TokenAgeTests {
    private static let now: WallTime = 1_800_000_000_000
    private let key: SigningKey
    private let table: CredentialTable

    init() throws {
        key = try SigningKey.new("EdDSA")!
        let credential = Credential(
            id: "k",
            proof: .signature(key.verification),
            maxTokenAge: .hours(1)
        )
        table = CredentialTable(
            [AppAccess(app: "game", devices: .listed([credential]))],
            decoys: try VerificationKey.decoys()
        )
    }

    private func verdict(
        issued: WallTime?,
        expiry: WallTime = now + .days(3_650)
    ) throws -> Verdict {
        let claims = TokenClaims(
            subject: "d",
            audience: ["game"],
            role: "device",
            expiry: expiry,
            issued: issued
        )
        let token = try key.token(claims, keyID: "k")
        let hello = HelloMessage(role: .device, app: "game", token: token, name: "d")
        let judged = table.judge(hello, certificate: nil, now: Self.now) { SHA256.digest($0) }
        guard case .signed(let signed) = judged else { return judged }
        let isValid = signed.key.verifies(signed.token)
        return table.finish(signed, isValid: isValid, now: Self.now)
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
