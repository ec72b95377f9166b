import Basics
import TestSupport
import Testing

@testable import RouterCore

@Suite("A set of devices")
struct DeviceSetTests {
    @Test("has what was inserted and not removed, like a set", arguments: UInt64(1)...8)
    func isASet(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var devices = DeviceSet()
        var expected: Set<DeviceID> = []
        for _ in 0..<2_000 {
            // Around the edges of words, and far apart.
            let device = DeviceID(index: random.below(3) * 4_096 + random.below(130))
            switch random.next() % 3 {
            case 0:
                devices.insert(device)
                expected.insert(device)
            case 1:
                let wasThere = devices.remove(device)
                #expect(wasThere == (expected.remove(device) != nil))
            default:
                #expect(devices.contains(device) == expected.contains(device))
            }
        }
        var left: [DeviceID] = []
        while let device = devices.popLast() { left.append(device) }
        #expect(left == expected.sorted(by: >), "each once, the highest first")
        let next = devices.popLast()
        #expect(next == nil && !devices.contains(left.first ?? 0))
    }

    @Test("knows nothing of devices beyond those that were ever inserted")
    func beyond() {
        var devices = DeviceSet()
        #expect(!devices.contains(DeviceID(rawValue: .max)))
        let wasThere = devices.remove(DeviceID(rawValue: .max - 1))
        #expect(!wasThere)
        devices.insert(64)
        #expect(!devices.contains(63) && devices.contains(64) && !devices.contains(65))
    }
}
