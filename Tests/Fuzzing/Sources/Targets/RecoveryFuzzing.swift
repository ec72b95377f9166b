import Basics
import FrameCodec
import RouterCore
import StoreFormat
import TestSupport

/// Records with the right checksums and any content: they are refused as damaged, or make a router
/// that works.
///
/// Pieces of a store, each behind the number of its bytes:
///
///     T type: 8 │ number: 16 │ part: 8     a record of the table
///     J                                    a record of the journal
///
/// and, without such a number, which partition the router is:
///
///     P number: 8 │ how many: 8
final class RecoveryFuzzing: FuzzTarget {
    func run(_ input: ByteView) {
        var input = FuzzInput(input)
        var records: [TableKey: [UInt8]] = [:]
        var journal: [[UInt8]] = []
        var partition = Partition.only
        while !input.isAtEnd {
            switch input.byte() {
            case UInt8(ascii: "T"):
                let type = input.byte()
                let number = UInt32(input.number(2))
                let part = UInt16(input.byte())
                let key = TableKey(type: type, number: number, part: part, epoch: 1)
                records[key] = input.counted().array
            case UInt8(ascii: "J"): journal.append(input.counted().array)
            case UInt8(ascii: "P"):
                let (number, count) = (Int(input.byte()), 1 + Int(input.byte()) % 64)
                partition = Partition(PartitionID(index: number % count), of: count)
            default: break
            }
        }
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: FuzzedRouter.limits,
            seed: 1,
            partition: partition
        )
        let store = SimulatedStore()
        do throws(StoreError) {
            try Self.fill(store, records, journal, of: partition)
            _ = try router.recover(from: store)
        } catch {
            require(
                [.corrupt, .older, .newer, .partitions].contains(error.code),
                "refused as \(error)"
            )
            require(!error.message.isEmpty, "an error without a message")
            return
        }
        work(router)
    }

    /// Puts the pieces into a store, as if a checkpoint and the journal behind it had written them.
    private static func fill(
        _ store: SimulatedStore,
        _ records: [TableKey: [UInt8]],
        _ journal: [[UInt8]],
        of partition: Partition
    ) throws(StoreError) {
        var changes = TableChanges()
        for (key, body) in records {
            changes.put(key) { writer in body.withByteView { writer.put(raw: $0) } }
        }
        if !records.isEmpty {
            let manifest = StoreManifest(
                epoch: 1,
                position: 0,
                checksum: 0,
                version: 8,
                partition: partition
            )
            changes.put(StoreManifest.key(epoch: 1)) { manifest.write(to: &$0) }
            // No requests under way, no revoked tokens and no pushes of homes: few inputs have
            // these records, without which all are refused.
            var missing: [(UInt8, Int)] = [(12, 7), (14, 1)]
            if !partition.isOnly { missing.append((15, 21 + 9 * Int(partition.count))) }
            for (type, byteCount) in missing {
                let key = TableKey(type: type, number: 0, epoch: 1)
                if records[key] != nil { continue }
                changes.put(key) { for _ in 0..<byteCount { $0.put(0 as UInt8) } }
            }
        }
        try store.write(changes)
        try store.seal()
        var checksum: UInt64 = 0
        for (index, body) in journal.enumerated() {
            var writer = StoreWriter()
            let start = JournalRecord.begin(&writer)
            body.withByteView { writer.put(raw: $0) }
            let position = UInt64(index) + 1
            checksum = JournalRecord.end(&writer, from: start, position: position, parent: checksum)
            try store.append(writer.bytes, from: position, isSynced: true)
        }
    }

    /// Some hours pass; devices and a publisher connect, and all of it is written down.
    private func work(_ router: consuming Router) {
        let device = Self.device(of: router.partition)
        var fuzzed = FuzzedRouter(recovered: router)
        fuzzed.install(FuzzedRouter.appFile)
        for slot in 0..<2 { fuzzed.open(slot) }
        fuzzed.send(
            0,
            .hello,
            seq: 0,
            Array(#"{"v":1,"role":"publisher","app":"g","producer":"p"}"#.utf8)
        )
        fuzzed.send(1, .hello, seq: 0, Array(#"{"v":1,"role":"gateway","app":"g"}"#.utf8))
        fuzzed.settle()
        for round in 1...3 as ClosedRange<UInt64> {
            fuzzed.send(1, .request, Array(#"{"device":"\#(device)"}"#.utf8))
            fuzzed.send(0, .push, seq: 1 << 40 + round, Array(#"{"c":"elf","hp":\#(round)}"#.utf8))
            fuzzed.advance(3_600_000)
            fuzzed.settle()
        }
        fuzzed.writeCheckpoint()
        fuzzed.checkInvariants()
    }

    /// The name of a device that is the partition's.
    private static func device(of partition: Partition) -> String {
        let map = PartitionMap(count: Int(partition.count), seed: DecisionSeed(1))
        let names = (0...).lazy.map { "d\($0)" }
        return names.first { name in
            "g".withByteView { app in
                name.withByteView { map.partition(app: app, device: $0) }
            } == partition.id
        }!
    }
}
