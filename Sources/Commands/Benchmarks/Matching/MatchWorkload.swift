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
}
