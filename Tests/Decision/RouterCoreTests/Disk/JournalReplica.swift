import Basics
import RouterCore
import StoreFormat
import Testing

/// A second router, which is given nothing but the journal of the first one.
final class JournalReplica {
    private var router: Router
    private(set) var recordCount = 0
    private(set) var byteCount = 0
    /// Of all that it was given.
    private(set) var checksum: UInt64 = 0

    init(limits: RouterLimits, seed: UInt64, partition: Partition = .only) {
        router = Router(
            catalog: AppCatalog(apps: []),
            limits: limits,
            seed: seed,
            partition: partition
        )
        router.beginFollowing()
    }

    func follow(_ body: ByteView) {
        if body.count == 0 { return }
        recordCount += 1
        byteCount += body.count
        checksum = StoreFormat.checksum(body, seed: checksum)
        do throws(StoreError) {
            try router.follow(body)
        } catch {
            Issue.record("record \(recordCount): \(error)")
        }
    }

    /// The first record of the table in which the two differ; nil if they are in the same state.
    ///
    /// But for the time: a journal has that of its last record.
    func difference(from original: borrowing Router) -> String? {
        let wanted = StateImage(original)
        let found = StateImage(router)
        return found.difference(from: wanted, ignoresTime: true)
    }
}
