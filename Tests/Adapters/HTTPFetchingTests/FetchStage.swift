import Basics
import HTTPFetching
import HTTPMessages
import LibuvLoop
import TestSupport
import Testing

/// A loop with a client, and a server whose every byte a test decides.
///
/// The test's thread runs the loop, one condition at a time. A tick keeps the loop turning, and
/// fails the test when a condition does not come true in time.
final class FetchStage: TimerOwner, ListenerOwner {
    typealias Outcome = Result<HTTPAnswer, HTTPFetchError>

    let loop: Loop
    private(set) var client: HTTPClient?
    private(set) var outcomes: [Outcome] = []
    /// What the server does with a request: the connection, and how many there have been before.
    var whenAsked: (TCPConnection, Int) -> Void = { _, _ in }
    private(set) var connections: [TCPConnection] = []
    private(set) var requestCount = 0
    /// What the server was asked last, headers included.
    private(set) var lastRequest = ""
    private var listener: TCPListener?
    private var tick: LoopTimer?
    private var condition: () -> Bool = { true }
    private var deadline = MonotonicTime.zero

    init(_ change: (inout HTTPClientLimits) -> Void = { _ in }) throws {
        loop = try Loop()
        var limits = HTTPClientLimits()
        change(&limits)
        client = HTTPClient(loop, limits: limits)
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0, loop: loop)[0]
        listener = try TCPListener(loop, address: address, owner: self)
        tick = try LoopTimer(loop, owner: self)
        try tick?.start(after: .milliseconds(1), repeating: .milliseconds(1))
    }

    var url: String { "http://\(listener!.localAddress)/x" }

    func get(_ url: String, headers: [String] = []) {
        var isInside = true
        client!.get(url, headers: headers) { [unowned self] outcome in
            #expect(!isInside, "an outcome is told inside of get")
            outcomes.append(outcome)
        }
        isInside = false
    }

    /// Asks the server, and waits for the outcome.
    func fetch(_ url: String? = nil, headers: [String] = []) throws -> Outcome {
        let count = outcomes.count
        get(url ?? self.url, headers: headers)
        try run { self.outcomes.count > count }
        return outcomes[count]
    }

    /// Sends a request, and waits for the outcome.
    func fetch(method: String?, body: [UInt8]?) throws -> Outcome {
        let call = HTTPCall(url, method: method, body: body)
        let count = outcomes.count
        client!.send(call) { [unowned self] in outcomes.append($0) }
        try run { self.outcomes.count > count }
        return outcomes[count]
    }

    func run(
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @escaping () -> Bool
    ) throws {
        self.condition = condition
        deadline = loop.now + .seconds(60)
        try loop.run()
        // It holds what it asks, which may be the stage.
        self.condition = { true }
        #expect(condition(), "the condition never held", sourceLocation: sourceLocation)
    }

    func timerFired(_ timer: LoopTimer) {
        if condition() || loop.now > deadline { loop.stop() }
    }

    func dropClient() { client = nil }

    /// Nobody listens any more; returns where.
    func stopListening() throws -> String {
        let url = url
        listener?.close()
        return url
    }

    /// Closes everything, and expects that the loop ends without a handle left.
    func end() throws {
        client?.close()
        for connection in connections { connection.close() }
        listener?.close()
        tick?.close()
        try loop.run()
        #expect(loop.handleCount == 0)
        client = nil
        try loop.close()
    }

    // MARK: - The server

    func listener(_ listener: TCPListener, accepted connection: TCPConnection) {
        connections.append(connection)
        try? connection.startReading()
    }

    func connection(_ connection: TCPConnection, received bytes: ByteView) -> Int {
        let text = bytes.string
        // The tests' bodies are empty objects.
        let body = text.contains("\r\nContent-Length: 2\r\n") ? "{}" : ""
        if !text.hasSuffix("\r\n\r\n\(body)") { return 0 }
        requestCount += 1
        lastRequest = text
        whenAsked(connection, requestCount - 1)
        return bytes.count
    }

    func connectionEnded(_ connection: TCPConnection, error: UVError?) {
        connection.close()
    }
}

extension TCPConnection {
    func say(_ text: String) { say(Array(text.utf8)) }

    func say(_ bytes: [UInt8]) {
        bytes.withByteView { append($0) }
        flush()
    }
}
