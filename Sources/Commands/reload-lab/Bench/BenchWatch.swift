import ArgumentParser
import CommandSupport
import Glibc
import Platform

/// Watches a router until standard input ends: what `bench scrape` spawns.
struct BenchWatch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Hold viewers of the status events, and ask what dashboards and scrapers ask.",
        shouldDisplay: false
    )

    @Argument(help: "The admin port.")
    var port: UInt16

    @Option(help: "Viewers of /v1/events.")
    var viewers = 50

    @Flag(help: "Ask for /metrics once a second, and for /v1/origins every 2 s for each viewer.")
    var asks = false

    private static var path: String { "/v1/events" }
    /// Events come each second; a viewer without any for so long, in ns, is none.
    private static var silence: Int64 { 5_000_000_000 }

    func run() throws {
        // Viewers are elsewhere: here they must not take the processors from what is measured.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        let clients = try (0..<viewers).map { _ in
            let client = try BenchAdminClient(port: port)
            try client.expect(Self.path)
            return client
        }
        var polls: [Poll] = []
        if asks {
            polls = [
                try Poll("/metrics", every: 1_000_000_000, port),
                // As the page does, which shows them on its first one.
                try Poll("/v1/origins", every: 2_000_000_000 / Int64(max(1, viewers)), port),
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
                    // By the client, which closes its socket when nobody needs it any more.
                    try client.passOver()
                    heardAt[index] = now
                } else if now - heardAt[index] > Self.silence {
                    throw BenchFailure("a viewer has heard nothing for 5 s")
                }
            }
            for index in polls.indices { try polls[index].ask(now) }
        }
    }
}

/// What is asked for again and again.
private struct Poll {
    private let client: BenchAdminClient
    private let path: String
    private let interval: Int64
    /// When it is asked for next, in ns.
    private(set) var due: Int64

    init(_ path: String, every interval: Int64, _ port: UInt16) throws {
        client = try BenchAdminClient(port: port)
        self.path = path
        self.interval = interval
        due = monotonicNanoseconds()
    }

    mutating func ask(_ now: Int64) throws {
        if now < due { return }
        // Whoever is late leaves questions out.
        due = max(due + interval, now)
        try client.expect(path)
    }
}
