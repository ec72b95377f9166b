import ArgumentParser
import CaptureFiles
import CaptureFormat
import CaptureTools
import CommandSupport

/// `capture generate`: writes a capture of a generated burst.
struct CaptureGenerate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Make the capture of a burst that hurts, with the devices that receive it.",
        discussion: """
            The same shape, seed and sizes give the same records. All devices register first, then \
            the pushes begin; what is left out has the shape's own size (--list). \
            deploy/load/README.md tells what each shape hurts. Exit status: 0 done, 1 the file \
            could not be written.
            """
    )

    @Argument(help: "The shape of the burst.")
    var shape: String?

    @Flag(help: "List the shapes, what they hurt and how large they are.")
    var list = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to make; it must not be there.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Option(help: "What the burst is made from.")
    var seed: UInt64 = 1

    @Option(help: "Devices that receive it.")
    var devices: Int?

    @Option(help: "Widgets of each device.")
    var widgets: Int?

    @Option(help: "Sessions that speak for an app's devices; 0 for one of each device.")
    var gateways: Int?

    @Option(help: "Producers, of all apps together.")
    var producers: Int?

    @Option(help: "Apps.")
    var apps: Int?

    @Option(help: "Characters, symbols, teams or topics of an app.")
    var keys: Int?

    @Option(help: ArgumentHelp("Pushes a second beside the peak.", valueName: "pushes"))
    var base: Int?

    @Option(help: "How many times as many there are in the peak.")
    var factor: Int?

    @Option(help: ArgumentHelp("Length of the peak.", valueName: "seconds"))
    var peak: Int?

    @Option(help: "Length of the burst, from the first push to the last.")
    var seconds: Int?

    @Option(help: ArgumentHelp("Devices that register in a second.", valueName: "devices"))
    var register: Int?

    @Option(help: ArgumentHelp("hot-key: pushes on it.", valueName: "pushes"))
    var hotPushes: Int?

    @Option(help: ArgumentHelp("chatty-producer: its share of the pushes.", valueName: "percent"))
    var chatty: Int?

    @Flag(help: "Widgets have WidgetKit's budgets; else every push leads to RELOADs.")
    var budgets = false

    func validate() throws {
        if list { return }
        guard let shape else {
            throw ValidationError("give a shape; --list tells which there are")
        }
        guard let known = BurstShape(rawValue: shape) else {
            let names = BurstShape.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no shape \(shape); there are \(names)")
        }
        if output == nil { throw ValidationError("give --output, the file to make") }
        if let problem = options(known).problem { throw ValidationError(problem) }
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
        if list { return printLine(table) }
        let shape = BurstShape(rawValue: shape!)!
        do throws(CaptureError) {
            try write(BurstGenerator(shape, options: options(shape)), to: output!)
        } catch {
            writeStandardError("reload-lab capture generate: \(error)\n")
            throw ExitStatus.refused
        }
    }

    private func write(
        _ generator: consuming BurstGenerator,
        to path: String
    ) throws(CaptureError) {
        var file = try CaptureFile(path: path, header: generator.header)
        var pushes = 0
        var last: UInt64 = 0
        while let record = generator.next() {
            if record.kind == .push { pushes += 1 }
            last = record.time
            try file.put(record)
        }
        let records = file.recordCount
        try file.close()
        printLine(
            "\(path): \(counted(records, noun: "record")), \(counted(pushes, noun: "push", plural: "pushes")), "
                + "the first at \(generator.burstStart / 1_000_000) s, "
                + "the last record at \(last / 1_000_000) s"
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
                    hurts \(shape.stressedPart)
                    \(sizes)
                """
        }.joined(separator: "\n")
    }
}
