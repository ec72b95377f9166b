import Basics
import Credentials
import Cryptography
import FrameCodec
import Platform
import ReloadRouterClient
import Testing

@Suite("A signer of tokens")
struct TokenSignerTests {
    @Test(
        "signs what the router's table of credentials lets in",
        arguments: ["HS256", "EdDSA", "ES256"]
    )
    func signing(algorithm: String) throws {
        guard let key = try SigningKey.new(algorithm) else { return }
        let signer = try TokenSigner(jwk: key.jwk)
        let token = try signer.token(forDevice: "phone-1", of: "com.mygame")
        let access = AppAccess(
            app: "com.mygame",
            devices: .listed([Credential(id: "k", proof: .signature(key.verification))])
        )
        let table = CredentialTable([access], decoys: try VerificationKey.decoys())
        let hello = HelloMessage(role: .device, app: "com.mygame", token: token, name: "phone-1")
        let verdict = table.judge(hello, certificate: nil, now: .now) { SHA256.digest($0) }
        guard case .signed(let signed) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        let isValid = key.verification.verifies(signed.token)
        guard case .admitted = table.finish(signed, isValid: isValid, revokedBefore: nil, now: .now)
        else {
            Issue.record("the token lets no device in")
            return
        }
    }

    @Test("refuses what is no private key", arguments: ["", "{}", #"{"kty":"oct","k":"AA"}"#])
    func wrongKeys(text: String) {
        #expect(throws: ClientError.self) { try TokenSigner(jwk: Array(text.utf8)) }
    }
}
