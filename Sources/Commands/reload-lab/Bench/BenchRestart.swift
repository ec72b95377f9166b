import ArgumentParser
import FrameCodec

/// `bench restart`: measures the start of a router on a full store, until it listens.
struct BenchRestart: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart",
        abstract: "Time from the start of a router on a full store until it listens.",
        discussion: """
            A router registers all widgets, writes no checkpoint and is killed. The next one \
            follows that journal (`replay`), and writes a checkpoint of everything while it \
            receives pushes at a fixed rate; a PING each ms measures how long it does not answer \
            (`block`, the longest; the reference is the same before the checkpoint; `turn` is the \
            longest tick of its loop, as the router reports it). After as many more pushes as \
            `--tail` sets, it is killed, too. The measured start follows: until the router reports \
            that it listens.

            With `--dates` or `--queued` all widgets wait at one origin, whose ledger and queue \
            are written with the rest. The queue matters only for the checkpoint: the router that \
            is started on it finds that no session is left.

            A part of `time` and of `cpu.system` is the memory that any router of that size needs: \
            on a virtual machine the host supplies each page when it is first touched. The \
            reference of both is a process that touches as many bytes as the router has resident, \
            each page once, and does nothing else. It is a new process each time, started like the \
            router right after another one has ended.
            """
    )

    @OptionGroup var rounds: BenchRounds

    @Option(help: "Number of widgets, each with a configuration of its own.")
    var widgets = 1_000_000

    @Option(help: ArgumentHelp("Number of widgets of each device.", valueName: "widgets"))
    var widgetsPerDevice = 1

    @Flag(help: "Declare observed fields; each widget has received a push.")
    var kindFields = false

    @Option(
        help: ArgumentHelp(
            "Give each widget a date at an origin, all within this number of seconds.",
            valueName: "seconds"
        )
    )
    var dates: Int?

    @Flag(help: "Let all widgets wait for a permit at an origin.")
    var queued = false

    @Option(help: ArgumentHelp("Pushes per second during the checkpoint.", valueName: "pushes"))
    var rate = 10_000

    @Option(help: ArgumentHelp("Number of pushes after the checkpoint.", valueName: "pushes"))
    var tail = 500_000

    @Option(
        help: ArgumentHelp("Folder for the store, on the disk to measure."),
        completion: .directory
    )
    var folder = "/var/tmp"

    func validate() throws {
        if !(1...50_000_000).contains(widgets) {
            throw ValidationError("--widgets is \(widgets); it must be from 1 to 50000000")
        }
        if !(1...256).contains(widgetsPerDevice) || widgets % widgetsPerDevice != 0 {
            throw ValidationError(
                "--widgets-per-device is \(widgetsPerDevice); it must be from 1 to 256 and divide "
                    + "\(widgets), the widgets"
            )
        }
        if !(1...100_000).contains(rate) {
            throw ValidationError("--rate is \(rate); it must be from 1 to 100000")
        }
        if let dates, !(1...900_000).contains(dates) {
            throw ValidationError("--dates is \(dates); it must be from 1 to 900000")
        }
        if dates != nil && queued {
            throw ValidationError("--dates and --queued exclude each other")
        }
        if tail < 0 { throw ValidationError("--tail is \(tail); it must not be negative") }
    }

    func run() throws {
        let run = RestartRun(
            folder: try BenchFolder(in: folder),
            population: RestartPopulation(
                widgets: widgets,
                widgetsPerDevice: widgetsPerDevice,
                hasObservedFields: kindFields,
                pendingCause: dates.map { .dates(seconds: $0) } ?? (queued ? .permits : .nothing)
            )
        )
        var report = BenchReport(json: rounds.json)
        try run.register()
        let journal = try run.replay(&report)
        try run.checkpoint(after: journal + 1 << 20, rate: rate, tail: tail, reportingTo: &report)
        try run.restart(rounds.count(otherwise: 3), reportingTo: &report)
        report.print()
    }
}
