/// Provides the token for a connection: asked before each HELLO, so also after a reconnect, and
/// when the router has ended the session because its token expired or was revoked.
///
/// ```swift
/// let device = try await DeviceClient.connect(
///     to: "localhost:7410", app: "com.mygame", tokens: { try await backend.token() },
///     role: .device("anna-phone"))
/// ```
///
/// HELLO waits for it; it should take much less than `ClientLimits.attemptTimeout`, which is for
/// the whole attempt. If it throws, the attempt has failed with `ClientError.tokenUnavailable`, and
/// unless it was the first one, another one follows after a pause.
public typealias TokenProvider = @Sendable () async throws -> String
