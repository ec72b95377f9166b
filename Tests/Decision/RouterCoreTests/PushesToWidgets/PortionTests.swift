import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

@Suite("The router, matching in portions")
struct PortionTests {
    /// Looks at three widgets in one go; `d` has ten for Kit.
    let harness = RouterHarness { $0.matchesPerStep = 3 }
    let publisher: ConnectionSlot
    let gateway: ConnectionSlot

    init() {
        publisher = harness.connect(.publisher, "p")
        gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", (0..<10).map { .character("w\($0)", "kit") })
        harness.widgets(gateway, "e", [.character("w", "nim")])
        _ = harness.step()
    }

    /// Steps until nothing is left to do.
    ///
    /// - Returns: what was sent in each step.
    private func steps(_ harness: RouterHarness) -> [[SentFrame]] {
        var steps: [[SentFrame]] = []
        var needsStep = true
        while needsStep {
            steps.append(harness.step())
            needsStep = harness.router.needsStep
        }
        return steps
    }

    private func reloaded(_ sent: [SentFrame]) -> [String] {
        sent.compactMap { isReload($0) }.flatMap { reload in
            reload.widgets.map { "\(reload.device).\($0)" }
        }
    }

    private let ofKit = (0..<10).map { "d.w\($0)" }
    private let kit = #"{"character":"kit"}"#

    @Test("delivers a push that concerns 100,000 widgets in several steps, each widget once")
    func manyWidgets() {
        let harness = RouterHarness()
        let publisher = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        for device in 0..<500 {
            harness.widgets(gateway, "d\(device)", (0..<200).map { .character("w\($0)", "kit") })
        }
        _ = harness.step()
        harness.push(publisher, 1, kit)
        let steps = steps(harness)
        let perStep = harness.router.limits.matchesPerStep
        // In the first one all are found.
        #expect(steps.count == 1 + (100_000 + perStep - 1) / perStep && steps.count > 5)
        #expect(reloaded(steps[0]).isEmpty)
        #expect(steps.dropFirst().allSatisfy { !reloaded($0).isEmpty })
        let widgets = steps.flatMap { reloaded($0) }
        #expect(widgets.count == 100_000 && Set(widgets).count == 100_000)
        let acknowledgements = steps.map { $0.filter { isReload($0) == nil } }
        #expect(acknowledgements.dropLast().allSatisfy { $0.isEmpty })
        #expect(acknowledgements.last == [.ack(publisher, seq: 1, matched: 100_000)])
    }

    @Test("sends the first portion's RELOADs before it looks at the last one, and then the ACK")
    func order() {
        harness.push(publisher, 1, kit)
        let steps = steps(harness)
        #expect(steps.map { reloaded($0).count } == [0, 3, 3, 3, 1])
        #expect(steps.flatMap { reloaded($0) }.sorted() == ofKit)
        let ack = SentFrame.ack(publisher, seq: 1, matched: 10)
        #expect(steps.map { $0.contains(ack) } == [false, false, false, false, true])
        #expect(steps.last?.last == ack)
    }

    @Test("accepts no frame while it searches, and all in order while it delivers")
    func othersGoOn() {
        let device = harness.connect(.device, "e")
        harness.push(publisher, 1, kit)
        let frames =
            encodeFrame(.ping, seq: 7)
            + harness.collect { harness.request(device, "e") } + encodeFrame(.ping, seq: 8)
        #expect(harness.send(device, frames) == 0)
        #expect(harness.step() == [])
        #expect(harness.send(device, frames) == frames.count)
        let sent = harness.step()
        #expect(sent.prefix(2) == [.pong(device, seq: 7), .pong(device, seq: 8)])
        #expect(reloaded(sent).contains("e.w") && reloaded(sent).count == 4)
        #expect(sent.last == .ack(device, seq: 1, matched: nil))
        #expect(steps(harness).last?.last == .ack(publisher, seq: 1, matched: 10))
    }

