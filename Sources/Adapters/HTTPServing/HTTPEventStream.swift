/// A stream of server-sent events to one client; its methods may be called on any thread.
///
/// It ends when it is closed or released, when its client disconnects, when its connection must
/// make room for another, and when its client leaves more than `HTTPServerLimits.unsentEventBytes`
/// unread. A client that vanishes silently is noticed only when an event is sent to it.
package final class HTTPEventStream: Sendable {
    private let exchange: HTTPExchange

    init(_ exchange: HTTPExchange) { self.exchange = exchange }

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
    package func send(_ event: HTTPEvent) -> Bool { exchange.append(event.bytes) }

    /// Ends the stream after the events sent so far. A second call does nothing.
    package func close() { exchange.closeEvents() }

    /// True until the stream ends.
    package var isOpen: Bool { exchange.isStreaming }
}

/// A server-sent event (`text/event-stream`), formatted to be sent on any number of streams.
///
///     event: push          omitted for an event named `message`
///     id: 7                omitted for an event without an id
///     data: first line
///     data: second line
///                          an empty line ends the event
package struct HTTPEvent: Sendable {
    private(set) var bytes: [UInt8] = []

    private static var lineFeed: UInt8 { 0x0a }
    private static var carriageReturn: UInt8 { 0x0d }

    /// - Parameters:
    ///   - name: its name; nil for `message`. Line ends in it are removed.
    ///   - data: any text; its line ends arrive as line feeds.
    ///   - id: what a client that connects again names as the last event that it has read
    ///     (`Last-Event-ID`); nil for none.
    package init(name: String?, data: String, id: UInt64? = nil) {
        bytes.reserveCapacity(data.utf8.count + 32)
        if let name {
            bytes += "event: ".utf8
            bytes += name.utf8.filter { $0 != Self.lineFeed && $0 != Self.carriageReturn }
            bytes.append(Self.lineFeed)
        }
        if let id { bytes += "id: \(id)\n".utf8 }
        appendLines(of: data)
        bytes.append(Self.lineFeed)
    }

    /// Writes a `data:` line for each line of a text. A line ends with a line feed, a carriage
    /// return, or both.
    private mutating func appendLines(of data: String) {
        bytes += "data: ".utf8
        var previous: UInt8 = 0
        for byte in data.utf8 {
            defer { previous = byte }
            if byte == Self.lineFeed && previous == Self.carriageReturn { continue }
            if byte == Self.lineFeed || byte == Self.carriageReturn {
                bytes.append(Self.lineFeed)
                bytes += "data: ".utf8
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(Self.lineFeed)
    }
}
