public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// What a `DeviceReporter` needs of the system: transport, time and chance. Tests pass their own.
public struct ReportSystem: Sendable {
    /// Sends a request, without following redirects, and returns the answer.
    public var transport: @Sendable (URLRequest) async throws -> (Data, URLResponse)
    /// The date.
    public var now: @Sendable () -> Date
    /// A time that never goes back, by which waits are measured.
    public var uptime: @Sendable () -> Duration
    /// Waits; throws if the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A random number of a range: the jitter of pauses.
    public var random: @Sendable (ClosedRange<Double>) -> Double

    /// Makes a system of its parts.
    public init(
        transport: @escaping @Sendable (URLRequest) async throws -> (Data, URLResponse),
        now: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        random: @escaping @Sendable (ClosedRange<Double>) -> Double
    ) {
        self.transport = transport
        self.now = now
        self.uptime = uptime
        self.sleep = sleep
        self.random = random
    }

    /// The system itself, with a `URLSession` that keeps nothing on disk.
    public static let live: ReportSystem = {
        let start = ContinuousClock.now
        let configuration = URLSessionConfiguration.ephemeral
        // Other than a request's own limit, it also ends an answer that trickles in.
        configuration.timeoutIntervalForResource = 25
        let session = URLSession(
            configuration: configuration,
            delegate: RedirectRefusal(),
            delegateQueue: nil
        )
        return ReportSystem(
            transport: { try await session.data(for: $0) },
            now: { Date() },
            uptime: { start.duration(to: .now) },
            sleep: { try await Task.sleep(for: $0) },
            random: { Double.random(in: $0) }
        )
    }()
}

/// Follows no redirect: on Linux, `URLSession` would send the credential to the other server, too.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
