internal import Basics
internal import FrameCodec

/// Assigns recorded producers, gateways and devices to the connections of a replay.
///
///     copy 0: publishers of app 0, of app 1, …    gateways of app 0, of app 1, …
///     copy 1: publishers of app 0, …              (gateways speak for all copies)
///
/// The producers of an app are distributed over its connections; the router sees each connection as
/// one producer. If there are enough connections, each gateway session has one, which begins and
/// ends with it. Devices that had connections of their own share connections that stay open; with
/// `--gateways 0` they have their own again.
struct ConnectionPlan: Sendable {
    /// The connections of an app, by their purpose; those that push, within a copy.
    private struct App: Sendable {
        var publishers = 0..<0
        var gateways = 0..<0
        var devices = 0..<0
    }

    /// The HELLO of each connection, and its app.
    private(set) var hellos: [(app: Int, hello: HelloMessage)] = []
    /// The number of connections that push; they come before all others.
    private(set) var publisherCount = 0
    private var apps: [App]
    /// For each producer, the index of its connection within those of a copy.
    private var places: [Int] = []
    /// The number of connections that push for one copy.
    private var perCopy = 0
    /// The first connection that belongs to one device, and how many such connections a copy has.
    private var firstDevice = 0
    private var devicesPerCopy = 0

    init(_ roster: ReplayRoster, settings: ReplaySettings) {
        apps = roster.apps.map { _ in App() }
        placeProducers(roster, settings: settings)
        for copy in 0..<settings.scale {
            for (app, line) in apps.enumerated() {
                for number in 0..<line.publishers.count {
                    let name = "replay-\(settings.runName)-\(number)\(BodyCopier.suffix(copy))"
                    let token = settings.publisherToken
                    add(.publisher, app: app, name: name, token: token, roster: roster)
                }
            }
        }
        publisherCount = hellos.count
        assert(publisherCount == perCopy * settings.scale, "each copy has the same connections")
        if !settings.hasDevices { return }
        for app in apps.indices {
            let most = settings.gateways == 0 ? .max : settings.gateways
            let first = hellos.count
            let middle = first + min(roster.gateways[app], most)
            let end = middle + (roster.hasDevices[app] ? settings.gateways : 0)
            (apps[app].gateways, apps[app].devices) = (first..<middle, middle..<end)
            for _ in first..<end {
                add(.gateway, app: app, name: nil, token: settings.gatewayToken, roster: roster)
            }
        }
        firstDevice = hellos.count
        devicesPerCopy = roster.devices.count
        for copy in 0..<settings.scale {
            for device in roster.devices {
                let name = device.name + BodyCopier.suffix(copy)
                let token = settings.deviceToken
                add(.device, app: device.app, name: name, token: token, roster: roster)
            }
        }
        assert(
            hellos.count == firstDevice + devicesPerCopy * settings.scale,
            "not each copy of a device has its connection"
        )
    }

    private mutating func add(
        _ role: Peer,
        app: Int,
        name: String?,
        token: String?,
        roster: ReplayRoster
    ) {
        let hello = HelloMessage(role: role, app: roster.apps[app].app, token: token, name: name)
        hellos.append((app, hello))
    }

    /// Distributes the connections over the apps, at least one for each app with producers, and the
    /// producers over the connections of their app.
    private mutating func placeProducers(_ roster: ReplayRoster, settings: ReplaySettings) {
        let count = roster.producers.count
        let wanted = settings.connections ?? min(count, ReplaySettings.usualConnections)
        var producers = apps.map { _ in 0 }
        for producer in roster.producers { producers[producer.app] += 1 }
        for app in apps.indices where producers[app] > 0 {
            let end = perCopy + max(1, wanted * producers[app] / count)
            apps[app].publishers = perCopy..<end
            perCopy = end
        }
        var placed = apps.map { _ in 0 }
        for producer in roster.producers {
            let line = apps[producer.app].publishers
            places.append(line.lowerBound + placed[producer.app] % line.count)
            placed[producer.app] += 1
        }
    }

    /// The connection on which a copy of a producer pushes.
    func publisher(_ producer: Int, copy: Int) -> Int {
        let connection = copy * perCopy + places[producer]
        assert(connection < publisherCount, "the connection does not push")
        return connection
    }

    /// The connection for the session in one of an app's gateway slots; nil if gateways of the app
    /// have no connections.
    func gateway(_ position: Int, app: Int) -> Int? {
        let line = apps[app].gateways
        return line.isEmpty ? nil : line.lowerBound + position % line.count
    }

    /// Returns true if each gateway of the app has a connection of its own, which ends with it.
    func gatewaysEnd(_ app: Int, roster: ReplayRoster) -> Bool {
        apps[app].gateways.count >= roster.gateways[app]
    }

    /// True if devices that had connections of their own have them in the replay as well.
    var hasDeviceConnections: Bool { devicesPerCopy > 0 }

    /// The connection of a copy of a device.
    func deviceConnection(_ device: Int, copy: Int) -> Int {
        assert(device >= 0 && device < devicesPerCopy, "the device has no connection of its own")
        return firstDevice + copy * devicesPerCopy + device
    }

    /// The shared connection that speaks for a device, chosen by the hash of its name; nil if there
    /// is none.
    func devices(_ hash: UInt64, app: Int) -> Int? {
        let line = apps[app].devices
        return line.isEmpty ? nil : line.lowerBound + Int(hash % UInt64(line.count))
    }
}
