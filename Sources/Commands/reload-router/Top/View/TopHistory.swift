import Basics

/// The latest status, the rates since the one before, and the rates of the last minutes for
/// sparklines.
struct TopHistory: Sendable {
    /// The most samples that are kept for sparklines; the oldest is dropped for the next.
    static var samplesLimit: Int { 600 }

    /// A number with a sparkline.
    enum Series: Int, CaseIterable {
        case pushes
        case matched
        case reloads
        case ratio
    }

    private(set) var status: TopStatus?
    /// The rates between the last two statuses; nil before the second one, and after a restart of
    /// the router.
    private(set) var rates: TopRates?
    /// The rates of each series at the last statuses, oldest first.
    private var samples: [[Double]] = []

    var hasRates: Bool { rates != nil }

    /// Adds a status; one made at the same time as the last changes nothing.
    mutating func add(_ status: TopStatus) {
        if let before = self.status {
            if before.at == status.at { return }
            rates = TopRates(status, since: before)
        }
        self.status = status
        guard let rates else { return }
        samples.append(Series.allCases.map { rates[$0] ?? 0 })
        if samples.count > Self.samplesLimit { samples.removeFirst() }
        assert(samples.count <= Self.samplesLimit, "more samples are kept than the limit")
    }

    /// The last values of a series, the latest one last.
    func values(_ series: Series, last count: Int) -> [Double] {
        samples.suffix(max(0, count)).map { $0[series.rawValue] }
    }
}

/// What happened between two statuses, per second.
struct TopRates: Equatable, Sendable {
    let counters: [Counter]
    let decisions: [Counter]
    /// The rates of all apps, in the order of the status.
    let apps: [[Counter]]

    /// Computes the rates between two statuses; nil if the router was restarted between them, or
    /// `now` is not the later one.
    init?(_ now: TopStatus, since before: TopStatus) {
        let seconds = (now.at - before.at) / 1_000
        guard seconds > 0, seconds.isFinite, now.uptime >= before.uptime else { return nil }
        counters = Self.rates(of: now.counters, since: before.counters, over: seconds)
        decisions = Self.rates(
            of: now["decisions"].counters,
            since: before["decisions"].counters,
            over: seconds
        )
        let earlier = before["apps"].elements
        apps = now["apps"].elements.map { app in
            let same = earlier.first { $0["app"] == app["app"] }
            return Self.rates(of: app.counters, since: same?.counters ?? [], over: seconds)
        }
    }

    subscript(series: TopHistory.Series) -> Double? {
        switch series {
        case .pushes: counters["pushes"]
        case .matched: counters["matched"]
        case .reloads: counters["reloads"]
        case .ratio: ratio
        }
    }

    /// Widgets that a push matched, on average; nil if there was no push.
    var ratio: Double? {
        guard let pushes = counters["pushes"], pushes > 0, let matched = counters["matched"] else {
            return nil
        }
        return matched / pushes
    }

    /// The rates of all counters that have not fallen.
    private static func rates(
        of now: [Counter],
        since before: [Counter],
        over seconds: Double
    ) -> [Counter] {
        assert(seconds > 0, "a rate over no time")
        return now.compactMap { counter in
            // A counter that is new has grown from zero.
            let growth = counter.value - (before[counter.name] ?? 0)
            return growth < 0 ? nil : Counter(name: counter.name, value: growth / seconds)
        }
    }
}
