import ArgumentParser
import Basics
import CaptureFiles
import CaptureFormat
import CaptureTools
import CommandSupport

/// `capture generate`: writes a capture of a generated burst.
struct CaptureGenerate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generate the capture of a stressful burst, with the devices that receive it.",
        discussion: """
            The same shape, seed and sizes give the same records. All devices register first, then \
            the pushes begin; options left out have the sizes of the shape (--list). \
            deploy/load/README.md describes what each shape stresses. Exit status: 0 done, 1 the \
            file could not be written.
            """
    )

    @Argument(help: "The shape of the burst.")
    var shape: BurstShape?

    @Flag(help: "List the shapes, what they stress and their sizes.")
    var list = false

    @Option(help: "File to create; it must not exist.", of: "file", name: .shortAndLong)
    var output: String?

    @Option(help: "Seed of the burst.")
    var seed: UInt64 = 1

    @Option(help: "Number of devices that receive the burst.")
    var devices: Int?

    @Option(help: "Number of widgets of each device.")
    var widgets: Int?

    @Option(help: "Number of gateway sessions for an app's devices; 0 for one session per device.")
    var gateways: Int?

    @Option(help: "Number of producers of all apps together.")
    var producers: Int?

    @Option(help: "Apps.")
    var apps: Int?

    @Option(help: "Number of characters, symbols, teams or topics of an app.")
    var keys: Int?

    @Option(help: "Pushes per second outside the peak.", of: "pushes")
    var base: Int?

    @Option(help: "Factor on the pushes per second during the peak.")
    var factor: Int?

    @Option(help: "Length of the peak.", of: "seconds")
    var peak: Int?

    @Option(help: "Length of the burst, from the first push to the last.")
    var seconds: Int?

    @Option(help: "Number of devices that register per second.", of: "devices")
    var register: Int?

    @Option(help: "Pushes on the hot key (hot-key only).", of: "pushes")
    var hotPushes: Int?

    @Option(help: "Share of all pushes (chatty-producer only).", of: "percent")
    var chatty: Int?

    @Flag(help: "Give widgets WidgetKit's budgets; otherwise every push leads to RELOADs.")
    var budgets = false

    func validate() throws {
        if list { return }
        guard let shape else { throw ValidationError("a shape is missing; see --list") }
        if output == nil { throw ValidationError("--output is missing: the file to create") }
        if let problem = options(shape).problem { throw ValidationError(problem) }
    }

    /// Returns the shape's defaults with the options that were given.
    private func options(_ shape: BurstShape) -> BurstOptions {
        var options = shape.defaults
        options.seed = seed
        options.hasBudgets = budgets
        let given: [(Int?, WritableKeyPath<BurstOptions, Int>)] = [
            (devices, \.devices), (widgets, \.widgetsPerDevice), (gateways, \.gateways),
            (producers, \.producers), (apps, \.apps), (keys, \.keys), (base, \.basePerSecond),
            (factor, \.peakFactor), (peak, \.peakSeconds), (seconds, \.seconds),
            (register, \.devicesPerSecond), (hotPushes, \.hotPushes), (chatty, \.chattyPercent),
        ]
        for case (let value?, let path) in given { options[keyPath: path] = value }
        return options
    }

    func run() throws {
        guard !list, let shape, let output else { return printLine(table) }
        try write(BurstGenerator(shape, options: options(shape)), to: output)
    }

    private func write(
        _ generator: consuming BurstGenerator,
        to path: String
    ) throws(CaptureError) {
        var file = try CaptureFile(path: path, header: generator.header)
        var pushes = 0
        var last = RecordedTime.zero
        while let record = generator.next() {
            if record.kind == .push { pushes += 1 }
            last = record.time
            try file.put(record)
        }
        let records = file.recordCount
        try file.close()
        printLine(
            "\(path): \(counted(records, noun: "record")), \(counted(pushes, noun: "push", plural: "pushes")), "
                + "the first at \(generator.burstStart.wholeSeconds) s, "
                + "the last record at \(last.wholeSeconds) s"
        )
    }

    /// The text that `--list` prints.
    private var table: String {
        BurstShape.allCases.map { shape in
            let options = shape.defaults
            let sizes =
                "\(options.devices) devices, \(options.widgetsPerDevice) widgets each, "
                + "\(options.apps) apps, \(options.gateways) gateways, "
                + "\(options.producers) producers, \(options.keys) keys; "
                + "\(options.basePerSecond) pushes/s, ×\(options.peakFactor) for "
                + "\(options.peakSeconds) s, in \(options.seconds) s"
            return """
                \(shape.rawValue)
                    \(shape.summary)
                    stresses \(shape.stressedPart)
                    \(sizes)
                """
        }.joined(separator: "\n")
    }
}

extension BurstShape: ExpressibleByArgument {}
