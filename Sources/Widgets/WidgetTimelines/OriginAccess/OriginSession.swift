public import Foundation

/// Fetches data from the server for widget code: the counterpart of `URLSession` for simulated
/// devices.
///
/// `shared` is the session of the widget for which code runs. In code that no simulated device runs
/// there is no server, and every request fails.
///
///     OriginSession.shared.dataTask(with: "/character/elf-42") { result in
///         completion(timeline(of: result))
///     }
public final class OriginSession: Sendable {
    @TaskLocal private static var current = OriginSession(transport: nil, pushedValues: nil)

    private let transport: (any OriginTransport)?
    /// The values inlined in the reload, a JSON object; nil if there are none.
    ///
    /// They are the latest values of the fields that the widget's kind inlines; a widget that gets
    /// them need not ask the server.
    public let pushedValues: Data?

    private init(transport: (any OriginTransport)?, pushedValues: Data?) {
        self.transport = transport
        self.pushedValues = pushedValues
    }

    /// The session of the widget for which this code runs.
    public static var shared: OriginSession { current }

    /// What runs the asynchronous code of the current widget; nil if it may run anywhere.
    static var executor: (any TaskExecutor)? { current.transport?.executor }

    /// Runs code of a widget, for which `shared` is a session that uses `transport`.
    package static func run<Result>(
        with transport: any OriginTransport,
        pushedValues: Data?,
        body: () -> Result
    ) -> Result {
        let session = OriginSession(transport: transport, pushedValues: pushedValues)
        return $current.withValue(session, operation: body)
    }

    /// Fetches the data at a path.
    ///
    /// If the server is overloaded, the request is repeated after growing pauses.
    ///
    /// - Parameter path: the path on the server, with its leading slash: `/character/elf-42`.
    /// - Returns: the body of the answer.
    /// - Throws: `OriginError`.
    public func data(from path: String) async throws(OriginError) -> Data {
        let result = await withCheckedContinuation { continuation in
            fetch(path) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Fetches the data at a path, for code that does not use `async`.
    ///
    /// - Parameters:
    ///   - path: the path on the server, with its leading slash.
    ///   - completionHandler: called once, on any thread.
    public func dataTask(
        with path: String,
        completionHandler: @escaping (Result<Data, OriginError>) -> Void
    ) {
        // The handler is called once, by one thread, after this thread has finished with it.
        nonisolated(unsafe) let completionHandler = completionHandler
        fetch(path) { unsafe completionHandler($0) }
    }

    /// Starts a download in the background, as a `URLSession` with a background configuration does.
    /// It continues after the provider has answered; when it ends, `onBackgroundURLSessionEvents`
    /// of the widget is called.
    ///
    /// - Parameters:
    ///   - path: the path on the server, with its leading slash.
    ///   - identifier: the identifier of the background session.
    public func downloadTask(with path: String, inBackgroundSession identifier: String) {
        transport?.download(path, identifier: identifier)
    }

    /// The data that a background download has brought since the widget's last timeline.
    ///
    /// - Parameter path: the path that was passed to `downloadTask`.
    /// - Returns: the body of the answer; nil if there is none, or if the last timeline could use
    ///   it already.
    public func downloadedData(for path: String) -> Data? { transport?.downloaded(path) }

    private func fetch(
        _ path: String,
        completion: @escaping @Sendable (Result<Data, OriginError>) -> Void
    ) {
        if let transport {
            transport.fetch(path, completion: completion)
        } else {
            completion(.failure(.noOrigin))
        }
    }
}

/// The connection from an `OriginSession` to a server, which the fleet implements.
package protocol OriginTransport: Sendable {
    /// What runs asynchronous code that fetches here; nil if it may run anywhere.
    var executor: (any TaskExecutor)? { get }

    /// Fetches the data at a path; the completion is called once, on any thread.
    func fetch(_ path: String, completion: @escaping @Sendable (Result<Data, OriginError>) -> Void)

    /// Starts a background download; at its end, the widget's background events are handled.
    func download(_ path: String, identifier: String)

    /// The data that a background download has brought since the widget's last timeline; nil if
    /// there are none.
    func downloaded(_ path: String) -> Data?
}

extension OriginTransport {
    /// Nil: asynchronous code may run anywhere.
    package var executor: (any TaskExecutor)? { nil }
}
