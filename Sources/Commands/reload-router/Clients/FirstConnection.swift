import CommandSupport
import Glibc
import ReloadRouterClient
import Synchronization

/// The first connection of a client command. It says within about two seconds that nothing listens
/// at an address, or that it is something other than a router.
struct FirstConnection {
    /// How long to wait for the connection; also of later attempts.
    private static var connectTimeout: Duration { .seconds(2) }
    /// How long to wait for WELCOME before the port is asked what it is.
    private static var patience: Duration { .seconds(1) }

    private let address: String

    init(to address: String) { self.address = address }

    static var limits: ClientLimits {
        var limits = ClientLimits()
        limits.connectTimeout = connectTimeout
        return limits
    }

    /// Connects with `connect`, which is cancelled if something else listens.
    ///
    /// - Throws: `SettingsProblem` that says what listens, or the error of `connect`.
    func open<Session: Sendable>(
        _ connect: @escaping @Sendable () async throws(ClientError) -> Session
    ) async throws -> Session {
        let connecting = Task { try await connect() }
        let probe = Task { () -> String? in
            try? await Task.sleep(for: Self.patience)
            if Task.isCancelled { return nil }
            guard let sentence = PortProbe.sentence(forClientOf: address) else { return nil }
            connecting.cancel()
            return sentence
        }
        do {
            let session = try await connecting.value
            probe.cancel()
            return session
        } catch let error as ClientError {
            if case .cancelled = error, let sentence = await probe.value {
                throw SettingsProblem(sentence)
            }
            probe.cancel()
            if error.mayBeWrongPort, let sentence = PortProbe.sentence(forClientOf: address) {
                throw SettingsProblem(sentence)
            }
            throw error
        }
    }
}

extension ClientError {
    /// Whether a server of another protocol would have this effect.
    fileprivate var mayBeWrongPort: Bool {
        switch self {
        case .unreachable, .protocolBroken: true
        default: false
        }
    }
}

/// Writes the error that ended a command to standard error.
func report(_ command: String, error: any Error, options: ClientOptions) {
    let hint = MissingToken.hint(for: error, isGiven: options.hasToken)
    writeStandardError("reload-router \(command): \(error)\(hint)\n")
}

/// Makes a handler that says when a session is lost that reconnects by itself, and when it is back:
/// a line each, however many attempts that takes.
func reportChange(_ command: String) -> @Sendable (ConnectionChange) -> Void {
    let isLost = Flag()
    return { change in
        let news: String
        switch change {
        case .lost(let error):
            if isLost.value.exchange(true, ordering: .relaxed) { return }
            news = "\(error); connecting again"
        case .established:
            if !isLost.value.exchange(false, ordering: .relaxed) { return }
            news = "connected again"
        case .ended: return
        }
        let now = Int64(time(nil))
        let clock = LocalTime.text(now * 1_000, now: now)
        writeStandardError("\(clock)  reload-router \(command): \(news)\n")
    }
}

/// A flag that threads share.
private final class Flag: Sendable {
    let value = Atomic(false)
}
