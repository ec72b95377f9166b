internal import Basics
internal import FrameCodec
internal import WidgetMatching

/// The numbers of widgets and bytes that a WIDGETS frame needs.
struct RegistrationNeed {
    /// The number of widgets in the list.
    private(set) var count = 0
    /// The number of values in the configurations.
    private(set) var valueCount = 0
    /// The size of the patterns in them; see `RouterLimits.patternsPerDevice`.
    private(set) var patternSize = 0
    /// The memory that the widgets need, in bytes as `StoredCost` counts them, with the device's
    /// push tokens and without the device's id.
    private(set) var bytes = 0
    /// The stored shapes that some of the widgets use: their layouts need no further memory.
    private(set) var storedShapes: Set<ShapeID> = []
    /// The layouts, not stored yet, that the widgets need; each takes memory once.
    private var newLayouts: Set<[UInt8]> = []

    /// Adds a widget's cost; its id is added with `add(text:)`.
    mutating func add(_ cost: WidgetCost) {
        count += 1
        valueCount += cost.valueCount
        patternSize += cost.patternSize
        bytes += cost.own
        switch cost.layout {
        case .stored(let shape): storedShapes.insert(shape)
        case .new(let cost, let identity): if newLayouts.insert(identity).inserted { bytes += cost }
        }
    }

    /// What there is too much of, as the rest of a sentence; nil if all is within the limits.
    var problem: String? {
        if valueCount > RouterLimits.valuesPerDevice {
            return "more than \(RouterLimits.valuesPerDevice) values together"
        }
        if patternSize > RouterLimits.patternsPerDevice {
            return "wildcards and regular expressions of more than "
                + "\(RouterLimits.patternsPerDevice) instructions together"
        }
        return nil
    }

    /// Adds an id or a token of `byteCount` bytes.
    mutating func add(text byteCount: Int) { bytes += StoredCost.text(byteCount) }

    /// Adds the cost of the token of an app or control.
    mutating func add(ownToken byteCount: Int) { bytes += StoredCost.ownToken(byteCount) }

    /// Adds the cost of the push token.
    mutating func add(token byteCount: Int) {
        bytes += StoredCost.pushToken + StoredCost.text(byteCount)
    }
}

/// Quotas of an app, and limits of all apps together.
///
/// They are checked when a frame comes, before it changes anything. They are not checked when a log
/// is followed: a frame that was accepted once stays accepted when limits are lowered.
extension ReloadState {
    /// Refuses widgets for which there is no room. A device that asks for no more than it has
    /// stored is never refused, even if a limit was lowered below that. `known` is nil if the
    /// device is not stored.
    ///
    /// - Throws: `quota-exceeded`, with the quota's name.
    mutating func checkRoom(
        for need: RegistrationNeed,
        name: ByteView,
        known: DeviceID?,
        app: AppID,
        into out: inout Outbox
    ) throws(ProtocolError) {
        let quotas = reloads.catalog.quotas(of: app, defaults: limits.appQuotas)
        let counts = reloads.delivery.counts(of: app)
        if known == nil {
            try reloads.catalog.check(
                .devices,
                of: app,
                used: counts.devices,
                more: 1,
                limit: quotas.devices,
                into: &out
            )
        }
        let more = need.count - (known.map { Int(reloads.delivery.devices[$0].widgetCount) } ?? 0)
        try reloads.catalog.check(
            .widgets,
            of: app,
            used: counts.widgets,
            more: more,
            limit: quotas.widgets,
            into: &out
        )
        try reloads.catalog.check(
            .widgets,
            of: nil,
            used: matcher.index.widgetCount,
            more: more,
            limit: limits.widgets,
            into: &out
        )
        let bytes =
            need.bytes + (known == nil ? StoredCost.device + StoredCost.text(name.count) : 0)
        let isFull =
            counts.bytes + bytes > quotas.storedBytes ?? Int.max
            || reloads.delivery.storedBytes + bytes > limits.storedBytes || hasFullArena
        if !isFull { return }
        // Calculated only now, because it visits all widgets of the device.
        let asked = bytes - (known.map { freedBytes($0, keeping: need.storedShapes) } ?? 0)
        try reloads.catalog.check(
            .storedBytes,
            of: app,
            used: counts.bytes,
            more: asked,
            limit: quotas.storedBytes,
            into: &out
        )
        try reloads.catalog.check(
            .storedBytes,
            of: nil,
            used: reloads.delivery.storedBytes,
            more: asked,
            limit: limits.storedBytes,
            into: &out
        )
        if asked > 0 && hasFullArena { throw fullArena(&out) }
    }

