import Basics
import FrameCodec
import TestSupport

/// Sessions that come and go, and frames of all kinds, some of which are refused.
final class CaptureTraffic {
    static let deviceCount = 12
    static let characterCount = 8

    private let harness: RouterHarness
    /// Open sessions by slot; of those that the router ends, the driver closes the connection.
    private var sessions: [ConnectionSlot: Peer] = [:]
    private var names: [ConnectionSlot: String] = [:]
    private var freeSlots: [ConnectionSlot] = NumberRange(count: 20).reversed()
    private var lastPush: [String: UInt64] = [:]
    private(set) var refusedCount = 0

    init(_ harness: RouterHarness) {
        self.harness = harness
    }

    func act(_ random: inout SeededGenerator) {
        switch random.below(12) {
        case 0...2: begin(&random)
        case 3: end(&random)
        case 4...6: push(&random)
        case 7...9: show(&random)
        case 10: say(&random)
        default: break
        }
        if random.below(3) == 0 { look(harness.step()) }
    }

    /// Closes whatever the router has ended.
    private func look(_ sent: [SentFrame]) {
        for frame in sent {
            switch frame {
            case .reject: refusedCount += 1
            case .fail(let slot, _, _): close(slot)
            default: break
            }
        }
    }

    private func begin(_ random: inout SeededGenerator) {
        guard let slot = freeSlots.popLast() else { return }
        let role = random.pick([Peer.publisher, .device, .gateway])
        let name =
            switch role {
            case .publisher: "p-\(random.below(3))"
            case .device: "d-\(random.below(Self.deviceCount))"
            case .gateway, .server: String?.none
            }
        _ = harness.open(slot)
        harness.hello(slot, role, name)
        sessions[slot] = role
        names[slot] = name
        look(harness.step())
    }

    private func end(_ random: inout SeededGenerator) {
        if let slot = pick(&random) { close(slot) }
    }

    private func close(_ slot: ConnectionSlot) {
        if sessions[slot] == nil { return }
        harness.close(slot)
        sessions[slot] = nil
        freeSlots.append(slot)
    }

    private func pick(_ random: inout SeededGenerator, _ roles: [Peer] = []) -> ConnectionSlot? {
        let slots = sessions.keys.filter { roles.isEmpty || roles.contains(sessions[$0]!) }.sorted()
        return slots.isEmpty ? nil : random.pick(slots)
    }

    private func push(_ random: inout SeededGenerator) {
        guard let slot = pick(&random, [.publisher]) else { return }
        let name = names[slot]!
        let seq = lastPush[name, default: 0] + UInt64(random.below(3))
        if seq == 0 { return }
        lastPush[name] = max(seq, lastPush[name, default: 0])
        let isBroken = random.below(5) == 0
        let payload = #"{"character":"c-\#(random.below(Self.characterCount))""#
        harness.push(slot, seq, isBroken ? payload : payload + "}")
    }

    private func show(_ random: inout SeededGenerator) {
        guard let slot = pick(&random, [.device, .gateway]) else { return }
        let device = names[slot] ?? "d-\(random.below(Self.deviceCount))"
        let widgets = (0..<random.below(4)).map { number in
            TestWidget(
                "w-\(number)",
                random.pick(["detail", "log", "static", "detail", "log", "unknown"]),
                #"{"character":"c-\#(random.below(Self.characterCount))"}"#
            )
        }
        harness.widgets(slot, random.below(8) == 0 ? "d-0" : device, widgets)
    }

    private func say(_ random: inout SeededGenerator) {
        guard let slot = pick(&random, [.device, .gateway]) else { return }
        let device = names[slot] ?? "d-\(random.below(Self.deviceCount))"
        harness.request(slot, device)
    }
}
