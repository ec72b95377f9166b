import ArgumentParser
import Basics
import CommandSupport
import FrameCodec
import LibuvLoop
import LoadReporting
import Platform

/// `bench fanout`: measures a push that reloads many devices, each on its own connection.
struct BenchFanout: Benchmark {
    static let plan = BenchPlan(
        name: "fanout",
        what: "one push to 1,000 and 9,900 connections",
        aim: "CPU within 1.15 times",
        discussion: """
            One push at a time, to devices with a connection each. The reference writes the same \
            number of bytes to each connection.
            """,
        quick: "--seconds 0.05 --devices 50"
    )

    @OptionGroup var options: BenchOptions

    @Option(parsing: .upToNextOption, help: "Numbers of devices to measure.")
    var devices = [1_000, 9_900]

    func validate() throws {
        // The name of a device has six digits.
        try checkNumbers(devices, within: 1...1_000_000, of: "--devices")
    }

    func measure(_ run: BenchRun) throws {
        for wanted in devices {
            // The connections of both servers are open at once.
            let load = FanoutLoad(devices: connectionsAllowed(wanted, share: 2))
            let results = try load.measure([run.router(), run.reference(.fanout)], in: run)
            run.stopServers()
            let (row, aim) = ("\(load.devices)", BenchAim.ratio(1.15))
            run.add("\(row).cpu", of: results, as: \.cpu, unit: "ns/delivery", aim: aim)
            run.add("\(row).last", of: results, as: \.time, unit: "µs to the last")
        }
    }
}

/// The number of connections asked for, or as many as the system allows if `share` servers have as
/// many at once.
func connectionsAllowed(_ wanted: Int, share: Int) -> Int {
    let most = (raiseFileDescriptorLimit() - 64) / share
    if wanted > most {
        writeStandardError("\(wanted) devices: the system allows \(most) connections\n")
    }
    return min(wanted, most)
}

/// One push after the other to devices with a connection each. `bench tls` measures it, too.
struct FanoutLoad {
    let devices: Int

    /// Connects the devices and a publisher to each side, and lets them push in turn.
    func measure(_ sides: [BenchSide], in run: BenchRun) throws -> [[BenchWindow]] {
        for side in sides {
            try prepare(side)
            _ = try push(side, seconds: run.seconds / 3)
        }
        return try run.alternate(sides) { try push($0, seconds: run.seconds) }
    }

    private func prepare(_ side: BenchSide) throws {
        let population = try BenchPopulation(widgets: devices, devices: devices)
        let connections = try side.generator.connect(devices, as: .device) { index in
            "d-" + String(String(1_000_000 + index).dropFirst())
        }
        if side.generator.wire == .router {
            try side.register(
                population.frames(kind: BenchApp.topic, configuration: BenchApp.topicWidget),
                devices: devices,
                through: connections
            )
        }
        _ = try side.publishers(1, named: "fanout", sending: .pushes(BenchApp.topicPush))
    }

    /// Pushes, waits for the ACK and for the RELOAD of every device, and pushes again, until the
    /// time is over.
    private func push(_ side: BenchSide, seconds: Double) throws -> BenchWindow {
        let generator = side.generator
        assert(generator.connections.count == devices + 1, "the publisher is not the last")
        let end = ExactTime.now + Nanoseconds(seconds: seconds)
        var times: [Double] = []
        var start = ExactTime.none
        func push() {
            assert(generator.unacknowledged == 0, "the push before is not acknowledged")
            generator.goalTime = nil
            generator.reloadGoal = generator.reloads + devices
            start = ExactTime.now
            generator.resume(devices, count: 1)
        }
        var window = try side.measure {
            push()
            try generator.bench.run(until: "every device got its RELOAD", within: seconds + 30) {
                guard let goalTime = generator.goalTime, generator.unacknowledged == 0 else {
                    return false
                }
                times.append((goalTime - start).inNanoseconds)
                if ExactTime.now >= end { return true }
                push()
                return false
            }
            return times.count * devices
        }
        window.median = Nanoseconds(rawValue: Int64(median(times)))
        return window
    }
}
