import ArgumentParser

/// The workloads of `bench match`; its help describes them.
enum MatchWorkload: String, CaseIterable, ExpressibleByArgument {
    case equality
    case tenApps = "apps-10"
    case thousandApps = "apps-1000"
    case mixed
    case wildcard
    case nothing = "none"
    case updates

    /// The numbers of widgets to measure, unless the command line names another.
    func sizes(quick: Bool) -> [Int] {
        switch self {
        case .equality where quick: [10_000, 100_000]
        case _ where quick: [10_000]
        case .equality: [10_000, 100_000, 1_000_000, 10_000_000]
        case .tenApps, .thousandApps, .nothing, .updates: [1_000_000]
        case .mixed: [100_000]
        case .wildcard: [10_000]
        }
    }

    func generator(widgets: Int) -> any MatchGenerator {
        switch self {
        case .equality, .updates: MatchEquality(widgets: widgets)
        case .tenApps: MatchEquality(widgets: widgets, appCount: 10)
        case .thousandApps: MatchEquality(widgets: widgets, appCount: 1_000)
        case .nothing: MatchEquality(widgets: widgets, isMatched: false)
        case .mixed: MatchMixed(widgets: widgets)
        case .wildcard: MatchWildcards(widgets: widgets)
        }
    }

    /// The targets for a number of widgets.
    func aims(widgets: Int) -> MatchAims {
        switch (self, widgets) {
        case (.equality, 1_000_000): MatchAims(rate: 2_500_000, build: 1_000_000)
        case (.equality, 10_000_000): MatchAims(time: 600, indexBytes: 64, build: 1_000_000)
        case (.mixed, 100_000): MatchAims(rate: 1_000_000, bytes: 150)
        case (.wildcard, 10_000): MatchAims(rate: 300_000)
        case (.nothing, 1_000_000): MatchAims(scanRatio: 1.3)
        default: MatchAims()
        }
    }
}

/// The targets of a workload's figures; nil where there is none.
struct MatchAims {
    /// At least this many events/s.
    var rate: Double?
    /// At most this many ns of CPU per event.
    var time: Double?
    /// At most this many times the CPU of the JSON scan alone.
    var scanRatio: Double?
    /// At most this many bytes per widget in all.
    var bytes: Double?
    /// At most this many bytes per widget in the index.
    var indexBytes: Double?
    /// At least this many widgets/s while they are stored.
    var build: Double?
}
