import Basics
import Credentials
import FrameCodec

/// A token of a HELLO, and a JWK of an app file, are read or refused; what is read means the same
/// when it is written again. Nobody is let in by a signature that was not verified.
final class TokenFuzzing: FuzzTarget {
    private let table = CredentialTable(
        [
            AppAccess(
                app: "a",
                devices: .listed([Credential(id: "k", proof: .signature(TokenFuzzing.key))])
            )
        ],
        decoys: [TokenFuzzing.key]
    )

    private static let key = VerificationKey.hs256(secret: Secret([UInt8](repeating: 7, count: 32)))

    func run(_ input: ByteView) {
        input.withCopy { input in
            checkToken(input.string)
            checkKey(input.array)
        }
    }

    private func checkToken(_ token: String) {
        let hello = HelloMessage(role: .device, app: "a", token: token, name: "d")
        let now = WallTime(rawValue: 1_800_000_000_000)
        let digest = SHA256Digest(hexadecimal: String(repeating: "0", count: 64))!
        switch table.judge(hello, certificate: nil, now: now, sha256: { _ in digest }) {
        case .admitted: fail("\(token) lets in")
        case .refused(let refusal): require(!refusal.isProven, "\(refusal) of nothing")
        case .signed(let signed):
            require(signed.key.algorithm == signed.token.algorithm, "an algorithm of its own")
            let refused = table.finish(signed, isValid: false, revokedBefore: nil, now: now)
            require(refused == .refused(.signature), "\(refused) without a signature")
            // With the claims of a stranger, nothing traps.
            _ = table.finish(signed, isValid: true, revokedBefore: nil, now: now)
        }
        if let bytes = decodeBase64URL(token.utf8) {
            require(encodeBase64URL(bytes) == token, "\(token) is read otherwise than written")
        }
    }

    private func checkKey(_ json: [UInt8]) {
        guard let key = try? SigningKey(jwk: json) else { return }
        require((try? SigningKey(jwk: key.jwk)) == key, "a key changes when it is written")
    }
}
