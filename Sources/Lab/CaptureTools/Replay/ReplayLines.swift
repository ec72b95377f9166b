internal import FrameCodec
internal import ReloadModel

/// Which connection of a replay speaks for whom.
///
///     copy 0: publishers of app 0, of app 1, …    gateways of app 0, of app 1, …
///     copy 1: publishers of app 0, …              (gateways speak for all copies)
///
/// The producers of an app take turns at its connections, and each connection is a producer of its
/// own. A gateway's session has a connection that ends and begins with it, if there are as many;
/// devices that had connections of their own share others, which stay, or have their own again.
struct ReplayLines: Sendable {
    private struct App: Sendable {
        var firstPublisher = 0
        var publishers = 0
        var firstGateway = 0
        var gateways = 0
        var firstDevices = 0
        var devices = 0
    }

    /// What each connection says first.
    private(set) var hellos: [(app: Int, hello: HelloMessage)] = []
    /// How many of them push; they are the first.
    private(set) var publisherCount = 0
    private var apps: [App]
    /// Of each producer: its place among the connections of a copy.
    private var places: [Int] = []
    private var perCopy = 0
    /// The first connection of a device of its own, and how many a copy has.
    private var firstOwn = 0
    private var ownPerCopy = 0

    init(_ roster: ReplayRoster, _ settings: ReplaySettings) {
        apps = roster.apps.map { _ in App() }
        placeProducers(roster, settings)
        for copy in 0..<settings.scale {
            for (app, line) in apps.enumerated() {
                for number in 0..<line.publishers {
                    let name = "replay-\(settings.runName)-\(number)\(BodyCopier.suffix(copy))"
                    add(.publisher, app, name, settings.publisherToken, roster)
                }
            }
        }
        publisherCount = hellos.count
        if !settings.hasDevices { return }
        for app in apps.indices {
            apps[app].firstGateway = hellos.count
            apps[app].gateways = min(roster.gateways[app], Self.most(settings))
            apps[app].firstDevices = hellos.count + apps[app].gateways
            apps[app].devices = roster.hasDevices[app] ? settings.gateways : 0
            for _ in 0..<apps[app].gateways + apps[app].devices {
                add(.gateway, app, nil, settings.gatewayToken, roster)
            }
        }
        firstOwn = hellos.count
        ownPerCopy = roster.devices.count
        for copy in 0..<settings.scale {
            for device in roster.devices {
                let name = device.name + BodyCopier.suffix(copy)
                add(.device, device.app, name, settings.deviceToken, roster)
            }
        }
    }

    private static func most(_ settings: ReplaySettings) -> Int {
        settings.gateways == 0 ? .max : settings.gateways
    }

    private mutating func add(
        _ role: Peer,
        _ app: Int,
        _ name: String?,
        _ token: String?,
        _ roster: ReplayRoster
    ) {
        let hello = HelloMessage(role: role, app: roster.apps[app].app, token: token, name: name)
        hellos.append((app, hello))
    }

    /// Shares the connections out among the apps, each at least one, and then among producers.
    private mutating func placeProducers(_ roster: ReplayRoster, _ settings: ReplaySettings) {
        let count = roster.producers.count
        let wanted = settings.connections ?? min(count, ReplaySettings.usualConnections)
        var producers = apps.map { _ in 0 }
        for producer in roster.producers { producers[producer.app] += 1 }
        for app in apps.indices where producers[app] > 0 {
            apps[app].firstPublisher = perCopy
            apps[app].publishers = max(1, wanted * producers[app] / count)
            perCopy += apps[app].publishers
        }
        var placed = apps.map { _ in 0 }
        for producer in roster.producers {
            let line = apps[producer.app]
            places.append(line.firstPublisher + placed[producer.app] % line.publishers)
            placed[producer.app] += 1
        }
    }

    /// The connection on which a copy of a producer pushes.
    func publisher(_ producer: Int, copy: Int) -> Int { copy * perCopy + places[producer] }

    /// The connection that plays the gateway of this place; nil if the app has none.
    func gateway(_ place: Int, app: Int) -> Int? {
        let line = apps[app]
        return line.gateways == 0 ? nil : line.firstGateway + place % line.gateways
    }

    /// Whether each gateway of the app has a connection of its own.
    func gatewaysEnd(_ app: Int, _ roster: ReplayRoster) -> Bool {
        apps[app].gateways >= roster.gateways[app]
    }

    /// Whether devices that had sessions of their own have them again.
    var devicesHaveTheirOwn: Bool { ownPerCopy > 0 }

    /// The connection of a copy of a device.
    func own(_ device: Int, copy: Int) -> Int { firstOwn + copy * ownPerCopy + device }

    /// The connection that speaks for a device, by the hash of its name.
    func devices(_ hash: UInt64, app: Int) -> Int? {
        let line = apps[app]
        if line.devices == 0 { return nil }
        return line.firstDevices + Int(hash % UInt64(line.devices))
    }
}
