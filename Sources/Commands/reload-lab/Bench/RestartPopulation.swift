import FrameCodec

/// The widgets in the store of `bench restart`. Their names are as long as those of real apps, with
/// eight digits.
struct RestartPopulation {
    /// What all widgets are waiting for when the store is written.
    enum Wait {
        case nothing
        /// A date of its own for each, a month ahead, all within so many seconds.
        case dates(seconds: Int)
        /// A permit of an origin that grants one in a second.
        case turns
    }

    let widgets: Int
    let widgetsPerDevice: Int
    /// True if the kind declares `shows`, so that the store keeps fields of each widget's last
    /// push.
    let showsFields: Bool
    let wait: Wait

    var devices: Int { widgets / widgetsPerDevice }

    /// True if all widgets wait for permits, which ends with the sessions that speak for them.
    var isQueued: Bool {
        if case .turns = wait { return true }
        return false
    }

    /// The app file.
    var appFile: String {
        let shows = showsFields ? "\"shows\":[\"level\",\"health\"]," : ""
        return """
            {"apps":[{"app":"\(BenchApp.name)",\(origins)"kinds":[{"kind":"\(BenchApp.character)",
            \(shows)\(origin)
            "budget":"unlimited","match":{"character":["${configuration.character}"]}}]}]}
            """
    }

    private var origins: String {
        switch wait {
        case .nothing: ""
        // Each second has slots for all dates of ten million widgets that have the same window.
        case .dates: "\"origins\":[{\"origin\":\"api\",\"perSecond\":100000}],"
        case .turns: "\"origins\":[{\"origin\":\"api\",\"perSecond\":1,\"undelayed\":0}],"
        }
    }

    private var origin: String {
        if case .nothing = wait { return "" }
        return "\"origin\":\"api\",\"spread\":{\"mode\":\"ledger\",\"window\":900},"
    }

    /// Pushes for the widget of one character each.
    var pushes: LoadGeneratorFrames {
        .pushes(
            "{\"character\":\"character-########\",\"event\":\"level-up\",\"level\":30,"
                + "\"health\":0.75,\"guild\":\"guild-000204\",\"at\":1767225600000}"
        )
    }

    /// Registers all devices through gateways that are idle, and asks for the widgets' dates.
    func register(_ side: BenchSide, through gateways: Range<Int>) throws {
        let frames = LoadGeneratorFrames.widgets(
            kind: BenchApp.character,
            configuration: "{\"character\":\"character-########\"}",
            perDevice: widgetsPerDevice,
            device: Self.device,
            widget: Self.widget
        )
        try side.register(frames, devices: devices, through: gateways)
        guard case .dates(let seconds) = wait else { return }
        for place in 0..<widgetsPerDevice {
            let timelines = LoadGeneratorFrames.timelines(
                device: Self.device,
                widget: Self.widget,
                place: place,
                of: widgetsPerDevice,
                millisecondsApart: seconds * 1_000 / widgets
            )
            try side.register(timelines, devices: devices, through: gateways)
        }
    }

    /// Journal bytes that exceed what `queue` writes, though not by much.
    var queueByteCount: Int { isQueued ? 64 * devices + 32 * widgets : 0 }

    /// Lets gateways that have just connected speak for all devices, and makes all widgets wait.
    func queue(_ side: BenchSide, through gateways: Range<Int>) throws {
        let states = LoadGeneratorFrames.states(device: Self.device)
        try side.register(states, devices: devices, through: gateways)
        try pushToEach(side)
    }

    /// Pushes to each widget once.
    func pushToEach(_ side: BenchSide) throws {
        let publisher = try side.generator.connect(1, as: .publisher) { _ in "each" }
        side.generator.start(publisher.lowerBound, pushes, .every(1, from: 0), count: widgets)
        try side.waitForAcknowledgements(within: 3_600)
    }

    private static let device = "5b1f8a52-7c1e-4d0a-9e63-0000########"
    private static let widget = "character-detail-########"
}
