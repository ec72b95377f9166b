internal import Basics

/// The app of the simulated world: its kinds, the topics of widgets, and its origin.
///
/// A *topic* is a value that widgets are configured with and pushes name: a character, a stock, a
/// team, a region or a place. Each family of topics has a parameter of its own; the rules of its
/// kinds compare this parameter with the member of the same name.
struct World: Sendable {
    /// The kinds of widgets, each with a different pattern of load.
    enum Kind: UInt8, CaseIterable, BitwiseCopyable {
        /// A game's character: pushes about single characters, and bursts of pushes; its provider
        /// calls the origin.
        case character
        /// The health of the same characters: RELOAD contains it as an inlined value, so the origin
        /// is not called.
        case health
        /// A stock: asks for a reload at each full hour while the market is open, or else when it
        /// opens.
        case quote
        /// A team: asks for reloads at the beginning and the end of the evening's match.
        case score
        /// News of a region: timelines end every six hours, at midnight as well; gets broadcasts.
        case headline
        /// A place's weather: asks for a reload about every two hours, and uses the location.
        case weather

        var family: Family {
            switch self {
            case .character, .health: .character
            case .quote: .stock
            case .score: .team
            case .headline: .region
            case .weather: .place
            }
        }

        var name: String { "\(self)" }

        /// How frequent each kind is among the widgets, in per cent.
        static let weights: [Int64] = [26, 14, 22, 13, 15, 10]

        /// True if the provider fetches from the origin, unless RELOAD has inlined values.
        var callsOrigin: Bool { self != .health }
    }

    /// The families of topics.
    enum Family: UInt8, CaseIterable, BitwiseCopyable {
        case character, stock, team, region, place

        var parameter: String { "\(self)" }
    }

    static let app = "world"
    static let origin = "api.world"
    /// When the evening's match begins, from midnight.
    static let matchBegins = Milliseconds.hours(19) + .minutes(30)
    /// When the evening's match ends, from midnight.
    static let matchEnds = Milliseconds.hours(21) + .minutes(20)
    /// When the market opens, from midnight.
    static let marketOpens = Milliseconds.hours(9)
    /// When the market closes, from midnight.
    static let marketCloses = Milliseconds.hours(17)

    /// The number of the first topic of each family, followed by the number of all topics.
    private let firstTopics: [UInt32]
    /// The number of requests per second that the origin can answer.
    let originRate: Int

    /// Creates a world; its topics and its origin's rate follow from the number of devices.
    init(devices: Int) {
        let sizes = [
            max(8, devices / 5), max(4, min(500, devices / 200)), 20, 50,
            max(4, min(1_000, devices / 1_000)),
        ]
        firstTopics = sizes.reduce(into: [0]) { $0.append($0.last! + UInt32($1)) }
        originRate = max(1, devices / 1_000)
    }

    var topicCount: Int { Int(firstTopics.last!) }

    /// Returns the numbers of a family's topics.
    func topics(_ family: Family) -> Range<UInt32> {
        firstTopics[Int(family.rawValue)]..<firstTopics[Int(family.rawValue) + 1]
    }

    /// Returns the value by which configurations and pushes name a topic.
    static func name(ofTopic topic: UInt32) -> String { "t-\(topic)" }

    /// Draws the topic of a new widget.
    ///
    /// Two characters are popular: the hero gets bursts of pushes, the champion a push every 100 s.
    func widgetTopic(_ family: Family, using random: inout SplitMix64) -> UInt32 {
        if family == .character {
            let popular = random.below(200)
            if popular == 0 { return hero }
            if popular <= 2 { return champion }
        }
        return topic(family, using: &random)
    }

    /// The character that bursts of pushes are about.
    var hero: UInt32 { topics(.character).lowerBound }
    /// The character that gets pushes day and night, more than any budget allows.
    var champion: UInt32 { hero + 1 }

    /// Draws a topic; those with low numbers are drawn more often.
    func topic(_ family: Family, using random: inout SplitMix64) -> UInt32 {
        let all = topics(family)
        let bound = random.below(Int64(all.count)) + 1
        let place = random.below(bound)
        return all.lowerBound + UInt32(place)
    }

    // MARK: - The app file

    /// Returns the declaration of the app, with kinds that spread reloads in this mode.
    func catalog(_ mode: SpreadPolicy.Mode) -> AppCatalog {
        AppCatalog(apps: [
            AppDeclaration(
                app: Self.app,
                origins: [OriginDeclaration(origin: Self.origin, perSecond: originRate)],
                kinds: Kind.allCases.map { declaration($0, mode: mode) }
            )
        ])
    }

    private func declaration(_ kind: Kind, mode: SpreadPolicy.Mode) -> KindDeclaration {
        let parameter = kind.family.parameter
        let rule = EventPattern(conditions: [.field(parameter, [.equals(.parameter(parameter))])])
        return KindDeclaration(kind: kind.name, rule: rule, policy: Self.policy(kind, mode: mode))
    }

    /// Returns the reload policy of a kind.
    static func policy(_ kind: Kind, mode: SpreadPolicy.Mode) -> KindPolicy {
        var policy = KindPolicy()
        policy.spread = SpreadPolicy(mode: mode, window: .minutes(kind == .quote ? 15 : 10))
        if kind.callsOrigin { policy.origin = origin }
        // All widgets are new when a run begins, so all would be in the learning period. Without
        // one, the run shows an ordinary day.
        policy.budget.learningDays = 0
        switch kind {
        case .character:
            policy.debounce = DebouncePolicy(wait: .seconds(2), longest: .seconds(10))
            policy.observes = ["hp", "level"]
        case .health:
            policy.budget = .complication
            policy.budget.learningDays = 0
            policy.debounce = DebouncePolicy(wait: .seconds(1), longest: .seconds(5))
            policy.observes = ["hp"]
            policy.inlines = ["hp"]
        case .weather: policy.usesLocation = true
        case .quote, .score, .headline: break
        }
        return policy
    }
}
