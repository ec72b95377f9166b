import Basics
import ReloadScheduling
import StoreFormat

@testable import RouterCore

/// All of a router's state, as the bodies of the table's records.
struct StateImage: Equatable {
    private(set) var records: [TableKey: [UInt8]] = [:]

    /// What the newest checkpoint of a store has.
    init(_ store: any StoreSource) throws(StoreError) {
        var scan = TableScan()
        try store.scan { (key, value) throws(StoreError) in
            let body = try TableRecord.body(value, key: key).array
            if scan.isCurrent(key) && key.type != StoreManifest.type { add(key, body) }
        }
    }

    init(_ router: borrowing Router) {
        var changes = TableChanges()
        router.writeImage(epoch: 1, to: &changes)
        do throws(StoreError) {
            try changes.forEachRecord { (key, value) throws(StoreError) in
                let key = try TableKey(key)
                add(key, try TableRecord.body(value!, key: key).array)
            }
        } catch {
            preconditionFailure("records of our own are refused: \(error)")
        }
    }

    private mutating func add(_ key: TableKey, _ body: [UInt8]) {
        // A page of fields that no widget has anything in may be there, or not; and so may a record
        // that says that its device is gone.
        let record = StateRecord(rawValue: key.type)
        if record == .fields && body.allSatisfy({ $0 == 0 }) { return }
        if record == .registration && body.isEmpty { return }
        let whole = TableKey(type: key.type, number: key.number, epoch: 1)
        records[whole, default: []] += body
    }

    /// A record without what may be otherwise in a router that came to the same state another way.
    ///
    /// That is how many values and keys the matcher has, which only makes room, and the order in
    /// which a configuration names its parameters.
    private static func canonical(_ key: TableKey, _ body: [UInt8]) -> [UInt8] {
        switch StateRecord(rawValue: key.type) {
        case .shared: Array(body.dropLast(16))
        case .registration: (try? registration(body)) ?? body
        default: body
        }
    }

    private static func registration(_ body: [UInt8]) throws(StoreError) -> [UInt8] {
        var writer = StoreWriter()
        try body.withByteView { view throws(StoreError) in
            var reader = StoreReader(view)
            writer.put(varint: try reader.readVarint())
            writer.put(counted: try reader.readCounted())
            let hasToken = try reader.readBool()
            writer.put(hasToken)
            if hasToken { writer.put(counted: try reader.readCounted()) }
            // How many widgets there are.
            writer.put(varint: try reader.readVarint())
            try copyWidgets(&reader, to: &writer)
        }
        return writer.bytes.array
    }

    private static func copyWidgets(
        _ reader: inout StoreReader,
        to writer: inout StoreWriter
    ) throws(StoreError) {
        while !reader.isAtEnd {
            writer.put(varint: try reader.readVarint())
            writer.put(varint: try reader.readVarint())
            writer.put(counted: try reader.readCounted())
            let configuration = try reader.read(raw: Int(try reader.read(UInt32.self)))
            var members: [[UInt8]] = []
            var json = JSONReader(configuration)
            json.enterObject()
            while let name = json.nextKey() {
                members.append(name.raw.array + json.rawValue().array)
            }
            for member in members.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                member.withByteView { writer.put(counted: $0) }
            }
        }
    }

    /// Copies to a page of pushes when the sessions of devices have ended, and when pushes were
    /// made. A restart ends sessions, and counts pushes that were under way, at the time of the
    /// state; an hour of a budget may begin between the times of two states.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - other: the same page of a state that came to it another way.
    ///   - first: the device of the page's first record.
    ///   - now: the later time of both states: what counts then has to be equal.
    private static func copyRestartTimes(
        from page: [UInt8],
        to other: inout [UInt8],
        first: UInt32,
        now: MonotonicTime
    ) {
        let size = APNsRecord.storedByteCount
        if page.count != other.count { return }
        for start in stride(from: 0, to: page.count, by: size) {
            let device = DeviceID(rawValue: first + UInt32(start / size))
            let budget = start..<start + 32
            if used(page[budget], by: device, at: now) == used(other[budget], by: device, at: now) {
                other.replaceSubrange(budget, with: page[budget])
            }
            // Behind the budget, two numbers and the pause; and behind the time of registration.
            for range in [start + 56..<start + 64, start + 72..<start + 96] {
                other.replaceSubrange(range, with: page[range])
            }
        }
    }

    /// How many pushes of a stored budget count at a time; nil if the bytes are none.
    private static func used(
        _ bytes: ArraySlice<UInt8>,
        by device: DeviceID,
        at now: MonotonicTime
    ) -> Int? {
        Array(bytes).withByteView { view in
            var reader = StoreReader(view)
            let budget = try? ReloadBudget(reading: &reader)
            return budget?.used(at: now, phase: APNsTable.phase(of: device))
        }
    }

    /// The time of the state.
    private var time: MonotonicTime {
        let shared = records.first { $0.key.type == StateRecord.shared.rawValue }
        return (shared?.value ?? []).withByteView { view in
            var reader = StoreReader(view)
            _ = try? reader.readBool()
            return (try? reader.read(MonotonicTime.self)) ?? .zero
        }
    }

    /// The first record that another image has otherwise.
    func difference(from wanted: StateImage, ignoresTime: Bool = false) -> String? {
        for (key, value) in wanted.records.sorted(by: { $0.key < $1.key }) {
            guard let record = records[key] else { return "\(key) is missing" }
            var body = Self.canonical(key, record)
            let value = Self.canonical(key, value)
            // Both clocks, and the schedule clock, behind a byte: see `Router.writeShared`.
            if key.type == StateRecord.shared.rawValue && ignoresTime && value[0] == body[0] {
                body.replaceSubrange(1..<17 + 32, with: value[1..<17 + 32])
            }
            if key.type == StateRecord.pushes.rawValue && ignoresTime {
                Self.copyRestartTimes(
                    from: value,
                    to: &body,
                    first: SlabPages.first(of: key.number),
                    now: max(time, wanted.time)
                )
            }
            if body == value { continue }
            let position = zip(body, value).enumerated().first { $1.0 != $1.1 }?.offset
            return "\(key) differs at \(position ?? min(body.count, value.count))"
        }
        if records.count == wanted.records.count { return nil }
        let more = records.keys.filter { wanted.records[$0] == nil }.sorted()
        return "there are \(more) beside"
    }
}
