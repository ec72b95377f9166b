package import Logging

/// A log handler that drops what a `LogLimiter` does not admit, and adds the id of the current
/// request, if there is one, as metadata `request`.
package struct LimitedLogHandler: LogHandler {
    private let limiter: LogLimiter
    private var output: any LogHandler

    /// A handler that writes admitted messages to the handler to which the limiter writes its
    /// summaries.
    package init(_ limiter: LogLimiter) {
        self.limiter = limiter
        output = limiter.output
    }

    /// The lowest level that is written; setting it sets that of all copies, on all threads, so
    /// that it can be changed while the process runs.
    package var logLevel: Logger.Level {
        get { limiter.level }
        set { limiter.level = newValue }
    }

    /// The metadata that is added to every message of this copy.
    package var metadata: Logger.Metadata {
        get { output.metadata }
        set { output.metadata = newValue }
    }

    /// One value of `metadata`; nil if it has none for the key.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { output[metadataKey: key] }
        set { output[metadataKey: key] = newValue }
    }

    /// Writes a message if the limiter admits it, with the id of the current request.
    package func log(event: LogEvent) {
        if !limiter.admit(event) { return }
        guard let request = RequestID.current else { return output.log(event: event) }
        var event = event
        var metadata = event.metadata ?? [:]
        if metadata["request"] == nil { metadata["request"] = "\(request)" }
        event.metadata = metadata
        output.log(event: event)
    }
}
