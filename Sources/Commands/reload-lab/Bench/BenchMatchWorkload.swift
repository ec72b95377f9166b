import ArgumentParser

/// The workloads of `bench match`; its help describes them.
enum BenchMatchWorkload: String, CaseIterable, ExpressibleByArgument {
    case equality
    case tenApps = "apps-10"
    case thousandApps = "apps-1000"
    case mixed
    case conditions
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
        case .mixed, .conditions: [100_000]
        case .wildcard: [10_000]
        }
    }

    func generator(widgets: Int, seed: UInt64) -> any BenchMatchGenerator {
        switch self {
        case .equality, .updates: BenchMatchEquality(widgets: widgets)
        case .tenApps: BenchMatchEquality(widgets: widgets, appCount: 10)
        case .thousandApps: BenchMatchEquality(widgets: widgets, appCount: 1_000)
        case .nothing: BenchMatchEquality(widgets: widgets, isMatched: false)
        case .mixed: BenchMatchMixed(widgets: widgets)
        case .conditions: BenchMatchConditions(widgets: widgets, seed: seed)
        case .wildcard: BenchMatchWildcards(widgets: widgets)
        }
    }

    /// The targets for a number of widgets.
    func aims(widgets: Int) -> BenchMatchAims {
        var aims = BenchMatchAims()
        switch (self, widgets) {
        case (.equality, 1_000_000):
            aims.rate = 2_500_000
            aims.build = 1_000_000
        case (.equality, 10_000_000):
            aims.time = 600
            aims.indexBytes = 64
            aims.build = 1_000_000
        case (.tenApps, 1_000_000), (.thousandApps, 1_000_000): aims.oneAppRatio = 1.05
        case (.mixed, 100_000):
            aims.rate = 1_000_000
            aims.bytes = 150
        case (.wildcard, 10_000): aims.rate = 300_000
        case (.nothing, 1_000_000): aims.scanRatio = 1.3
        default: break
        }
        return aims
    }
}

/// The targets of a workload's figures; nil where there is none.
struct BenchMatchAims {
    /// At least this many events/s.
    var rate: Double?
    /// At most this many ns of CPU per event.
    var time: Double?
    /// At most this many times the CPU of one app with as many widgets.
    var oneAppRatio: Double?
    /// At most this many times the CPU of the JSON scan alone.
    var scanRatio: Double?
    /// At most this many bytes per widget in all.
    var bytes: Double?
    /// At most this many bytes per widget in the index.
    var indexBytes: Double?
    /// At least this many widgets/s while they are stored.
    var build: Double?

    /// At most this many µs for 99 of 100 changes.
    static var changeTime: Double { 20 }
}
