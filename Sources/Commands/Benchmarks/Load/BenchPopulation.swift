import ArgumentParser
import Basics
import CommandSupport
import FrameCodec
import LoadReporting
import Platform

/// Devices with equally many widgets; for each widget there is a push that matches it alone.
struct BenchPopulation {
    let devices: Int
    let widgetsPerDevice: Int

    var widgets: Int { devices * widgetsPerDevice }

    /// The number of connections that speak for the devices.
    static var gateways: Int { 64 }

    /// Each device has as many widgets as all can have: if `devices` does not divide `widgets`,
    /// there are fewer widgets in all, as `widgets` of the population says.
    ///
    /// - Throws: `BenchFailure` if there are more than 1,000,000 widgets, because numbers in names
    ///   have six digits, or 256 on a device.
    init(widgets: Int, devices: Int) throws {
        guard (1...1_000_000).contains(widgets), (1...widgets).contains(devices),
            widgets / devices <= 256
        else {
            throw BenchFailure(
                "\(widgets) widgets on \(devices) devices: there may be 1 to 1,000,000 widgets, "
                    + "and 1 to 256 on a device"
            )
        }
        self.devices = devices
        widgetsPerDevice = widgets / devices
    }

    /// WIDGETS of each device, with the kind for routing unless another is named.
    func frames(
        kind: String = BenchApp.character,
        configuration: String = BenchApp.characterWidget
    ) -> LoadGeneratorFrames {
        .widgets(kind: kind, configuration: configuration, perDevice: widgetsPerDevice)
    }

    /// Connects gateways to a router, and registers all devices through them. Returns what it took,
    /// too, and by how many bytes the router has grown.
    @discardableResult
    func register(
        _ side: BenchSide,
        frames: LoadGeneratorFrames? = nil,
        gateways count: Int = gateways
    ) throws -> (gateways: Range<Int>, window: BenchWindow, bytes: Int) {
        let gateways = try side.generator.connect(count, as: .gateway)
        // A reference needs to know no widgets.
        if side.generator.wire != .router { return (gateways, .nothing, 0) }
        printProgress("registering \(widgets) widgets on \(devices) devices")
        let before = try side.server.process.residentBytes()
        let window = try side.measure {
            try side.register(frames ?? self.frames(), devices: devices, through: gateways)
            return widgets
        }
        return (gateways, window, try side.server.process.residentBytes() - before)
    }
}

/// Options: the widgets that a benchmark's pushes match, and the devices that have them.
struct BenchWidgets: ParsableArguments {
    @Option(help: "Number of widgets, each with a configuration of its own.")
    var widgets = 1_000_000

    @Option(help: "Number of devices that the widgets are on.")
    var devices = 100_000

    func validate() throws { _ = try population }

    var population: BenchPopulation {
        get throws { try BenchPopulation(widgets: widgets, devices: devices) }
    }
}

/// A load of pushes each of which matches one of many widgets: how many publishers push, and how
/// many pushes they keep in flight. `bench store` measures it.
struct BenchPublishers: ParsableArguments {
    @Option(name: .customLong("publishers"), help: "Number of publishers.")
    var count = 16

    @Option(help: "Maximum of unacknowledged pushes of all publishers together.")
    var window = 8_192

    /// The highest number of unacknowledged pushes that an option may ask for.
    static var windowLimit: Int { 10_000_000 }

    func validate() throws {
        try checkNumbers([window], within: 1...Self.windowLimit, of: "--window")
        try checkNumbers([count], within: 1...min(window, 20_000), of: "--publishers")
    }

    /// Registers the widgets at a router without connections, connects the publishers, and pushes
    /// for some time, to find the thread of the server's loop. Returns what measures a window.
    func start(
        _ side: BenchSide,
        population: BenchPopulation,
        seconds: Double
    ) throws -> (_ seconds: Double) throws -> BenchWindow {
        let gateways = try population.register(side).gateways
        let publishers = try side.publishers(
            count,
            window: window / count,
            named: "bench",
            sending: .pushes(BenchApp.characterPush),
            to: { .random(of: population.widgets, seed: UInt64($0)) }
        )
        let push = { (seconds: Double) in
            try side.pushWindow(publishers, subscribers: gateways, seconds: seconds)
        }
        try side.server.findLoop { _ = try push(seconds) }
        return push
    }
}

extension BenchRun {
    /// Adds what pushes cost: their rate, the CPU of the server, and that of its loop's thread.
    func addPushes(_ row: String, of sides: [[BenchWindow]], aim: BenchAim? = nil) {
        add("\(row).rate", of: sides, as: \.rate, unit: "pushes/s")
        add("\(row).cpu", of: sides, as: \.cpu, unit: "ns/push", aim: aim)
        add("\(row).loop", of: sides, as: \.loop, unit: "ns/push")
    }
}
