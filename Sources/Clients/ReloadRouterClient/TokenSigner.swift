internal import Basics
internal import Credentials
internal import Cryptography
internal import Platform

/// Signs tokens with which devices connect, in an app's backend.
///
/// What all copies of an app contain is no secret. So a backend signs a token for each device whose
/// user it has recognised (JWT, RFC 7519), and the router verifies it with the key that the app
/// file lists.
public struct TokenSigner: Sendable {
    private let key: SigningKey
    private let id: String?

    /// Makes a signer of a private key, as `reload-router token new --key` writes it.
    ///
    /// - Parameters:
    ///   - jwk: the bytes of the key's file, a JWK (RFC 7517).
    ///   - id: the id of the key's credential in the app file; nil if it is the only one of its
    ///     algorithm.
    /// - Throws: `ClientError.certificateInvalid`, if it is no such key.
    public init(jwk: [UInt8], id: String? = nil) throws(ClientError) {
        do throws(JWKProblem) {
            key = try SigningKey(jwk: jwk)
        } catch {
            throw .certificateInvalid("the key cannot sign tokens: \(error.message)")
        }
        self.id = id
    }

    /// Signs a token for one device, which can then connect as itself and as no other.
    ///
    /// - Parameters:
    ///   - device: the device's id.
    ///   - app: the app, as the app file names it.
    ///   - seconds: how long it is good; its session ends with it.
    /// - Returns: the token, for the device's HELLO.
    /// - Throws: `ClientError.certificateInvalid`, if the key cannot sign.
    public func token(
        forDevice device: String,
        of app: String,
        seconds: Int = 3_600
    ) throws(ClientError) -> String {
        let now = WallTime.now
        let claims = TokenClaims(
            subject: device,
            audience: [app],
            role: "device",
            expiry: now + .seconds(Int64(seconds)),
            issued: now
        )
        do throws(TLSError) {
            return try key.token(claims, keyID: id)
        } catch {
            throw .certificateInvalid("the key cannot sign tokens: \(error)")
        }
    }
}