    /// What an app uses of each quota.
    func use(of app: AppID) -> AppQuotas {
        let counts = reloads.delivery.counts(of: app)
        var use = AppQuotas()
        use.devices = counts.devices
        use.widgets = counts.widgets
        use.storedBytes = counts.bytes
        use.producers = publishers.producers.count(of: app)
        use.sessions = counts.sessions
        return use
    }

    /// The bytes that are freed when all of a device's widgets and tokens are replaced, without
    /// those of the shapes in `shapes`, which the new widgets use.
    private func freedBytes(_ device: DeviceID, keeping shapes: Set<ShapeID>) -> Int {
        var freed = reloads.apns.cost(of: device, in: reloads.delivery)
        var removed: [WidgetID] = []
        var widget = reloads.delivery.devices[device].firstWidget
        while !widget.isNone {
            removed.append(widget)
            freed += StoredCost.text(Int(reloads.delivery.widgets[widget].nameCount))
            widget = reloads.delivery.widgets[widget].nextOfDevice
        }
        return freed + matcher.index.freedCost(removing: removed, keeping: shapes)
    }

    // MARK: - Sessions

    /// Refuses a session beyond the app's quota. A session that replaces an older one of the same
    /// producer or device does not count in addition.
    ///
    /// - Throws: `quota-exceeded`.
    mutating func checkSession(
        _ role: Peer,
        named name: [UInt8],
        of app: AppID,
        into out: inout Outbox
    ) throws(ProtocolError) {
        let sessions = reloads.delivery.counts(of: app).sessions
        guard let limit = reloads.catalog.quotas(of: app, defaults: limits.appQuotas).sessions,
            sessions >= limit,
            !replacesSession(role, named: name, of: app)
        else { return }
        try reloads.catalog.check(
            .sessions,
            of: app,
            used: sessions,
            more: 1,
            limit: limit,
            into: &out
        )
    }

    /// Whether a new session ends an older one of the same producer or device.
    private func replacesSession(_ role: Peer, named name: [UInt8], of app: AppID) -> Bool {
        switch role {
        case .publisher:
            let number = name.withByteView { publishers.producers.find(of: app, named: $0) }
            guard let number else { return false }
            let producer = publishers.producers[number]
            return producer.hasSession
                && reloads.delivery.hasSession(producer.connection, number: producer.session)
        case .device:
            return name.withByteView { name in
                guard let old = reloads.delivery.findDeviceSession(of: app, named: name) else {
                    return false
                }
                return reloads.delivery.hasSession(
                    old,
                    number: reloads.delivery.sessions[old].number
                )
            }
        case .gateway, .server: return false
        }
    }

    // MARK: - Arenas

    /// The size of the largest of the tables' arenas, in bytes, with its free blocks.
    var largestArena: Int {
        max(
            matcher.index.largestArena,
            reloads.delivery.names.byteCount,
            reloads.apns.texts.byteCount
        )
    }

    private var hasFullArena: Bool { largestArena > limits.arenaBytes }

    private mutating func fullArena(_ out: inout Outbox) -> ProtocolError {
        out.observer.counters.quotaRefusals[.storedBytes, default: 0] += 1
        return ProtocolError(
            .quotaExceeded,
            message:
                "all apps: quota storedBytes is used up: a table holds \(largestArena) bytes, more than "
                + "\(limits.arenaBytes); a restart frees the unused part"
        )
    }
}
