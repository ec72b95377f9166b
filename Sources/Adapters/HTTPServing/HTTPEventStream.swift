/// Server-sent events to one client, from any thread.
///
/// It ends when it is closed or dropped, when its client goes, when the connection must make room,
/// and when its client leaves more unread than `HTTPServerLimits.unsentEventBytes`. A client that
/// goes without a word is noticed when an event is sent to it.
package final class HTTPEventStream: Sendable {
    private let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) {
        self.exchange = exchange
    }

    deinit { close() }

    /// Sends an event.
    ///
    /// - Parameters:
    ///   - event: its name; nil for `message`. Line ends in it are left away.
    ///   - data: any text; its line ends arrive as line feeds.
    /// - Returns: false if the stream has ended, or does so because of this event.
    @discardableResult
    package func send(event: String?, data: String) -> Bool {
        send(HTTPEvent(name: event, data: data))
    }

    /// Sends an event that was made once for many streams.
    ///
    /// - Returns: false if the stream has ended, or does so because of this event.
    @discardableResult
    package func send(_ event: HTTPEvent) -> Bool {
        exchange.append(event.bytes)
    }

    /// Ends the stream behind what was sent.
    ///
    /// Closing twice is no error.
    package func close() {
        exchange.closeEvents()
    }

    package var isOpen: Bool { exchange.isStreaming }
}

/// An event as it is sent.
package struct HTTPEvent: Sendable {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - name: nil for `message`. Line ends in it are left away.
    ///   - data: any text; its line ends arrive as line feeds.
    package init(name: String?, data: String) {
        bytes = EventText.bytes(event: name, data: data)
    }
}
