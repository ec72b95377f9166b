import ByteStorage
import ReloadModel
import StoreFormat
import Testing

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
            try changes.handOut { (key, value) throws(StoreError) in
                let key = try TableKey(key)
                add(key, try TableRecord.body(value!, key: key).array)
            }
        } catch {
            Issue.record("\(error)")
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

    /// The first record that another image has otherwise.
    func difference(from wanted: StateImage, ignoresTime: Bool = false) -> String? {
        for (key, value) in wanted.records.sorted(by: { $0.key < $1.key }) {
            guard var body = records[key] else { return "\(key) is missing" }
            // Both clocks, and the schedule clock, behind a byte: see `Router.writeShared`.
            if key.type == StateRecord.shared.rawValue && ignoresTime && value[0] == body[0] {
                body.replaceSubrange(1..<17 + 32, with: value[1..<17 + 32])
            }
            if body == value { continue }
            let place = zip(body, value).enumerated().first { $1.0 != $1.1 }?.offset
            return "\(key) differs at \(place ?? min(body.count, value.count))"
        }
        return records.count == wanted.records.count ? nil : "there are more records"
    }
}
