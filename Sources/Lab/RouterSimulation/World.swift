internal import DataStructures
package import ReloadModel

/// What the simulated app has: its kinds, the things that widgets show, and the origin.
///
/// A *topic* is one value that a widget may be configured with and a push may name: a character, a
/// stock, a team, a region or a place. Each family of topics has a parameter of its own, by which
/// its kinds match.
package struct World: Sendable {
    enum Kind: UInt8, CaseIterable, BitwiseCopyable {
        /// A game's character: pushes for single characters, storms; calls the origin.
        case character
        /// The same characters' health: RELOAD brings it along, so nobody calls the origin.
        case health
        /// A stock: asks for the full hours while the market is open, else for its opening.
        case quote
        /// A team: asks for the beginning and the end of the evening's match.
        case score
        /// News of a region: ends every six hours, so at midnight too; broadcasts.
        case headline
        /// A place's weather: asks for every second hour, and uses the location.
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

        var name: StaticString {
            switch self {
            case .character: "character"
            case .health: "health"
            case .quote: "quote"
            case .score: "score"
            case .headline: "headline"
            case .weather: "weather"
            }
        }

        /// How often the kind is among the widgets that people add, in per cent.
        static let weights: [Int64] = [26, 14, 22, 13, 15, 10]

        var callsOrigin: Bool { self != .health }
    }

    enum Family: UInt8, CaseIterable, BitwiseCopyable {
        case character, stock, team, region, place

        var parameter: StaticString {
            switch self {
            case .character: "character"
            case .stock: "stock"
            case .team: "team"
            case .region: "region"
            case .place: "place"
            }
        }
    }

    static let app = "world"
    static let origin = "api.world"
    static let matchBegins = 19 * SimulatedTime.hour + 30 * SimulatedTime.minute
    static let matchEnds = 21 * SimulatedTime.hour + 20 * SimulatedTime.minute
    static let marketOpens = 9 * SimulatedTime.hour
    static let marketCloses = 17 * SimulatedTime.hour

    /// The first topic of each family, and the number of all.
    private let firstTopics: [UInt32]
    /// Requests that the origin takes in a second.
    package let originRate: Int

    package init(devices: Int) {
        let sizes = [
            max(8, devices / 5), max(4, min(500, devices / 200)), 20, 50,
            max(4, min(1_000, devices / 1_000)),
        ]
        firstTopics = sizes.reduce(into: [0]) { $0.append($0.last! + UInt32($1)) }
        originRate = max(1, devices / 1_000)
    }

    var topicCount: Int { Int(firstTopics.last!) }

    func topics(_ family: Family) -> Range<UInt32> {
        firstTopics[Int(family.rawValue)]..<firstTopics[Int(family.rawValue) + 1]
    }

    /// The topic of a new widget.
    ///
    /// Two characters are everybody's: storms of pushes are for the hero, and the champion is never
    /// left alone.
    func widgetTopic(_ family: Family, _ random: inout SplitMix64) -> UInt32 {
        if family == .character {
            let popular = random.below(200)
            if popular == 0 { return hero }
            if popular <= 2 { return champion }
        }
        return topic(family, &random)
    }

    var hero: UInt32 { topics(.character).lowerBound }
    var champion: UInt32 { hero + 1 }

    /// A topic, the popular ones (those with the low numbers) more often.
    func topic(_ family: Family, _ random: inout SplitMix64) -> UInt32 {
        let all = topics(family)
        let bound = random.below(Int64(all.count)) + 1
        let place = random.below(bound)
        return all.lowerBound + UInt32(place)
    }

    // MARK: - The app file

    /// What the router is told of the app.
    package func catalog(_ mode: SpreadPolicy.Mode) -> AppCatalog {
        AppCatalog(apps: [
            AppDeclaration(
                app: Self.app,
                origins: [OriginDeclaration(origin: Self.origin, perSecond: originRate)],
                kinds: Kind.allCases.map { declaration($0, mode) }
            )
        ])
    }

    private func declaration(_ kind: Kind, _ mode: SpreadPolicy.Mode) -> KindDeclaration {
        let parameter = "\(kind.family.parameter)"
        let rule = EventPattern(conditions: [
            .field(parameter, [.equals(.parameter(parameter))])
        ])
        return KindDeclaration(kind: "\(kind.name)", rule: rule, policy: Self.policy(kind, mode))
    }

    /// What the kind's declaration says of reloads.
    static func policy(_ kind: Kind, _ mode: SpreadPolicy.Mode) -> KindPolicy {
        var policy = KindPolicy()
        policy.spread = SpreadPolicy(mode: mode, window: kind == .quote ? 900_000 : 600_000)
        if kind.callsOrigin { policy.origin = origin }
        // Everybody's widgets are new when a run begins; it shows the days after the first ones.
        policy.budget.learningDays = 0
        switch kind {
        case .character:
            policy.debounce = DebouncePolicy(wait: 2_000, longest: 10_000)
            policy.shows = ["hp", "level"]
        case .health:
            policy.budget = .complication
            policy.budget.learningDays = 0
            policy.debounce = DebouncePolicy(wait: 1_000, longest: 5_000)
            policy.shows = ["hp"]
            policy.carries = ["hp"]
        case .weather:
            policy.usesLocation = true
        case .quote, .score, .headline:
            break
        }
        return policy
    }
}
