import Basics
import StoreFormat
import Testing

/// What routers decide and write: a journal that has other bytes after a change needs a higher
/// `JournalRecord.version`, unless it is the simulation that plays otherwise.
@Suite("The journals of random runs")
struct JournalDigestTests {
    @Test func `have the bytes that they had before, of devices and their dates`() throws {
        var digest: UInt64 = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            let simulation = SchedulingSimulation(
                seed: seed,
                keepsJournal: true,
                isOperated: seed > 10
            )
            for _ in 0..<300 { simulation.act() }
            let replica = try #require(simulation.harness.router.replica)
            #expect(replica.recordCount > 100, "seed \(seed) says little")
            Self.add(replica.checksum, to: &digest)
        }
        #expect(digest == 1_686_066_909_969_539_953)
    }

    @Test func `have the bytes that they had before, of pushes in portions`() throws {
        var digest: UInt64 = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            var simulation = Simulation(
                seed: seed,
                portion: seed > 10 ? 3 : nil,
                work: 60_000,
                keepsJournal: true
            )
            for _ in 0..<600 { simulation.act() }
            Self.add(try #require(simulation.journalChecksum), to: &digest)
        }
        #expect(digest == 4_891_924_898_512_820_809)
    }

    private static func add(_ checksum: UInt64, to digest: inout UInt64) {
        var writer = StoreWriter()
        writer.put(checksum)
        digest = StoreFormat.checksum(writer.bytes, seed: digest)
    }
}
