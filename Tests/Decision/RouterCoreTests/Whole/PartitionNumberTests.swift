import Basics
import FrameCodec
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("The numbers that leave a router")
struct PartitionNumberTests {
    private static func numbers(_ partition: Partition) -> [UInt64] {
        var numbers = LastNumbers(of: partition)
        var found: [UInt64] = []
        for round in 0..<200 {
            numbers.nextReload()
            found.append(numbers.reload)
            if round % 3 == 0 {
                numbers.nextTokenEnd()
                #expect(numbers.tokenEnd >= numbers.reload)
                #expect(numbers.tokenEnd % UInt64(partition.count) == partition.id.rawValue)
            }
            if round % 50 == 49 { numbers.skipReloads() }
        }
        return found
    }

    @Test("are 1, 2, 3 and so on where there is only one partition")
    func onlyPartition() {
        var numbers = LastNumbers(of: .only)
        for number in 1...3 as ClosedRange<UInt64> {
            numbers.nextReload()
            #expect(numbers.reload == number)
        }
        numbers.nextTokenEnd()
        #expect(numbers.tokenEnd == 3)
        numbers.nextTokenEnd()
        #expect(numbers.tokenEnd == 4)
        numbers.skipReloads()
        numbers.nextReload()
        #expect(numbers.reload == 1 << 32 + 1)
    }

    @Test("rise, and no two partitions have the same", arguments: [1, 2, 3, 7, 64])
    func unique(count: Int) {
        var all: Set<UInt64> = []
        for id in 0..<count {
            let found = Self.numbers(Partition(PartitionID(index: id), of: count))
            #expect(zip(found, found.dropFirst()).allSatisfy { $0 < $1 })
            #expect(found.allSatisfy { Int($0 % UInt64(count)) == id && $0 > 0 })
            #expect(found[50] > 1 << 32 && found[49] < 1 << 32)
            all.formUnion(found)
        }
        #expect(all.count == 200 * count)
    }

    @Test("are refused in the table of another partition")
    func restored() throws {
        for id in 0..<3 as Range<UInt8> {
            var writer = StoreWriter()
            var numbers = LastNumbers(of: Partition(1, of: 3))
            numbers.nextReload()
            numbers.nextTokenEnd()
            numbers.write(to: &writer)
            var reader = StoreReader(writer.bytes)
            var read = LastNumbers(of: Partition(PartitionID(rawValue: id), of: 3))
            do throws(StoreError) {
                try read.restore(&reader)
                #expect(id == 1 && read.reload == 4)
            } catch {
                #expect(id != 1 && error.code == .corrupt)
            }
        }
    }

    @Test("name a RELOAD, and a TIMELINE with its number answers it")
    func reloads() {
        let partition = Partition(2, of: 3)
        let harness = RouterHarness(partition: partition)
        let map = PartitionMap(count: 3, seed: DecisionSeed(1))
        let device = (0...).lazy.map { "d\($0)" }.first { name in
            "game".withByteView { app in
                name.withByteView { map.partition(app: app, device: $0) }
            } == partition.id
        }!
        let slot = harness.connect(.device, device)
        harness.widgets(slot, device, [.character("w", "kit")])
        let publisher = harness.connect(.publisher, "p")
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.settle().map(\.seq) == [5])
        harness.push(publisher, 2, #"{"character":"kit"}"#)
        #expect(harness.settle().map(\.seq) == [8])
        // One of another partition, and one of before, answer nothing.
        for (number, isAnswer) in [(7, false), (5, false), (8, true)] as [(UInt64, Bool)] {
            harness.timeline(slot, device, "w", reload: number)
            _ = harness.settle()
            let record = harness.router.state.reloads.delivery.widgets[0]
            #expect(record.has(WidgetRecord.unanswered) == !isAnswer, "\(number)")
        }
        harness.checkInvariants()
    }

    @Test("tell whose a device is: another partition's is a contradiction")
    func foreignDevice() {
        let harness = RouterHarness(partition: Partition(2, of: 3))
        let gateway = harness.connect(.gateway)
        for number in 0..<9 { harness.widgets(gateway, "d\(number)", [.character("w", "kit")]) }
        #expect(throws: InvariantViolation.self) { try harness.router.checkInvariants() }
    }
}
