package import Basics

/// The sizes of a burst, and the seed it is generated from.
package struct BurstOptions: Equatable, Sendable {
    /// The seed of all random choices: the same seed and options give the same bytes.
    package var seed: UInt64 = 1
    /// The number of devices of all apps together.
    package var devices = 10_000
    /// The number of widgets on each device.
    package var widgetsPerDevice = 2
    /// Gateway sessions per app, which share its devices; 0 gives each device its own session.
    package var gateways = 8
    /// Producers of all apps together.
    package var producers = 4
    /// The number of apps, each with the same kinds.
    package var apps = 1
    /// Characters, symbols, teams or topics of an app, which widgets have and pushes are about.
    package var keys = 1_000
    /// Pushes per second outside the peak.
    package var basePerSecond = 100
    /// Pushes per second within the peak, as a multiple of `basePerSecond`.
    package var peakFactor = 100
    /// The length of the peak, in s; shapes without a peak ignore it.
    package var peakSeconds = 1
    /// The length of the burst, in s.
    package var seconds = 60
    /// How many devices register per second before the burst.
    package var devicesPerSecond = 5_000
    /// Only for the shape `hot-key`: the number of pushes on the hot key.
    package var hotPushes = 3
    /// Only for the shape `chatty-producer`: that producer's share of the pushes, in per cent.
    package var chattyPercent = 50
    /// Only for the shape `chatty-producer`: the number of keys that its pushes are about.
    package var chattyKeys = 4
    /// True if widgets have WidgetKit's budgets; otherwise every push leads to RELOADs.
    package var hasBudgets = false
    /// When the capture begins: Monday, 1 June 2026, 0:00.
    package var startedAt = RecordedDate(rawValue: 1_780_272_000_000_000)

    /// Creates the options that `BurstShape.defaults` starts from.
    package init() {}

    /// The most pushes in one second.
    private static var rateLimit: Int { 10_000_000 }
    /// The most keys of an app: a table of them is kept in memory.
    private static var keyLimit: Int { 4_194_304 }
    /// The most apps: a router numbers kinds with 16 bits, and each app has two.
    static var appLimit: Int { 30_000 }

    /// The number of sessions that speak for devices, of all apps together.
    var sessions: Int { gateways == 0 ? devices : gateways * apps }

    /// The first problem with these options, as a sentence; nil if there is none.
    package var problem: String? {
        let ranges: [(String, Int, ClosedRange<Int>)] = [
            ("devices", devices, 1...10_000_000), ("widgets", widgetsPerDevice, 1...200),
            ("gateways", gateways, 0...65_536), ("producers", producers, 1...65_536),
            ("apps", apps, 1...Self.appLimit), ("keys", keys, 1...Self.keyLimit),
            ("base", basePerSecond, 0...Self.rateLimit), ("factor", peakFactor, 1...100_000),
            ("peak", peakSeconds, 1...86_400), ("seconds", seconds, 1...86_400),
            ("register", devicesPerSecond, 1...1_000_000),
            ("hot-pushes", hotPushes, 0...1_000_000), ("chatty", chattyPercent, 0...100),
            ("chatty-keys", chattyKeys, 1...Self.keyLimit),
        ]
        for (name, value, range) in ranges where !range.contains(value) {
            return "\(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound)"
        }
        if basePerSecond * peakFactor > Self.rateLimit {
            return "the peak has \(basePerSecond * peakFactor) pushes a second; at most "
                + "\(Self.rateLimit) are made"
        }
        if sessions > devices {
            return "\(sessions) sessions speak for \(devices) devices; each must have one"
        }
        if producers < apps { return "\(apps) apps have \(producers) producers; each needs one" }
        if peakSeconds > seconds { return "the peak is longer than the burst, \(seconds) s" }
        return nil
    }
}
