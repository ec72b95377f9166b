import Basics
import FrameCodec
import ReloadScheduling
import TestSupport
import Testing

@testable import RouterCore

/// Two partitions with one origin, whose permits of a second one lends to the other.
@Suite("Permits that a partition borrows")
struct PermitLoanTests {
    private static let catalog = AppCatalog.of(
        [.character { $0.origin = "api" }],
        [OriginDeclaration(origin: "api", perSecond: 8, undelayed: 8)]
    )
    private static let api: OriginID = 1

    private let lender = RouterHarness(
        catalog: AppCatalog(apps: []),
        partition: Partition(0, of: 2)
    )
    private let borrower = RouterHarness(
        catalog: AppCatalog(apps: []),
        partition: Partition(1, of: 2)
    )

    /// A borrower with ten devices, of which a push wants to reload all at once.
    init() {
        for harness in [lender, borrower] { harness.keepJournal(Self.catalog) }
        let gateway = borrower.connect(.gateway)
        let map = PartitionMap(count: 2, seed: DecisionSeed(1))
        let devices = (0...).lazy.map { "d\($0)" }.filter { name in
            "game".withByteView { app in
                name.withByteView { map.partition(app: app, device: $0) }
            } == 1
        }
        for device in devices.prefix(10) {
            borrower.widgets(gateway, device, [.character("w", "elf")])
        }
        _ = borrower.settle()
    }

    private func lend(atMost wanted: Int, of origin: OriginID = api) -> (Int, second: UInt32)? {
        lender.router.lendPermits(of: origin, atMost: wanted)
    }

    private func borrow(_ count: Int, of origin: OriginID = api, second: UInt32) -> Bool {
        borrower.router.borrowPermits(count, of: origin, second: second)
    }

    private func push() -> Int {
        let publisher = borrower.connect(.publisher, "p")
        borrower.push(publisher, 1, #"{"character":"elf"}"#)
        return borrower.settle().count
    }

    @Test("let more of its reloads go in this second, and none in the next")
    func loan() throws {
        _ = lender.step()
        #expect(push() == 4, "its share of eight")
        let (count, second) = try #require(lend(atMost: 3))
        #expect(count == 3 && borrow(3, second: second))
        #expect(borrower.settle().count == 3)
        let left = try #require(lend(atMost: 100))
        #expect(left.0 == 1, "what was lent is spent")
        #expect(lend(atMost: 100) == nil)
        for harness in [lender, borrower] {
            harness.advance(1_000)
            harness.router.tick(harness.now)
            harness.checkInvariants()
            harness.writeJournal()
            #expect(harness.replica?.difference(from: harness.router) == nil)
        }
        #expect(!borrow(1, second: left.second), "that second is over")
        #expect(borrower.settle().count == 3, "ten less four and three")
    }

    @Test("are none if the origin has no rate, or nothing is wanted")
    func none() {
        _ = lender.step()
        #expect(lend(atMost: 5, of: 0) == nil && lend(atMost: 0) == nil)
        #expect(!borrow(1, of: 0, second: 0))
    }

    @Test("are not there to be lent where other reloads have used them")
    func used() {
        #expect(push() == 4)
        let loan = borrower.router.lendPermits(of: Self.api, atMost: 5)
        #expect(loan == nil)
    }
}
