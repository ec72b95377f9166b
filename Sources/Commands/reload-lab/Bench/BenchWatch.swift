import ArgumentParser
import CommandSupport
import Glibc
import Platform

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
    /// A viewer without an event for this long, in ns, counts as lost: there is one each second.
    private static var silence: Int64 { 5_000_000_000 }

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
                try Poll("/metrics", every: 1_000_000_000, port: port),
                // The dashboard asks for these at its first page.
                try Poll("/v1/origins", every: 2_000_000_000 / Int64(max(1, viewers)), port: port),
            ]
        }
        printLine("ready")
        var polled = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
        polled += clients.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
        var heardAt = polled.map { _ in monotonicNanoseconds() }
        while true {
            let due = polls.map(\.due).min() ?? .max
            let wait = min(100_000_000, max(0, due - monotonicNanoseconds()))
            let status = unsafe poll(&polled, nfds_t(polled.count), CInt(wait / 1_000_000))
            if status < 0 && errno != EINTR { throw BenchFailure("viewers cannot be polled") }
            if polled[0].revents != 0 { return }
            let now = monotonicNanoseconds()
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
    private let interval: Int64
    /// When the next request is due, in ns.
    private(set) var due: Int64

    init(_ path: String, every interval: Int64, port: UInt16) throws {
        assert(interval > 0, "a poll has no interval")
        client = try BenchAdminClient(port: port)
        self.path = path
        self.interval = interval
        due = monotonicNanoseconds()
    }

    /// Sends the request if it is due, and waits for the answer.
    mutating func ask(_ now: Int64) throws {
        if now < due { return }
        // A poll that is late skips requests.
        due = max(due + interval, now)
        try client.expect(path)
    }
}
