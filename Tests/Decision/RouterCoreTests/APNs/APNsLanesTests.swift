import Basics
import Testing

@testable import RouterCore

@Suite("The devices of lanes")
struct APNsLanesTests {
    private static func lane(_ app: Int) -> APNsLaneID {
        APNsLaneID(
            app: AppID(rawValue: UInt16(app)),
            environment: .sandbox,
            channel: .background
        )
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `leave as they came, and exactly the lanes with entries are active`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var lanes = APNsLanes()
        /// The lane of each device that is queued.
        var model: [DeviceID: Int] = [:]
        for _ in 0..<20_000 {
            let device = DeviceID(rawValue: UInt32(random.below(60)))
            let app = Int(random.below(9))
            switch random.below(5) {
            case 0, 1:
                lanes.append(device, in: Self.lane(app), isUrgent: random.below(4) == 0)
                if model[device] == nil { model[device] = app }
            case 2:
                if let app = model[device] { lanes.expedite(device, in: Self.lane(app)) }
            case 3:
                lanes.remove(device)
                model[device] = nil
            default:
                if let found = lanes.popFirst(in: Self.lane(app)) {
                    let expected = model.removeValue(forKey: found)
                    #expect(expected != nil, "seed \(seed): a device that was not queued")
                }
            }
            #expect(lanes.deviceCount == model.count)
        }
        let active = Set(lanes.active)
        #expect(active.count == lanes.active.count, "seed \(seed): a lane is active twice")
        for app in 0..<9 {
            let lane = Self.lane(app)
            #expect(active.contains(lane) == (lanes.count(in: lane) > 0), "seed \(seed)")
            while let device = lanes.popFirst(in: lane) { model[device] = nil }
            #expect(!lanes.active.contains(lane), "seed \(seed): an empty lane is active")
        }
        #expect(model.isEmpty && lanes.active.isEmpty && lanes.deviceCount == 0, "seed \(seed)")
    }

    @Test func `Urgent ones leave first, and a device leaves once`() {
        var lanes = APNsLanes()
        let lane = Self.lane(0)
        for number: UInt32 in 0..<4 {
            lanes.append(DeviceID(rawValue: number), in: lane, isUrgent: number == 2)
        }
        lanes.expedite(DeviceID(rawValue: 3), in: lane)
        var order: [UInt32] = []
        while let device = lanes.popFirst(in: lane) { order.append(device.rawValue) }
        #expect(order == [2, 3, 0, 1])
    }
}
