import ArgumentParser
import Basics
import CommandSupport
import Glibc
import LoadReporting
import RouterSimulation

/// `simulate`: plays days of many devices against the real router, in simulated time.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play a day of many devices, in accelerated time.",
        discussion: """
            Drives the router itself with simulated time, network, devices and publishers: people \
            look at widgets, apps come to the front, devices go offline, pushes come one by one \
            and in bursts, and dates coincide. The same day is played once for each mode of \
            spreading; every RELOAD is checked against the rules, and a run that breaks one stops \
            and prints how to reproduce it.

            Prints a summary of the recorded hours (the work in the JSON includes the hour before \
            them); with --output, writes summary.json and report.html into a \
            folder, which is created if it does not exist. The same seed gives the same bytes, \
            but for date, machine and command. Time and memory go to standard error. Exit status: \
            0 done, 1 a rule was broken or a file could not be written.
            """
    )

    @Option(help: "Number of devices, with about two widgets each.")
    var devices = 100_000

    @Option(help: "Number of hours to record, after one in which the devices connect.")
    var hours = 24

    @Option(help: "Hour after Monday 0:00 at which the record begins, from 0 to 167.", of: "hour")
    var from = 0

    @Option(help: "Seed of the day.")
    var seed: UInt64 = 1

    @Option(help: "Play only this mode of spreading.")
    var mode: SpreadPolicy.Mode?

    @Option(help: "Folder for summary.json and report.html.", of: "directory")
    var output: String?

    @Option(
        help: "Print the frames of this device, counted from 0, to standard error.",
        of: "number"
    )
    var trace: UInt32?

    @Flag(help: "Print the JSON instead of the summary.")
    var json = false

    private var options: SimulationOptions {
        var options = SimulationOptions()
        options.devices = devices
        options.hours = hours
        options.firstHour = from
        options.seed = seed
        return options
    }

    private var modes: [SpreadPolicy.Mode] {
        mode.map { [$0] } ?? SpreadPolicy.Mode.allCases
    }

    func validate() throws {
        if let problem = options.problem { throw ValidationError(problem) }
        if let trace, trace >= devices {
            throw ValidationError("--trace is \(trace); it must be below --devices, \(devices)")
        }
    }

    func run() throws {
        if let output { try makeFolder(output) }
        let provenance = Provenance()
        let report = SimulationReport(
            options: options,
            records: try modes.map { try play($0) },
            provenance: provenance
        )
        // The summary is printed first: if the disk is full, only the files are lost.
        let summary = String(decoding: report.json, as: UTF8.self)
        printLine(String((json ? summary : report.page.text).dropLast()))
        if let output {
            try ReportFile.write(summary, to: "\(output)/summary.json")
            try ReportFile.write(report.page.html(), to: "\(output)/report.html")
        }
    }

    private func play(_ mode: SpreadPolicy.Mode) throws -> DayRecord {
        let begin = ContinuousClock.now
        var simulation = Simulation(options, mode: mode)
        simulation.tracedDevice = trace
        simulation.trace = { writeStandardError("\($0)\n") }
        let record = try simulation.run { percent in
            Progress.update("mode \(mode.rawValue), \(percent) %")
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        let work = record.work
        let events = work.events + work.framesSent + work.framesReceived
        writeStandardError(
            "\(mode.rawValue): \(Int(seconds * 10) / 10).\(Int(seconds * 10) % 10) s, "
                + "\(Int(Double(events) / seconds)) events and frames/s, "
                + "\(peakMemory() >> 20) MiB\n"
        )
        return record
    }

    /// Returns the peak of this process's resident memory, in bytes.
    private func peakMemory() -> Int {
        var usage = rusage()
        unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
        return usage.ru_maxrss << 10
    }

    /// Makes the output folder. This is done before the run, which may take many minutes, so that a
    /// path that cannot be written is reported at once.
    private func makeFolder(_ path: String) throws {
        if unsafe mkdir(path, 0o755) != 0 && errno != EEXIST {
            throw SettingsProblem(unwritable: path)
        }
        if unsafe access(path, W_OK | X_OK) != 0 { throw SettingsProblem(unwritable: path) }
    }
}

extension SpreadPolicy.Mode: ExpressibleByArgument {}
