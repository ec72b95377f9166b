import ArgumentParser
import CommandSupport
import Glibc
import Platform
import Times

/// `bench watch`: keeps streams of a router's events open until standard input ends, as viewers of
/// the dashboard do. `bench scrape` starts it as a process.
struct BenchWatch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow the status events, and send the requests of dashboards and scrapers.",
        shouldDisplay: false
    )

    @Argument(help: "Admin port of the router.")
    var port: UInt16

    @Option(help: "Number of viewers of /v1/events.")
    var viewers = 50

    @Flag(help: "Request /metrics once a second, and /v1/origins every 2 s for each viewer.")
    var asks = false

    func validate() throws {
        try checkNumbers([viewers], within: 0...60, of: "--viewers")
    }

    private static var path: String { "/v1/events" }
    /// A viewer without an event for this long counts as lost: there is one each second.
    private static var silence: Nanoseconds { .seconds(5) }

    func run() throws {
        // Real viewers run elsewhere; here they must not take the processors from what is measured.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        let clients = try (0..<viewers).map { _ in
            let client = try BenchAdminClient(port: port)
            try client.expect(Self.path)
            return client
        }
        var polls: [Poll] = []
        if asks {
            polls = [
                try Poll("/metrics", every: .seconds(1), port: port),
                // The first page of the dashboard requests the origins.
                try Poll("/v1/origins", every: .seconds(2) / Int64(max(1, viewers)), port: port),
            ]
        }
        printLine("ready")
        var polled = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
        polled += clients.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
        var heardAt = polled.map { _ in ExactTime.now }
        while true {
            let due = polls.map(\.due).min() ?? .max
            let left = due == .max ? .max : due - .now
            let wait = Milliseconds(min(.milliseconds(100), max(.zero, left)))
            let status = unsafe poll(&polled, nfds_t(polled.count), CInt(wait.rawValue))
            if status < 0 && errno != EINTR { throw BenchFailure("viewers cannot be polled") }
            if polled[0].revents != 0 { return }
            let now = ExactTime.now
            for (client, index) in zip(clients, 1...) {
                if polled[index].revents != 0 {
                    // Reading is left to the client, which owns the socket.
                    try client.discardInput()
                    heardAt[index] = now
                } else if now - heardAt[index] > Self.silence {
                    throw BenchFailure("a viewer has received no event for 5 s")
                }
            }
            for index in polls.indices { try polls[index].ask(now) }
        }
    }
}

/// A request that is repeated at an interval.
private struct Poll {
    private let client: BenchAdminClient
    private let path: String
    private let interval: Nanoseconds
    /// When the next request is due.
    private(set) var due: ExactTime

    init(_ path: String, every interval: Nanoseconds, port: UInt16) throws {
        assert(interval > .zero, "a poll has no interval")
        client = try BenchAdminClient(port: port)
        self.path = path
        self.interval = interval
        due = ExactTime.now
    }

    /// Sends the request if it is due, and waits for the answer.
    mutating func ask(_ now: ExactTime) throws {
        if now < due { return }
        // A poll that is late skips requests.
        due = max(due + interval, now)
        try client.expect(path)
    }
}
