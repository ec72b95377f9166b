internal import Basics
internal import ChangeDetection
internal import ReloadScheduling
internal import StoreFormat
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
    var numbers: LastNumbers
    /// The apps, kinds and origins that are, or were, declared.
    var catalog = Catalog()
    /// Devices, their widgets, and the connections that speak for them.
    var delivery: DeliveryTable
    /// The push tokens of devices, and the pushes by APNs to them.
    var apns: APNsTable
    /// The payload fields that kinds name, and the values that widgets have.
    var fields: FieldTable
    /// When widgets may reload.
    var schedules: Schedules
    private let passing = PassedByAddress()

    init(seed: DecisionSeed, partition: Partition, hashKey: HashKey) {
        numbers = LastNumbers(of: partition)
        schedules = Schedules(of: partition)
        delivery = DeliveryTable(hashKey: hashKey)
        apns = APNsTable(hashKey: hashKey)
        fields = FieldTable(seed: seed, hashKey: hashKey)
    }
}

/// The last numbers given to pushes, sessions and RELOADs.
///
/// Those that leave the router are unique over all partitions: partition p of P gives p + P, p + 2
/// P and so on, so that neither a gateway, nor APNs, nor who follows dead tokens sees one twice,
/// and the number alone says whose it is.
///
///     only one         1, 2, 3 …
///     partition 1 of 3     4, 7, 10 …
struct LastNumbers: BitwiseCopyable {
    private let partition: Partition
    /// The fan-out number of the last push of the last batch that has ended; each push gets a
    /// number of its own.
    var fanOut: UInt64 = 0
    /// The number of the session that began last.
    var session: UInt64 = 0
    /// The number of the last RELOAD; it rises over all sessions, so that no two share one.
    private(set) var reload: UInt64
    /// The number of the last end of a push token (`TokenEnd`). It is at least that of the last
    /// RELOAD at that time, so it rises at a restart, too: the process that was killed may have
    /// shown ends that no log records.
    private(set) var tokenEnd: UInt64
    /// The number of the last delivery to a device in this process.
    var delivery: UInt64 = 0

    init(of partition: Partition) {
        self.partition = partition
        reload = UInt64(partition.id.rawValue)
        tokenEnd = reload
    }

    /// Numbers a further RELOAD, or push by APNs.
    @inline(__always)
    mutating func nextReload() { reload += UInt64(partition.count) }

    /// Numbers a further end of a push token.
    mutating func nextTokenEnd() { tokenEnd = max(tokenEnd + UInt64(partition.count), reload) }

    /// Leaves out numbers of RELOADs, because the process that has ended may have sent some that no
    /// log records: the next one is above the next multiple of 2^32.
    mutating func skipReloads() {
        let start = (reload >> Self.skipShift + 1) << Self.skipShift
        let count = UInt64(partition.count)
        reload = start + (UInt64(partition.id.rawValue) + count - start % count) % count
    }

    /// The number of low bits of `reload` that `skipReloads` sets to 0; it adds 1 to the bits above
    /// them.
    private static var skipShift: UInt64 { 32 }

    // MARK: - The table

    /// Writes the numbers that are kept.
    func write(to writer: inout StoreWriter) {
        writer.put(fanOut)
        writer.put(session)
        writer.put(reload)
        writer.put(tokenEnd)
    }

    /// Reads what `write(to:)` has written.
    mutating func restore(_ reader: inout StoreReader) throws(StoreError) {
        fanOut = try reader.read(UInt64.self)
        session = try reader.read(UInt64.self)
        reload = try reader.read(UInt64.self)
        tokenEnd = try reader.read(UInt64.self)
        if max(fanOut, session, reload, tokenEnd) > 1 << 62 {
            throw reader.corrupt("an impossible number")
        }
        let (id, count) = (UInt64(partition.id.rawValue), UInt64(partition.count))
        if reload % count != id || tokenEnd % count != id {
            throw reader.corrupt("RELOADs or ends of tokens with numbers of another partition")
        }
    }
}
