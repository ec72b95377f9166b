import Basics
import Glibc
import HTTPServing
import Synchronization

/// Answers as a test says.
struct ClosureHandler: HTTPHandler {
    let body: @Sendable (HTTPRequest, HTTPResponder) -> Void

    func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        body(request, responder)
    }
}

/// Keeps the responders until a test wants them.
final class KeepingHandler: HTTPHandler {
    private let responders = Mutex<[HTTPResponder]>([])
    private let bodyLimit: Int?
    /// Connections that were ended to make room.
    let displacedCount = Atomic<Int>(0)

    init(bodyLimit: Int? = nil) {
        self.bodyLimit = bodyLimit
    }

    func bodyLimit(of head: HTTPRequest) -> Int? { bodyLimit }

    func trusts(_ head: HTTPRequest) -> Bool { head.path.hasPrefix("/trusted") }

    func displaced(_ count: Int) { displacedCount.add(count, ordering: .relaxed) }

    func respond(to request: HTTPRequest, with responder: HTTPResponder) {
        responders.withLock { $0.append(responder) }
    }

    /// The first one, as soon as it is there.
    func next() -> HTTPResponder {
        while true {
            if let responder = nextIfAny() { return responder }
            sched_yield()
        }
    }

    func nextIfAny() -> HTTPResponder? {
        responders.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Drops all that are there.
    func clear() {
        let dropped = responders.withLock { responders in
            defer { responders = [] }
            return responders
        }
        _ = dropped
    }
}

extension HTTPServer {
    /// One on a port of its own.
    convenience init(
        connections: Int = 64,
        endings: Int? = 32,
        silence: Milliseconds = .seconds(60),
        idle: Milliseconds? = nil,
        unsentEventBytes: Int = 1 << 20,
        _ handler: any HTTPHandler
    ) throws {
        var limits = HTTPServerLimits()
        limits.connections = connections
        limits.endings = endings
        limits.silence = silence
        limits.idle = idle ?? silence
        limits.unsentEventBytes = unsentEventBytes
        try self.init(
            ListeningAddress(host: "127.0.0.1", port: 0)!,
            limits: limits,
            handler: handler
        )
    }
}

/// Lets other threads run until it is so.
func wait(until condition: () -> Bool) {
    while !condition() { sched_yield() }
}
