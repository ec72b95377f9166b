/// A stream of server-sent events to one client; its methods may be called on any thread.
///
/// It ends when it is closed or released, when its client disconnects, when its connection must
/// make room for another, and when its client leaves more than `HTTPServerLimits.unsentEventBytes`
/// unread. A client that vanishes silently is noticed only when an event is sent to it.
package final class HTTPEventStream: Sendable {
    private let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) {
        self.exchange = exchange
    }

    deinit { close() }

    /// Sends an event: its name, nil for `message`, from which line ends are removed, and any text,
    /// whose line ends arrive as line feeds. Returns false if the stream has ended, or ends because
    /// of this event.
    @discardableResult
    package func send(event: String?, data: String) -> Bool {
        send(HTTPEvent(name: event, data: data))
    }

    /// Sends an event that was formatted once for many streams. Returns false if the stream has
    /// ended, or ends because of this event.
    @discardableResult
    package func send(_ event: HTTPEvent) -> Bool {
        exchange.append(event.bytes)
    }

    /// Ends the stream after the events sent so far. A second call does nothing.
    package func close() {
        exchange.closeEvents()
    }

    /// True until the stream ends.
    package var isOpen: Bool { exchange.isStreaming }
}

/// An event, formatted to be sent on any number of streams.
package struct HTTPEvent: Sendable {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - name: its name; nil for `message`. Line ends in it are removed.
    ///   - data: any text; its line ends arrive as line feeds.
    ///   - id: what a client that connects again names as the last event that it has read
    ///     (`Last-Event-ID`); nil for none.
    package init(name: String?, data: String, id: UInt64? = nil) {
        bytes = EventText.bytes(event: name, data: data, id: id)
    }
}
