internal import APNsConnections

/// The limits of delivery by APNs, and what is done at each.
struct APNsDeliveryLimits {
    /// The most pushes that are sent in a tick; each takes about 4 µs of it.
    ///
    /// Beyond: they are sent in the next tick, which then begins with another service.
    var pushesPerTick = 500
    /// The most connections to Apple's services together.
    ///
    /// Beyond: each service of a key has an equal share of them, but always one.
    var connections = 64

    /// The limits of each pool of connections, if this many services share them.
    func pool(of serviceCount: Int) -> APNsPoolLimits {
        var limits = APNsPoolLimits()
        limits.connections = max(1, min(limits.connections, connections / max(1, serviceCount)))
        return limits
    }
}
