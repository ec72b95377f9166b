internal import Basics
internal import ChangeDetection
internal import ReloadScheduling
internal import WidgetMatching

/// The reloads of widgets: which are asked for, when each is due, and how it reaches its device, by
/// a session or by APNs.
///
///     requestReload ─► decide ─► queue, timer, or pending ─► deliver ─► RELOAD or APNs push
///
/// It knows devices, dates, origins and APNs. It knows nothing of who pushes, of the matches of
/// pushes, of the index that finds them, and of checkpoints: what needs one of these and a reload
/// is a function of `ReloadState`.
///
/// What needs one of its parts alone is a function of that part.
struct Reloads: ~Copyable {
    /// The time of the last `clock` input.
    var clock = StateClock()
    /// The last numbers given to pushes, sessions, RELOADs and deliveries.
    var numbers = LastNumbers()
    /// The apps, kinds and origins that are, or were, declared.
    var catalog = Catalog()
    /// Devices, their widgets, and the connections that speak for them.
    var delivery: DeliveryTable
    /// The push tokens of devices, and the pushes by APNs to them.
    var apns: APNsTable
    /// The payload fields that kinds name, and the values that widgets have.
    var fields: FieldTable
    /// When widgets may reload.
    var schedules = Schedules()
    private let passing = PassedByAddress()

    init(seed: DecisionSeed, hashKey: HashKey) {
        delivery = DeliveryTable(hashKey: hashKey)
        apns = APNsTable(hashKey: hashKey)
        fields = FieldTable(seed: seed, hashKey: hashKey)
    }
}

/// The last numbers given to pushes, sessions and RELOADs.
struct LastNumbers: BitwiseCopyable {
    /// The fan-out number of the last push of the last batch that has ended; each push gets a
    /// number of its own.
    var fanOut: UInt64 = 0
    /// The number of the session that began last.
    var session: UInt64 = 0
    /// The number of the last RELOAD; it rises over all sessions, so that no two share one.
    var reload: UInt64 = 0
    /// The number of the last end of a push token (`TokenEnd`). It is at least that of the last
    /// RELOAD at that time, so it rises at a restart, too: the process that was killed may have
    /// shown ends that no log records.
    var tokenEnd: UInt64 = 0
    /// The number of the last delivery to a device in this process.
    var delivery: UInt64 = 0
}
