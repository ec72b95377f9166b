import Basics
import TestSupport
import Testing

@Suite("A map of partitions")
struct PartitionMapTests {
    private static func partition(
        _ device: String,
        of app: String = "com.mygame",
        in map: PartitionMap
    ) -> PartitionID {
        app.withByteView { app in
            device.withByteView { map.partition(app: app, device: $0) }
        }
    }

    private static let devices = (0..<8_000).map { "device-\($0)" }

    @Test("gives each partition its part of the devices", arguments: [1, 2, 3, 8, 64])
    func evenness(count: Int) {
        let map = PartitionMap(count: count, seed: DecisionSeed(7))
        var counts = Array(repeating: 0, count: count)
        for device in Self.devices { counts[Self.partition(device, in: map).index] += 1 }
        let mean = Self.devices.count / count
        #expect(counts.allSatisfy { abs($0 - mean) < max(40, mean / 5) }, "\(counts)")
    }

    @Test("gives a device the partition that it had before, and another store others")
    func stability() {
        let map = PartitionMap(count: 8, seed: DecisionSeed(7))
        // What a store has is where it is for ever.
        let found = Self.devices.prefix(8).map { Self.partition($0, in: map).index }
        #expect(found == [6, 6, 4, 1, 4, 2, 3, 5])
        let other = PartitionMap(count: 8, seed: DecisionSeed(8))
        let moved = Self.devices.count {
            Self.partition($0, in: map) != Self.partition($0, in: other)
        }
        #expect(moved > Self.devices.count * 8 / 10)
    }

    @Test("tells apps apart whose devices have the same names")
    func apps() {
        let map = PartitionMap(count: 8, seed: DecisionSeed(7))
        let others = Self.devices.count {
            Self.partition($0, in: map) != Self.partition($0, of: "com.other", in: map)
        }
        #expect(others > Self.devices.count * 8 / 10)
    }

    @Test("sends a producer's pushes to one home, alike in all partitions")
    func homes() {
        let map = PartitionMap(count: 3, seed: DecisionSeed(7))
        let homes = (0..<300).map { number in
            "com.mygame".withByteView { app in
                "shard-\(number)".withByteView { map.home(app: app, producer: $0) }
            }
        }
        #expect(Set(homes) == [0, 1, 2])
        #expect(homes.allSatisfy { home in homes.count { $0 == home } > 70 })
    }
}
