import ArgumentParser
import CaptureFiles
import CaptureTools
import CommandSupport
import LibuvLoop
import Logging
import Platform
import RouterCore
import RouterServer
import Times

/// `record`: runs a proxy in front of a router, and records what the router accepts.
struct Record: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Record what a router accepts, as a proxy in front of it.",
        discussion: """
            Clients connect to this proxy, the tap; it passes bytes in both directions \
            unchanged. What the router acknowledges is written to the capture, with the time of \
            its arrival at the tap. Tokens are never written. The tap knows neither what the \
            router has stored nor its app file: name that with --apps, because a replay needs it. \
            SIGINT and SIGTERM drain. A router records by itself with `serve --record`, which \
            costs less and records more.
            """
    )

    @Argument(
        help: ArgumentHelp("Capture to write; a new file each time.", valueName: "file"),
        completion: .file()
    )
    var file: String

    @Option(help: ArgumentHelp("Address to listen on.", valueName: "host:port"))
    var listen = "localhost:7420"

    @Option(help: ArgumentHelp("Address of the router.", valueName: "host:port"))
    var to = "localhost:7410"

    @Option(
        help: ArgumentHelp("App file of the router, for the capture.", valueName: "file"),
        completion: .file(extensions: ["json"])
    )
    var apps: String?

    @Option(
        help: ArgumentHelp(
            "Size after which a new file begins.",
            valueName: "bytes"
        )
    )
    var recordFileBytes = CaptureWriterOptions().fileByteLimit

    @Option(help: ArgumentHelp("Time after which a new file begins.", valueName: "seconds"))
    var recordFileSeconds = CaptureWriterOptions().fileSecondLimit

    @Option(
        help: ArgumentHelp(
            "Number of files to keep; the oldest are deleted. (default: all)",
            valueName: "files"
        )
    )
    var recordKeep: Int?

    @Flag(help: "Record hashes in place of values: equality is preserved, the values are not.")
    var redact = false

    @Option(help: ArgumentHelp("As for `serve`. (default: info)", valueName: "level"))
    var logLevel = "info"

    @Option(help: ArgumentHelp("As for `serve`. (default: auto)", valueName: "format"))
    var logFormat = "auto"

    func validate() throws {
        if Endpoint(listening: listen) == nil {
            throw ValidationError(Endpoint.problem(listen, of: "--listen"))
        }
        if Endpoint(to) == nil { throw ValidationError(Endpoint.problem(to, of: "--to")) }
        if let recordKeep, recordKeep < 1 {
            throw ValidationError("--record-keep is \(recordKeep); it must be at least 1")
        }
    }

    func run() throws {
        let (logger, limiter) = try LogSettings(level: logLevel, format: logFormat).makeLogger(
            of: "reload-lab"
        )
        defer { limiter.report(isLast: true) }
        var options = CaptureWriterOptions()
        options.fileByteLimit = recordFileBytes
        options.fileSecondLimit = recordFileSeconds
        options.keepsFiles = recordKeep
        options.isRedacted = redact
        let configuration = TapConfiguration(
            listen: Endpoint(listening: listen)!,
            router: Endpoint(to)!,
            path: file,
            options: options,
            appFile: try apps.map { try loadAppFile($0).source } ?? []
        )
        if apps == nil {
            logger.warning("the capture has no app file, which a replay needs: name it with --apps")
        }
        var random = SystemRandomNumberGenerator()
        let tap: Tap
        do {
            tap = try Tap(
                configuration,
                recording: random.next(),
                startedAt: RecordedDate(.now),
                logger: logger
            )
        } catch let error as ListenError {
            throw SettingsProblem("\(error); --listen HOST:PORT sets another address")
        }
        for address in tap.listeningAddresses { printLine("listening on \(address)") }
        try tap.run()
    }
}
