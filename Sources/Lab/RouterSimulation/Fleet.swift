internal import DataStructures

/// A simulated device: its random stream, its session, and what it has reported to the router.
struct SimulatedDevice: BitwiseCopyable {
    /// A fault of the device's app; a few devices have one.
    enum Fault: UInt8, BitwiseCopyable {
        case none
        /// The app requests a reload in answer to every reload.
        case loop
        /// Its timelines end at once and ask for a reload at their end.
        case endsNow
        /// The entries of its timelines are seconds apart.
        case dense
    }

    /// How often the device's owner looks at the home screen.
    enum ViewFrequency: UInt8, BitwiseCopyable {
        case often, daily, seldom, never

        /// Views per day, in hundredths.
        var perDay: Int64 {
            switch self {
            case .often: 1_500
            case .daily: 300
            case .seldom: 50
            case .never: 0
            }
        }
    }

    /// Flag: it has a connection.
    static var online: UInt8 { 1 }
    /// Flag: the app is in the foreground.
    static var front: UInt8 { 2 }
    /// Flag: it has reported to the router that the app is in the foreground.
    static var frontReported: UInt8 { 4 }
    /// Flag: it has reported visible widgets to the router.
    static var sightReported: UInt8 { 8 }
    /// Flag: it has reported to the router that media is playing.
    static var mediaReported: UInt8 { 16 }
    /// Flag: the widgets on the device differ from those that the router has stored.
    static var dirty: UInt8 { 32 }
    /// Flag: the app has the fault `loop`, and has yet to request the next reload.
    static var asks: UInt8 { 64 }

    var random: SplitMix64
    var firstWidget: UInt32
    /// The sequence number of the last frame on this connection.
    var seq: UInt32 = 0
    /// The number of its current connection.
    var connection: UInt16 = 0
    var widgetCount: UInt8
    var flags: UInt8 = dirty
    var fault: Fault
    var viewFrequency: ViewFrequency

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    mutating func set(_ flag: UInt8, to isSet: Bool) {
        flags = isSet ? flags | flag : flags & ~flag
    }
}

/// A simulated widget, as its device has it.
struct SimulatedWidget: BitwiseCopyable {
    /// Flag: it is on the home screen; otherwise its owner has removed it for now.
    static var placed: UInt8 { 1 }
    /// Flag: WidgetKit is having a timeline built.
    static var building: UInt8 { 2 }
    /// Flag: RELOAD contained the values that the timeline needs.
    static var hasValues: UInt8 { 4 }
    /// Flag: it was added or configured anew, and has had no timeline since.
    static var new: UInt8 { 8 }

    var device: UInt32
    var topic: UInt32
    /// The RELOAD that the timeline being built answers; 0 for none.
    var reload: UInt32 = 0
    /// The number of timelines built so far.
    var builds: UInt16 = 0
    /// How often it was looked at.
    var views: UInt16 = 0
    var kind: World.Kind
    var flags: UInt8 = placed | new
    /// The page of the home screen that it is on, 0 to 3. The owner never looks at page 3.
    var page: UInt8

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    mutating func set(_ flag: UInt8, to isSet: Bool) {
        flags = isSet ? flags | flag : flags & ~flag
    }
}

/// All simulated devices and their widgets; the widgets of a device have consecutive numbers.
struct Fleet: ~Copyable {
    /// The most widgets on a device.
    static var widgetsPerDevice: Int { 4 }

    var devices: ContiguousArray<SimulatedDevice> = []
    var widgets: ContiguousArray<SimulatedWidget> = []

    init(_ options: SimulationOptions, in world: World) {
        devices.reserveCapacity(options.devices)
        widgets.reserveCapacity(options.devices * 9 / 4)
        for number in 0..<options.devices {
            add(SplitMix64(seed: options.seed, stream: UInt64(number)), in: world)
        }
    }

    private mutating func add(_ stream: SplitMix64, in world: World) {
        var random = stream
        let count = 1 + random.choice([30, 35, 25, 10])
        assert(count <= Self.widgetsPerDevice, "the device has too many widgets")
        let viewFrequency: [SimulatedDevice.ViewFrequency] = [.often, .daily, .seldom, .never]
        let first = widgets.count
        for number in 0..<count {
            let kind = World.Kind(rawValue: UInt8(random.choice(World.Kind.weights)))!
            widgets.append(
                SimulatedWidget(
                    device: UInt32(devices.count),
                    topic: world.widgetTopic(kind.family, using: &random),
                    kind: kind,
                    page: number == 0 ? 0 : UInt8(random.choice([45, 30, 15, 10]))
                )
            )
        }
        let sight = viewFrequency[random.choice([35, 40, 15, 10])]
        let fault = Self.fault(&random)
        devices.append(
            SimulatedDevice(
                random: random,
                firstWidget: UInt32(first),
                widgetCount: UInt8(count),
                fault: fault,
                viewFrequency: sight
            )
        )
    }

    /// Draws the fault of a device: one in ten thousand has `loop`, one in a thousand each of the
    /// others.
    private static func fault(_ random: inout SplitMix64) -> SimulatedDevice.Fault {
        switch random.below(10_000) {
        case 0: .loop
        case 1...10: .endsNow
        case 11...20: .dense
        default: .none
        }
    }

    /// Returns the numbers of a device's widgets.
    func widgetNumbers(_ device: UInt32) -> Range<UInt32> {
        let record = devices[Int(device)]
        return record.firstWidget..<record.firstWidget + UInt32(record.widgetCount)
    }
}
