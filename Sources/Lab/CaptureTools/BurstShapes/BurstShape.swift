/// The shapes of bursts, each of which stresses a different part of a router.
package enum BurstShape: String, CaseIterable, Sendable {
    case flashCrowd = "flash-crowd"
    case matchEnd = "match-end"
    case marketOpen = "market-open"
    case hotKey = "hot-key"
    case chattyProducer = "chatty-producer"
    case reconnects = "reconnect-storm"
    case manyApps = "many-apps"

    /// What happens, in a few words.
    package var summary: String {
        switch self {
        case .flashCrowd:
            "steady news, then the peak within one second, and a long exponential tail"
        case .matchEnd: "steady scores, then all teams at once until the final whistle"
        case .marketOpen: "nothing, then a wall of quotes on the second; few symbols have most"
        case .hotKey: "steady pushes, and a few on one character that every device shows"
        case .chattyProducer: "one of many producers sends half of all pushes, on a few keys"
        case .reconnects: "steady pushes; in the middle all sessions end and begin again"
        case .manyApps: "thousands of small apps with a few devices each; one peak for all"
        }
    }

    /// The part of a router that this shape stresses.
    package var stressedPart: String {
        switch self {
        case .flashCrowd: "queues: how long until they are drained, and whether they are bounded"
        case .matchEnd: "fan-out: every device has something to reload within a minute"
        case .marketOpen: "the first second: no caches are warm, no buffers grown"
        case .hotKey: "fairness: others wait behind one push with very many matches"
        case .chattyProducer: "fairness between producers, and coalescing"
        case .reconnects: "accepting, registering again, and repeated RELOADs"
        case .manyApps: "whatever is looked up or kept for each app, and cold memory"
        }
    }

    /// The options of this shape where the user gives no others.
    package var defaults: BurstOptions {
        var options = BurstOptions()
        switch self {
        case .flashCrowd: break
        case .matchEnd:
            (options.keys, options.seconds) = (64, 120)
            (options.peakFactor, options.peakSeconds) = (20, 60)
        case .marketOpen: (options.keys, options.peakFactor, options.peakSeconds) = (5_000, 50, 1)
        case .hotKey:
            (options.widgetsPerDevice, options.gateways) = (10, 64)
            (options.peakFactor, options.basePerSecond) = (1, 500)
        case .chattyProducer:
            (options.producers, options.basePerSecond, options.peakFactor) = (20, 500, 1)
        case .reconnects:
            (options.gateways, options.devices, options.devicesPerSecond) = (0, 2_000, 1_000)
            (options.peakFactor, options.peakSeconds, options.seconds) = (1, 2, 30)
        case .manyApps:
            (options.apps, options.gateways, options.producers) = (1_000, 1, 1_000)
            (options.keys, options.peakFactor, options.seconds) = (10, 20, 30)
        }
        return options
    }

    /// The subject that pushes and widgets are about.
    var domain: BurstDomain {
        switch self {
        case .flashCrowd: .news
        case .matchEnd: .sport
        case .marketOpen, .chattyProducer: .stocks
        case .hotKey, .reconnects, .manyApps: .game
        }
    }
}
