import FrameCodec

/// Widgets with names as apps give them, with eight digits.
struct RestartPopulation {
    /// What all widgets wait for.
    enum Wait {
        case nothing
        /// Each for a date of its own, a month ahead: all within so many seconds.
        case dates(seconds: Int)
        /// Each for its turn at an origin that lets one go in a second.
        case turns
    }

    let widgets: Int
    let widgetsPerDevice: Int
    /// Whether the kind has `shows`, so that the store keeps fields of the last push of each widget.
    let showsFields: Bool
    let wait: Wait

    var devices: Int { widgets / widgetsPerDevice }

    /// Whether all widgets wait for turns: until the sessions end of those who speak for them.
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
        // Room in each second for all dates of ten million that have the same window.
        case .dates: "\"origins\":[{\"origin\":\"api\",\"perSecond\":100000}],"
        case .turns: "\"origins\":[{\"origin\":\"api\",\"perSecond\":1,\"undelayed\":0}],"
        }
    }

    private var origin: String {
        if case .nothing = wait { return "" }
        return "\"origin\":\"api\",\"spread\":{\"mode\":\"ledger\",\"window\":900},"
    }

    /// Pushes for the widget of one character.
    var pushes: LoadGeneratorFrames {
        .pushes(
            "{\"character\":\"character-########\",\"event\":\"level-up\",\"level\":30,"
                + "\"health\":0.75,\"guild\":\"guild-000204\",\"at\":1767225600000}"
        )
    }

    /// Registers all devices through the gateways, which are waiting, and lets their widgets ask for
    /// their dates.
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

    /// More of the journal than what `queue` leads to, and not much more.
    var queueByteCount: Int { isQueued ? 64 * devices + 32 * widgets : 0 }

    /// Lets gateways that have just connected speak for all devices, and all widgets wait.
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
