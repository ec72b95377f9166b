public import Foundation

/// With what widget code asks its server: `URLSession`'s methods for simulated devices.
///
/// `shared` is the session of the widget for which code runs. Where no device runs the code, there is
/// no server, and every question fails.
///
///     OriginSession.shared.dataTask(with: "/character/elf-42") { result in
///         completion(timeline(of: result))
///     }
public final class OriginSession: Sendable {
    @TaskLocal private static var current = OriginSession(transport: nil, pushedValues: nil)

    private let transport: (any OriginTransport)?
    /// What the reload brought along, a JSON object; nil if it brought nothing.
    ///
    /// The fields that the widget's kind carries, with their latest values: whoever has them need not
    /// ask the server.
    public let pushedValues: Data?

    private init(transport: (any OriginTransport)?, pushedValues: Data?) {
        self.transport = transport
        self.pushedValues = pushedValues
    }

    /// The session of the widget for which this code runs.
    public static var shared: OriginSession { current }

    /// Runs code of a widget: its `shared` asks there.
    package static func run<Result, Failure: Error>(
        with transport: any OriginTransport,
        pushedValues: Data?,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var result: Swift.Result<Result, Failure>?
        let session = OriginSession(transport: transport, pushedValues: pushedValues)
        $current.withValue(session) {
            do throws(Failure) {
                result = .success(try body())
            } catch {
                result = .failure(error)
            }
        }
        return try result!.get()
    }

    /// Asks the server for what is at a path.
    ///
    /// A server that has too much to do is asked again, later each time.
    ///
    /// - Parameter path: of the server, with its slash: `/character/elf-42`.
    /// - Returns: the body of the answer.
    /// - Throws: `OriginError`.
    public func data(from path: String) async throws(OriginError) -> Data {
        let result = await withCheckedContinuation { continuation in
            fetch(path) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// The same for code that does not wait.
    ///
    /// - Parameters:
    ///   - path: of the server, with its slash.
    ///   - completionHandler: is called once, on any thread.
    public func dataTask(
        with path: String,
        completionHandler: @escaping (Result<Data, OriginError>) -> Void
    ) {
        // Called once, by one thread, when this one has nothing more to do with it.
        nonisolated(unsafe) let completionHandler = completionHandler
        fetch(path) { unsafe completionHandler($0) }
    }

    /// Asks in the background, as a `URLSession` with a background configuration does: it goes on when
    /// the provider has answered, and the widget's `onBackgroundURLSessionEvents` hears of its end.
    ///
    /// - Parameters:
    ///   - path: of the server, with its slash.
    ///   - identifier: of the background session.
    public func downloadTask(with path: String, inBackgroundSession identifier: String) {
        transport?.download(path, identifier: identifier)
    }

    /// What a download in the background has brought since the widget's last timeline.
    ///
    /// - Parameter path: with which it was asked for.
    /// - Returns: the body of the answer; nil if there is none, or it was there for the timeline before.
    public func downloadedData(for path: String) -> Data? {
        transport?.downloaded(path)
    }

    private func fetch(
        _ path: String,
        _ completion: @escaping @Sendable (Result<Data, OriginError>) -> Void
    ) {
        if let transport {
            transport.fetch(path, completion)
        } else {
            completion(.failure(.noOrigin))
        }
    }
}

/// The way to a server.
package protocol OriginTransport: Sendable {
    /// Asks for what is at a path; the completion is called once, on any thread.
    func fetch(
        _ path: String,
        _ completion: @escaping @Sendable (Result<Data, OriginError>) -> Void
    )

    /// Asks for what is at a path; the widget is told when it is over.
    func download(_ path: String, identifier: String)

    /// What such a question has brought since the widget's last timeline.
    func downloaded(_ path: String) -> Data?
}
