import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("The key of a router's tables")
struct HashKeyTests {
    /// What a simulated router sends, one after the other, and what it then is.
    private final class Trace {
        let simulation: SchedulingSimulation
        private(set) var sent: [SentFrame] = []

        /// - Parameter seed: of everything but the key, which each router has for itself.
        init(seed: UInt64) {
            simulation = SchedulingSimulation(seed: seed, keepsJournal: true)
            simulation.harness.router.onSent = { [unowned self] in sent += $0 }
        }
    }

    @Test(
        "changes nothing that is sent, written to the journal or stored",
        arguments: Array(1...12) as [UInt64]
    )
    func changesNothing(seed: UInt64) throws {
        let (first, second) = (Trace(seed: seed), Trace(seed: seed))
        let keys = [first, second].map {
            $0.simulation.harness.router.router.state.reloads.delivery.hashKey
        }
        #expect(keys[0] != keys[1])
        let replicas = try [first, second].map {
            try #require($0.simulation.harness.router.replica)
        }
        for act in 1...400 {
            first.simulation.act()
            second.simulation.act()
            let image = StateImage(second.simulation.harness.router.router)
            let difference = StateImage(first.simulation.harness.router.router)
                .difference(from: image)
            if let difference {
                Issue.record("seed \(seed), act \(act): \(difference)")
                return
            }
            #expect(first.sent == second.sent, "seed \(seed), act \(act)")
            #expect(replicas[0].checksum == replicas[1].checksum, "seed \(seed), act \(act)")
        }
        #expect(first.sent.count > 100 && replicas[0].recordCount > 100)
        #expect(first.simulation.problem == nil, "seed \(seed)")
    }

    /// A table of devices.
    private func table(_ names: [[UInt8]]) -> DeliveryTable {
        var random = SeededGenerator(seed: 3)
        var table = DeliveryTable(hashKey: HashKey(using: &random))
        for name in names { _ = name.withByteView { table.insertDevice(of: 0, named: $0) } }
        return table
    }

    /// The slots that are gone through for each of the names, and the most for one.
    private func steps(
        _ table: borrowing DeliveryTable,
        _ names: [[UInt8]]
    ) -> (sum: Int, most: Int) {
        var (sum, most) = (0, 0)
        for name in names {
            let hash = name.withByteView { table.hash(of: 0, name: $0) }
            let count = table.deviceIndex.stepCount(hash)
            sum += count
            most = max(most, count)
        }
        return (sum, most)
    }

    @Test("lets a device be found in as few steps after 44,000 whose names were chosen to collide")
    func flood() {
        // As a seed that session names had told would have made them.
        let hostile = CollidingNames.ofStableHash(seed: 11, count: 44_000)
        var former = HashIndex()
        for (number, name) in hostile.prefix(2_000).enumerated() {
            former.insert(name.withByteView { stableHash($0, seed: 11) }, number: UInt32(number))
        }
        let formerSteps = former.stepCount(hostile[2_000].withByteView { stableHash($0, seed: 11) })
        #expect(formerSteps == 2_001)

        let usual = (0..<44_000).map { Array("device-\($0)".utf8) }
        let asked = (0..<2_000).map { Array("honest-\($0)".utf8) }
        let attacked = table(hostile)
        let calm = table(usual)
        // Of devices that are not there, and of some that are.
        let stored = (Array(hostile.prefix(2_000)), Array(usual.prefix(2_000)))
        for (names, others) in [(asked, asked), stored] {
            let (found, wanted) = (steps(attacked, names), steps(calm, others))
            #expect(Double(found.sum) < 1.25 * Double(wanted.sum), "\(found) and \(wanted)")
            #expect(found.most < 100 && wanted.most < 100, "\(found) and \(wanted)")
        }
    }
}