    @Test("acknowledges what other producers push meanwhile, and the same one's pushes afterwards")
    func otherProducers() {
        let other = harness.connect(.publisher, "q")
        harness.push(publisher, 1, kit)
        _ = harness.step()
        let frame = harness.pushFrame(1, #"{"character":"nim"}"#)
        #expect(harness.send(other, frame) == frame.count)
        #expect(harness.step().contains(.ack(other, seq: 1, matched: 1)))
        let next = harness.pushFrame(2, #"{"character":"nim"}"#)
        #expect(harness.send(publisher, next) == 0)
        // A new session of the producer is told of the push, and waits as well.
        let again = harness.connect(.publisher, "p")
        #expect(harness.send(again, next) == 0)
        let sent = steps(harness).flatMap { $0 }
        #expect(sent.allSatisfy { isReload($0) != nil }, "the former session has ended")
        #expect(harness.send(again, next) == next.count)
        #expect(harness.step().last == .ack(again, seq: 2, matched: 1))
    }

    @Test("counts a push as accepted for operators when all is found, as for a new session")
    func lastSeq() throws {
        func reported() throws -> UInt64? {
            let page = try harness.router.producers(of: nil, after: nil, limit: 1, now: harness.now)
            return page.found.first?.lastSeq
        }
        harness.push(publisher, 1, kit)
        #expect(harness.router.counters.pushesAccepted == 1 && harness.router.isBusy)
        #expect(try reported() == 0, "a process that ends now has not applied it")
        #expect(harness.step() == [])
        #expect(try reported() == 1, "the process that runs then delivers the rest")
        let sent = steps(harness).flatMap { $0 }
        #expect(sent.last == .ack(publisher, seq: 1, matched: 10))
        #expect(try reported() == 1)
    }

    @Test("delivers one large push after the other, each to the end")
    func severalPushes() {
        let other = harness.connect(.publisher, "q")
        harness.push(publisher, 1, kit)
        _ = harness.step()
        harness.push(other, 1, kit)
        let sent = steps(harness)
        let acks = sent.map { $0.filter { isReload($0) == nil } }
        let first = acks.firstIndex(of: [.ack(publisher, seq: 1, matched: 10)])
        let second = acks.firstIndex(of: [.ack(other, seq: 1, matched: 10)])
        #expect(first != nil && second == acks.count - 1 && first! < second!)
        // What the first one had not reloaded when the second one came is told once.
        #expect(sent.flatMap { reloaded($0) }.sorted() == ofKit)
    }

    @Test("searches for no more than it may keep, and delivers that before it continues")
    func bounded() {
        let harness = RouterHarness { limits in
            limits.matchesPerStep = 3
            limits.fanOutMatches = 6
        }
        let publisher = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", (0..<20).map { .character("w\($0)", "kit") })
        _ = harness.step()
        harness.push(publisher, 1, kit)
        let ping = encodeFrame(.ping, seq: 1)
        var taken: [Int] = []
        var steps: [[SentFrame]] = []
        while harness.router.isFanningOut {
            taken.append(harness.send(gateway, ping))
            steps.append(harness.step())
        }
        #expect(steps.map { reloaded($0).count } == [0, 3, 3, 0, 3, 3, 0, 3, 3, 0, 2])
        #expect(taken.dropLast().allSatisfy { $0 == 0 } && taken.last == ping.count)
        #expect(steps.last?.last == .ack(publisher, seq: 1, matched: 20))
    }

    @Test("accepts no frame until all is delivered, if too much has changed")
    func finishFanOuts() {
        harness.push(publisher, 1, kit)
        _ = harness.step()
        harness.router.finishFanOuts()
        let ping = encodeFrame(.ping, seq: 1)
        while harness.router.isFanningOut {
            #expect(harness.send(gateway, ping) == 0)
            _ = harness.step()
        }
        #expect(harness.send(gateway, ping) == ping.count)
        harness.router.finishFanOuts()
        let isBusy = harness.router.isBusy
        #expect(!isBusy, "there is nothing to wait for")
    }

    @Test("stops in the middle of a read, in front of the frame after the pushes")
    func stopsInTheMiddle() {
        let pushes = harness.pushFrame(1, kit) + harness.pushFrame(2, #"{"character":"nim"}"#)
        let ping = encodeFrame(.ping, seq: 9)
        #expect(harness.send(publisher, pushes + ping) == pushes.count)
        let sent = steps(harness).flatMap { $0 }
        #expect(reloaded(sent).sorted() == ofKit + ["e.w"])
        #expect(sent.last == .ack(publisher, seq: 2, matched: 11))
        #expect(harness.send(publisher, ping) == ping.count)
        #expect(harness.step() == [.pong(publisher, seq: 9)])
    }

    @Test("acknowledges nothing to the next peer in a slot whose publisher has left")
    func publisherThatLeaves() {
        harness.push(publisher, 1, kit)
        _ = harness.step()
        harness.close(publisher)
        let next = harness.connect(.publisher, "q", slot: publisher)
        let sent = steps(harness).flatMap { $0 }
        #expect(reloaded(sent).sorted() == ofKit && sent.allSatisfy { isReload($0) != nil })
        // It counts from its own beginning.
        let frame = harness.pushFrame(1, #"{"character":"nim"}"#)
        #expect(harness.send(next, frame) == frame.count)
        #expect(harness.step().last == .ack(next, seq: 1, matched: 1))
    }

    @Test("acknowledges what came in front of a broken frame before it ends the session")
    func brokenFrame() {
        let push = harness.pushFrame(1, kit)
        let broken: [UInt8] = [0, 0, 0, 0]
        #expect(harness.send(publisher, push + broken) == push.count)
        let sent = steps(harness).flatMap { $0 }
        #expect(sent.last == .ack(publisher, seq: 1, matched: 10))
        #expect(harness.send(publisher, broken) == broken.count)
        expectFailure(harness.step(), publisher, .frameLength)
    }

    @Test("acknowledges earlier pushes meanwhile, with their own matches only")
    func earlierPushes() {
        let other = harness.connect(.publisher, "q")
        harness.push(other, 4, #"{"character":"nim"}"#)
        harness.push(publisher, 1, #"{"character":"nim"}"#)
        harness.send(publisher, harness.pushFrame(2, kit) + harness.pushFrame(1, kit))
        let sent = steps(harness).map { $0.filter { isReload($0) == nil } }
        #expect(
            sent.first == [.ack(other, seq: 4, matched: 1), .ack(publisher, seq: 1, matched: 1)]
        )
        #expect(sent.last == [.ack(publisher, seq: 2, matched: 10)])
        #expect(sent.dropFirst().dropLast().allSatisfy { $0.isEmpty })
    }

    @Test("reloads no widget that is removed meanwhile, and none that has its place since")
    func removedMeanwhile() {
        harness.push(publisher, 1, kit)
        _ = harness.step()
        // All ten are gone, and others have their numbers.
        harness.widgets(gateway, "d", [])
        harness.widgets(gateway, "f", (0..<10).map { .character("v\($0)", "zoe") })
        let sent = steps(harness).flatMap { $0 }
        #expect(reloaded(sent) == [])
        #expect(sent.last == .ack(publisher, seq: 1, matched: 10), "so many were concerned")
        harness.push(publisher, 2, #"{"character":"zoe"}"#)
        #expect(steps(harness).flatMap { reloaded($0) }.count == 10)
    }

    @Test("reloads a widget that is configured anew meanwhile")
    func replacedMeanwhile() {
        harness.push(publisher, 1, kit)
        _ = harness.step()
        harness.widgets(gateway, "d", [.character("w3", "nim")])
        #expect(steps(harness).flatMap { reloaded($0) } == ["d.w3"])
        harness.push(publisher, 2, kit)
        #expect(harness.step() == [.ack(publisher, seq: 2, matched: 0)])
        harness.push(publisher, 3, #"{"character":"nim"}"#)
        #expect(reloaded(harness.step()).sorted() == ["d.w3", "e.w"])
    }

    @Test("accepts no frames when too many widgets change meanwhile to be remembered")
    func manyChanges() {
        let count = RouterLimits.fanOutChanges
        let gateway = harness.connect(.gateway)
        for device in 0..<count / 256 {
            harness.widgets(gateway, "n\(device)", (0..<256).map { .character("w\($0)", "zoe") })
        }
        _ = harness.settle()
        func isHeld() -> Bool { harness.router.isPaused(gateway) }
        harness.push(publisher, 1, kit)
        _ = harness.step()
        for device in 0..<count / 256 {
            #expect(!isHeld())
            harness.widgets(gateway, "n\(device)", [])
        }
        #expect(isHeld())
        _ = harness.settle()
        #expect(!isHeld())
    }

    @Test("finishes the batch by the old rules before it takes over a new app file")
    func installMeanwhile() {
        harness.push(publisher, 1, kit)
        var catalog = AppCatalog.game
        catalog.apps[0].kinds[0].rule = .parameter("hero")
        harness.router.install(catalog)
        let sent = harness.step()
        #expect(reloaded(sent).sorted() == ofKit)
        #expect(sent.last == .ack(publisher, seq: 1, matched: 10))
        harness.push(publisher, 2, kit)
        #expect(harness.step() == [.ack(publisher, seq: 2, matched: 0)])
    }

    @Test("drains with all matched and acknowledged", arguments: [0, 2])
    func drainMeanwhile(steps: Int) {
        harness.push(publisher, 1, kit)
        var sent: [SentFrame] = []
        for _ in 0..<steps { sent += harness.step() }
        harness.router.drain()
        sent += harness.step()
        #expect(reloaded(sent).sorted() == ofKit)
        #expect(sent.last == .ack(publisher, seq: 1, matched: 10))
    }

    @Test(
        "delivers what a lost connection has pushed, without an ACK",
        arguments: [1, 2]
    )
    func publisherLost(steps count: Int) {
        harness.push(publisher, 1, kit)
        var widgets: [String] = []
        for _ in 0..<count { widgets += reloaded(harness.step()) }
        harness.close(publisher)
        // The next one in the slot has nothing to do with it.
        let next = harness.connect(.publisher, "q", slot: publisher)
        let sent = steps(harness).flatMap { $0 }
        widgets += reloaded(sent)
        #expect(widgets.sorted() == ofKit)
        #expect(sent.allSatisfy { isReload($0) != nil }, "\(sent)")
        harness.push(next, 1, #"{"character":"nim"}"#)
        #expect(harness.step().last == .ack(next, seq: 1, matched: 1))
    }

    @Test("keeps the reloads of a lost gateway, whichever portion finds them")
    func gatewayLost() {
        harness.push(publisher, 1, kit)
        _ = harness.step()
        let first = reloaded(harness.step())
        harness.close(gateway)
        #expect(steps(harness).flatMap { reloaded($0) } == [])
        let again = harness.connect(.device, "d")
        let sent = harness.step()
        #expect(!first.isEmpty && reloaded(sent).sorted() == ofKit, "unanswered and pending")
        #expect(sent.allSatisfy { $0.slot == again })
    }

    @Test(
        "does not blame a publisher for silence while its own pushes keep it from being read",
        arguments: [0, 1]
    )
    func silence(steps count: Int) {
        harness.push(publisher, 1, kit)
        for _ in 0..<count { _ = harness.step() }
        harness.advance(60_000)
        #expect(harness.sweep() == [.ping(gateway)])
        _ = steps(harness)
        harness.advance(14_999)
        #expect(!harness.sweep().contains(.ping(publisher)))
        harness.advance(1)
        #expect(harness.sweep().contains(.ping(publisher)))
    }

    @Test("treats an expired push as expired, however many widgets it would concern")
    func expired() {
        harness.push(publisher, 1, kit, expiresAt: UInt64(harness.now.wall.rawValue))
        #expect(steps(harness).flatMap { $0 } == [.ack(publisher, seq: 1, matched: 0)])
    }

    @Test("takes no more frames in a tick that has done enough work")
    func tickLimit() {
        let harness = RouterHarness {
            $0.workPerTick = 100_000
            $0.workPerConnection = 100_000
        }
        let publisher = harness.connect(.publisher, "p")
        _ = harness.step()
        let gateway = harness.connect(.gateway)
        _ = harness.step()
        harness.widgets(gateway, "d", [.character("w", "kit")])
        _ = harness.step()
        let frames = (1...1_000 as ClosedRange<UInt64>).map { harness.pushFrame($0, kit) }
        var rest = Array(frames.joined())
        let taken = harness.send(publisher, rest)
        let count = UInt64(taken / frames[0].count)
        #expect(taken % frames[0].count == 0 && (1..<1_000).contains(count))
        #expect(harness.send(gateway, encodeFrame(.ping, seq: 1)) == 0)
        #expect(harness.step().last == .ack(publisher, seq: count, matched: UInt32(count)))
        rest.removeFirst(taken)
        var last: SentFrame?
        for _ in 0..<1_000 where !rest.isEmpty {
            rest.removeFirst(harness.send(publisher, rest))
            last = harness.step().last ?? last
        }
        guard case .ack(publisher, seq: 1_000, _) = last else {
            Issue.record("\(String(describing: last)) is the last answer")
            return
        }
    }
}
