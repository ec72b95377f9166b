import FrameCodec

/// The widgets in the store of `bench restart`. Their names are as long as those of real apps, with
/// eight digits.
struct RestartPopulation {
    /// What all widgets are waiting for when the store is written.
    enum PendingCause {
        case nothing
        /// Each widget waits for its own date, more than a month ahead; all dates lie within this
        /// number of seconds.
        case dates(seconds: Int)
        /// All wait for permits of an origin that grants one per second.
        case permits
    }

    let widgets: Int
    let widgetsPerDevice: Int
    /// True if the kind has observed fields, so that the store keeps their values for each widget.
    let hasObservedFields: Bool
    let pendingCause: PendingCause

    var devices: Int { widgets / widgetsPerDevice }

    /// True if all widgets wait for permits. The waiting ends with the sessions of their devices.
    var isQueued: Bool {
        if case .permits = pendingCause { return true }
        return false
    }

    /// The app file.
    var appFile: String {
        // `shows` is the former name of `observes`; the previous version of the router knows it.
        let observes = hasObservedFields ? "\"shows\":[\"level\",\"health\"]," : ""
        return """
            {"apps":[{"app":"\(BenchApp.name)",\(BenchApp.open),\(origins)"kinds":[{"kind":"\(BenchApp.character)",
            \(observes)\(origin)
            "budget":"unlimited","match":{"character":["${configuration.character}"]}}]}]}
            """
    }

    private var origins: String {
        switch pendingCause {
        case .nothing: ""
        // A rate that suffices even if the dates of ten million widgets share one window.
        case .dates: "\"origins\":[{\"origin\":\"api\",\"perSecond\":100000}],"
        case .permits: "\"origins\":[{\"origin\":\"api\",\"perSecond\":1,\"undelayed\":0}],"
        }
    }

    private var origin: String {
        if case .nothing = pendingCause { return "" }
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
        guard case .dates(let seconds) = pendingCause else { return }
        for position in 0..<widgetsPerDevice {
            let timelines = LoadGeneratorFrames.timelines(
                device: Self.device,
                widget: Self.widget,
                position: position,
                of: widgetsPerDevice,
                millisecondsApart: seconds * 1_000 / widgets
            )
            try side.register(timelines, devices: devices, through: gateways)
        }
    }

    /// A number of bytes slightly above what `queue` adds to the journal.
    var queueByteCount: Int { isQueued ? 64 * devices + 32 * widgets : 0 }

    /// Lets gateways that have just connected speak for all devices, and makes all widgets wait for
    /// permits.
    func queue(_ side: BenchSide, through gateways: Range<Int>) throws {
        let states = LoadGeneratorFrames.states(device: Self.device)
        try side.register(states, devices: devices, through: gateways)
        try pushToEach(side)
    }

    /// Pushes to each widget once.
    func pushToEach(_ side: BenchSide) throws {
        let publisher = try side.generator.connect(1, as: .publisher) { _ in "each" }
        side.generator.start(
            publisher.lowerBound,
            sending: pushes,
            to: .every(1, from: 0),
            count: widgets
        )
        try side.waitForAcknowledgements(within: 3_600)
    }

    private static let device = "5b1f8a52-7c1e-4d0a-9e63-0000########"
    private static let widget = "character-detail-########"
}
