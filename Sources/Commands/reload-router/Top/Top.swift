import ArgumentParser
import Basics
import CommandSupport
import Glibc

/// `top`: shows what a router does, live in a terminal.
struct Top: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the activity of a router live in a terminal.",
        discussion: """
            Asks the router's admin server for its status once per interval, and shows rates \
            between two of them, latencies, decisions by reason, connections, the store, apps, \
            origins and hot keys. On a terminal q quits and the space bar asks at once; elsewhere \
            a block of tables is printed each interval.

            Exit status: 0 after q or --once, 1 the server refuses the token or its answer is not \
            a status, 2 the server cannot be reached; 128 plus its number after a signal.
            """
    )

    @OptionGroup var admin: AdminOptions

    @Option(help: "The time between two requests.", of: "seconds")
    var interval = 1.0

    @Flag(help: "Print once and exit: tables after two requests, from which rates are computed.")
    var once = false

    @Flag(help: "Print the status as the server sends it, a line of JSON each interval.")
    var json = false

    func validate() throws {
        _ = try AdminAddress(admin.to, options: admin.access.protection)
        if !(0.1...3_600).contains(interval) {
            throw ValidationError("--interval is \(interval); it must be from 0.1 to 3600 seconds")
        }
    }

    func run() throws {
        let session = try TopSession(
            admin.address(),
            interval: Milliseconds(rawValue: Int64(interval * 1_000)),
            format: format,
            isOnce: once
        )
        let code = try session.run()
        if code != .success { throw code }
    }

    private var format: TopSession.Format {
        if json { return .json }
        let isTerminal = !once && isatty(STDOUT_FILENO) == 1 && TopTerminal.isCapable
        return isTerminal ? .screen : .text
    }
}

/// `dashboard`: prints a link that opens the dashboard of a running router once.
struct Dashboard: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print a link to a running router's dashboard, for one visit.",
        discussion: """
            The link is good for ten minutes and for one browser, which then acts for whom the \
            token belongs to until its tab is closed, at most twelve hours. `serve` prints such a \
            link, too, when it starts on an address of this machine.

            Exit status: 0 printed, 1 the server refuses the token, 2 the server cannot be reached.
            """
    )

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let answer = try admin.ask("/v1/links", body: [])
        guard let path = answer["path"].string else {
            throw SettingsProblem("\(admin.to) answers with no link: it is an older router")
        }
        printLine("\(try AdminAddress(admin.to, options: admin.access.protection))\(path)")
    }
}
