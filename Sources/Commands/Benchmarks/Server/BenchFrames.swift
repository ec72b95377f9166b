import ArgumentParser
import CommandSupport
import FrameCodec
import LoadReporting

/// `bench frames`: measures frames that are received and acknowledged, pipelined over connections.
struct BenchFrames: Benchmark {
    static let plan = BenchPlan(
        name: "frames",
        what: "frames accepted and acknowledged",
        aim: "CPU within 1.25 times the reference",
        discussion: """
            Two rows for each number of connections. The first compares like with like: pushes \
            that the producer has sent before are framed, recognised and acknowledged, but not \
            parsed, as in the reference. In the rows named checked the router also scans each push \
            as strict JSON and finds that it matches no widget; the reference still reads only the \
            header.
            """,
        quick: "--seconds 0.05 --connections 1"
    )

    @OptionGroup var options: BenchOptions

    @Option(parsing: .upToNextOption, help: "Numbers of connections to measure.")
    var connections = [1, 16, 256]

    @Option(
        help:
            "Maximum of unacknowledged frames per connection; lower if there are many connections.",
        of: "frames"
    )
    var window = 8_192

    func validate() throws {
        try checkNumbers(connections, within: 1...20_000, of: "--connections")
        try checkNumbers([window], within: 1...BenchPublishers.windowLimit, of: "--window")
    }

    func measure(_ run: BenchRun) throws {
        let sides = try [run.router(), run.reference(.acknowledge)]
        for count in connections {
            for isChecked in [false, true] {
                let row = isChecked ? "\(count).checked" : "\(count)"
                // Less with many connections, to limit the memory.
                let load = FrameLoad(
                    connections: count,
                    window: min(window, max(1_024, 131_072 / count)),
                    isChecked: isChecked,
                    name: row
                )
                let results = try load.measure(sides, in: run)
                run.add("\(row).rate", of: results, as: \.rate, unit: "frames/s")
                let aim: BenchAim? = isChecked ? nil : .ratio(1.25)
                run.add("\(row).cpu", of: results, as: \.cpu, unit: "ns/frame", aim: aim)
            }
        }
    }
}

/// Pushes that match no widget, as fast as they are acknowledged. `bench tls` measures it, too.
struct FrameLoad {
    let connections: Int
    /// The most unacknowledged frames of each.
    var window = 8_192
    /// Whether the router is to scan each push; otherwise it takes it for a repetition.
    let isChecked: Bool
    /// Begins the producers' names.
    let name: String

    /// Connects publishers to each side, and lets them push in turn.
    func measure(_ sides: [BenchSide], in run: BenchRun) throws -> [[BenchWindow]] {
        let frames = LoadGeneratorFrames.pushes(BenchApp.unmatchedPush)
        var publishers = 0..<0
        for side in sides {
            if !isChecked { try sendLast(side, frames: frames) }
            publishers = try side.publishers(
                connections,
                window: window,
                named: name,
                sending: frames
            )
            _ = try side.pushWindow(publishers, seconds: run.seconds / 3)
        }
        let results = try run.alternate(sides) { side in
            try side.pushWindow(publishers, seconds: run.seconds)
        }
        for side in sides { try side.generator.closeAll() }
        return results
    }

    /// Makes the producers send one push with a very high number, so that the router takes all
    /// later ones for repetitions.
    private func sendLast(_ side: BenchSide, frames: LoadGeneratorFrames) throws {
        for index in try side.publishers(connections, named: name, sending: frames) {
            side.generator.sendLast(index, frames: frames)
        }
        try side.waitForAcknowledgements()
        try side.generator.closeAll()
    }
}
