internal import Basics

/// A device of the simulated world, its owner, and its connection.
struct WorldDevice {
    /// A fault of the device's app; a few devices have one.
    enum Fault {
        case none
        /// The app requests a reload in answer to every reload.
        case loop
        /// Its timelines end at once and ask for a reload at their end.
        case endsNow
        /// The entries of its timelines are seconds apart.
        case dense
    }

    /// How often the device's owner looks at the home screen.
    enum ViewFrequency {
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

    /// What the device does with frames and timelines.
    var model: SimulatedDevice
    /// What its owner does follows from this stream, in an order that no RELOAD changes.
    var random: SplitMix64
    let firstWidget: UInt32
    let fault: Fault
    let viewFrequency: ViewFrequency
    /// The number of its current connection, and of the last frame on it.
    var connection: UInt32 = 0
    var seq: UInt64 = 0
    var isOnline = false
    /// Whether it has connected for the first time.
    var hasBegun = false
    /// Whether the router knows its widgets as they are.
    var isRegistered = false
    /// Whether its state has changed while the router did not hear of it.
    var hasUnsentState = false
    /// Whether its app has the fault `loop`, and has yet to request the next reload.
    var asksAgain = false

    /// Whether it is online, and the router knows its widgets as they are.
    var isKnown: Bool { isOnline && isRegistered }
}

/// A widget of the simulated world: what it displays, and what the world knows of it.
struct WorldWidget {
    let device: UInt32
    let kind: World.Kind
    var topic: UInt32
    /// Whether its owner has removed it for now.
    var isRemoved = false
    /// Whether a timeline that no RELOAD had asked for did not reach the router.
    var isUnreported = false
    /// The number of timelines built so far.
    var builds: UInt64 = 0
    /// How often it was looked at.
    var views = 0
    /// What its provider was asked last.
    var question: ProviderQuestion?
}

/// All devices of the simulated world and their widgets; the widgets of a device have consecutive
/// numbers.
struct WorldFleet: ~Copyable {
    /// The most widgets on a device.
    static var widgetsPerDevice: Int { 4 }
    /// The router's budgets are checked, so the devices have none of their own.
    private static let rules = DeviceRules(budget: .unlimited)

    var devices: ContiguousArray<WorldDevice> = []
    var widgets: ContiguousArray<WorldWidget> = []

    init(_ options: SimulationOptions, in world: World, at now: WallTime) {
        devices.reserveCapacity(options.devices)
        widgets.reserveCapacity(options.devices * 9 / 4)
        for number in 0..<options.devices {
            add(SplitMix64(seed: options.seed, stream: UInt64(number)), in: world, at: now)
        }
    }

    private mutating func add(_ stream: SplitMix64, in world: World, at now: WallTime) {
        var random = stream
        let count = 1 + random.choice([30, 35, 25, 10])
        assert(count <= Self.widgetsPerDevice, "the device has too many widgets")
        let viewFrequency: [WorldDevice.ViewFrequency] = [.often, .daily, .seldom, .never]
        let first = widgets.count
        var models: [SimulatedWidget] = []
        for number in 0..<count {
            let kind = World.Kind(rawValue: UInt8(random.choice(World.Kind.weights)))!
            widgets.append(
                WorldWidget(
                    device: UInt32(devices.count),
                    kind: kind,
                    topic: world.widgetTopic(kind.family, using: &random)
                )
            )
            // The owner never looks at page 3.
            models.append(
                SimulatedWidget(
                    blank: "w\(number)",
                    kind: Int(kind.rawValue),
                    page: number == 0 ? 0 : random.choice([45, 30, 15, 10]),
                    now: now
                )
            )
        }
        let sight = viewFrequency[random.choice([35, 40, 15, 10])]
        let fault = Self.fault(&random)
        devices.append(
            WorldDevice(
                model: SimulatedDevice(
                    name: "d-\(devices.count)",
                    rules: Self.rules,
                    widgets: models
                ),
                random: random,
                firstWidget: UInt32(first),
                fault: fault,
                viewFrequency: sight
            )
        )
    }

    /// Draws the fault of a device: one in ten thousand has `loop`, one in a thousand each of the
    /// others.
    private static func fault(_ random: inout SplitMix64) -> WorldDevice.Fault {
        switch random.below(10_000) {
        case 0: .loop
        case 1...10: .endsNow
        case 11...20: .dense
        default: .none
        }
    }

    /// Returns the numbers of a device's widgets.
    func widgetNumbers(_ device: UInt32) -> Range<UInt32> {
        let first = devices[Int(device)].firstWidget
        return first..<first + UInt32(devices[Int(device)].model.widgets.count)
    }
}
