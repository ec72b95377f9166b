import Platform
import Times

/// Devices with equally many widgets; for each widget there is a push that matches it alone.
struct BenchPopulation {
    let devices: Int
    let widgetsPerDevice: Int

    var widgets: Int { devices * widgetsPerDevice }

    /// Makes a population, unless the numbers are too high: those in names have six digits.
    ///
    /// Each device has as many widgets as all can have: if `devices` does not divide `widgets`,
    /// there are fewer widgets in all, as `widgets` of the population says.
    ///
    /// - Throws: `BenchFailure` if there are more than 1,000,000 widgets, or 256 on a device.
    static func make(widgets: Int, devices: Int) throws -> BenchPopulation {
        guard (1...1_000_000).contains(widgets), (1...widgets).contains(devices),
            widgets / devices <= 256
        else {
            throw BenchFailure(
                "\(widgets) widgets on \(devices) devices: there may be 1 to 1,000,000 widgets, "
                    + "and 1 to 256 on a device"
            )
        }
        return BenchPopulation(devices: devices, widgetsPerDevice: widgets / devices)
    }

    /// The costs of storing the population.
    struct StorageCosts {
        var window: BenchWindow
        /// Resident bytes of the server per widget.
        var bytesPerWidget: Double
    }

    /// Registers all devices through gateways that are idle.
    func register(_ side: BenchSide, through gateways: Range<Int>) throws -> StorageCosts {
        printProgress("registering \(widgets) widgets on \(devices) devices")
        let before = try side.server.process.residentBytes()
        let frames = LoadGeneratorFrames.widgets(
            kind: BenchApp.character,
            configuration: BenchApp.characterWidget,
            perDevice: widgetsPerDevice
        )
        let window = try side.measure {
            try side.register(frames, devices: devices, through: gateways)
            return widgets
        }
        let after = try side.server.process.residentBytes()
        return StorageCosts(
            window: window,
            bytesPerWidget: Double(after - before) / Double(widgets)
        )
    }
}
