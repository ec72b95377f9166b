import Basics
import FrameCodec
import Testing

@testable import RouterCore

@Suite("The queue of ready devices")
struct ReadyQueueTests {
    @Test func `It needs memory for the devices in it, not for all that ever were`() {
        var queue = ReadyQueue()
        var next: UInt32 = 0
        func append() {
            queue.append(DeviceID(rawValue: next), arrival: ExactTime(rawValue: Int64(next / 3)))
            next += 1
        }
        for _ in 0..<100 { append() }
        for expected in 0..<200_000 as Range<UInt32> {
            append()
            let device = queue.popFirst()
            if device?.rawValue != expected || queue.arrival.rawValue != Int64(expected / 3) {
                Issue.record("\(String(describing: device)) instead of \(expected)")
                return
            }
        }
        #expect(queue.count == 100 && queue.peek(99)?.rawValue == next - 1)
        #expect(queue.capacity < 20_000)
        while queue.popFirst() != nil {}
        #expect(queue.isEmpty && queue.arrival.rawValue == Int64((next - 1) / 3))
    }

    /// Five devices that are ready because of one push, and cannot be delivered to.
    private func readyDevices() -> (
        RouterHarness, gateway: ConnectionSlot, publisher: ConnectionSlot
    ) {
        let harness = RouterHarness()
        let gateway = harness.connect(.gateway)
        let publisher = harness.connect(.publisher, "p")
        for number in 0..<5 {
            harness.widgets(
                gateway,
                "d\(number)",
                [.character("w", "kit"), .character("v", "c\(number)")]
            )
        }
        _ = harness.step()
        harness.router.outbox.allowance.reloadLimit = 0
        harness.push(publisher, 1, #"{"character":"kit"}"#)
        #expect(harness.reloads() == [])
        return (harness, gateway, publisher)
    }

    @Test(arguments: ["c0", "c2", "c4"])
    func `An urgent push of a ready device goes before the devices without one`(
        character: String
    ) {
        let (harness, _, publisher) = readyDevices()
        harness.push(publisher, 2, #"{"character":"\#(character)"}"#, flags: PushFlags.urgent)
        #expect(harness.reloads() == [])
        harness.router.outbox.allowance.reloadLimit = .max
        let reloads = harness.settle()
        #expect(reloads.first?.device == "d\(character.last!)")
        #expect(reloads.first?.widgets.sorted() == ["v", "w"])
        #expect(reloads.map(\.device).sorted() == ["d0", "d1", "d2", "d3", "d4"])
    }

    @Test func `An urgent push of a device that waits for its connection is sent once`() {
        let (harness, gateway, publisher) = readyDevices()
        harness.router.outputFilled(gateway)
        harness.router.outbox.allowance.reloadLimit = .max
        #expect(harness.settle() == [])
        for seq in 2...4 as ClosedRange<UInt64> {
            harness.push(publisher, seq, #"{"character":"c3"}"#, flags: PushFlags.urgent)
            #expect(harness.settle() == [])
        }
        harness.router.outputDrained(gateway)
        let reloads = harness.settle()
        #expect(reloads.first?.device == "d3")
        #expect(reloads.map(\.device).sorted() == ["d0", "d1", "d2", "d3", "d4"])
        harness.push(publisher, 5, #"{"character":"c3"}"#)
        #expect(harness.settle().map(\.device) == ["d3"])
    }
}
