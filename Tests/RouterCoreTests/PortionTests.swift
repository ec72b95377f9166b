import FrameCodec
import ReloadModel
import RouterCore
import Testing

@Suite("The router, matching in portions")
struct PortionTests {
    /// Looks at three widgets in one go; `d` has ten for Kit.
    let harness = RouterHarness { $0.matchesPerStep = 3 }
    let publisher: UInt32
    let gateway: UInt32

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

    @Test("hands a push that concerns 100,000 widgets out in several steps, each widget once")
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
        // The first portion is matched when the push comes.
        #expect(steps.count == (100_000 + perStep - 1) / perStep - 1 && steps.count > 4)
        #expect(steps.allSatisfy { !reloaded($0).isEmpty }, "each step sends what it has found")
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
        // The first portion is matched when the push comes, the second in the first step.
        #expect(steps.map { reloaded($0).count } == [6, 3, 1])
        #expect(steps.flatMap { reloaded($0) }.sorted() == ofKit)
        #expect(
            steps.map { $0.contains(.ack(publisher, seq: 1, matched: 10)) } == [
                false, false, true,
            ]
        )
        #expect(steps.last?.last == .ack(publisher, seq: 1, matched: 10))
    }

    @Test("takes no frame of anybody until the batch is finished, and then all in order")
    func othersWait() {
        let device = harness.connect(.device, "e")
        harness.push(publisher, 1, kit)
        let frames =
            encodeFrame(.ping, seq: 7)
            + harness.collect { harness.request(device, "e") } + encodeFrame(.ping, seq: 8)
        var isBusy = harness.router.isBusy
        while isBusy {
            #expect(harness.send(device, frames) == 0)
            #expect(harness.step().allSatisfy { $0.slot != device })
            isBusy = harness.router.isBusy
        }
        #expect(harness.send(device, frames) == frames.count)
        let sent = harness.step()
        #expect(sent.prefix(2) == [.pong(device, seq: 7), .pong(device, seq: 8)])
        #expect(reloaded(sent) == ["e.w"])
        #expect(sent.last == .ack(device, seq: 1, matched: nil))
    }

    @Test("stops in the middle of a read, in front of the frame behind the pushes")
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

    @Test("looks at frames that replace or remove the widgets after the push")
    func replacedMeanwhile() {
        harness.push(publisher, 1, kit)
        let frames = harness.collect {
            harness.widgets(gateway, "d", [.character("w3", "nim")])
            harness.widgets(gateway, "e", [])
        }
        #expect(harness.send(gateway, frames) == 0)
        let sent = steps(harness).flatMap { $0 }
        #expect(reloaded(sent).sorted() == ofKit)
        #expect(harness.send(gateway, frames) == frames.count)
        _ = harness.step()
        harness.push(publisher, 2, kit)
        #expect(harness.step() == [.ack(publisher, seq: 2, matched: 0)])
        harness.push(publisher, 3, #"{"character":"nim"}"#)
        #expect(reloaded(harness.step()) == ["d.w3"])
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

    @Test("drains with all matched and acknowledged")
    func drainMeanwhile() {
        harness.push(publisher, 1, kit)
        harness.router.drain()
        let sent = harness.step()
        #expect(reloaded(sent).sorted() == ofKit)
        #expect(sent.last == .ack(publisher, seq: 1, matched: 10))
    }

    @Test("delivers what a lost connection has pushed, and acknowledges it to nobody")
    func publisherLost() {
        harness.push(publisher, 1, kit)
        var widgets = reloaded(harness.step())
        harness.close(publisher)
        // The next one in the slot has nothing to do with it.
        let next = harness.open(publisher)
        let hello = harness.collect { harness.hello(next, .publisher, "q") }
        #expect(harness.send(next, hello) == 0)
        let sent = steps(harness).flatMap { $0 }
        widgets += reloaded(sent)
        #expect(widgets.sorted() == ofKit)
        #expect(sent.allSatisfy { isReload($0) != nil }, "\(sent)")
        #expect(harness.send(next, hello) == hello.count)
        _ = harness.take()
        harness.push(next, 1, #"{"character":"nim"}"#)
        #expect(harness.step().last == .ack(next, seq: 1, matched: 1))
    }

    @Test("keeps what a lost gateway is owed, whichever portion finds it")
    func gatewayLost() {
        harness.push(publisher, 1, kit)
        let first = reloaded(harness.step())
        harness.close(gateway)
        #expect(steps(harness).flatMap { reloaded($0) } == [])
        let again = harness.connect(.device, "d")
        let sent = harness.step()
        #expect(!first.isEmpty && reloaded(sent).sorted() == ofKit, "unanswered and pending")
        #expect(sent.allSatisfy { $0.slot == again })
    }

    @Test("does not blame a publisher for silence while its own pushes keep it from being read")
    func silence() {
        harness.push(publisher, 1, kit)
        harness.advance(60_000)
        #expect(harness.sweep() == [.ping(gateway)])
        _ = steps(harness)
        harness.advance(14_999)
        #expect(!harness.sweep().contains(.ping(publisher)))
        harness.advance(1)
        #expect(harness.sweep().contains(.ping(publisher)))
    }

    @Test("judges a push that is void as one, however many widgets it would concern")
    func void() {
        harness.push(publisher, 1, kit, voidAt: UInt64(harness.now.wall))
        #expect(steps(harness).flatMap { $0 } == [.ack(publisher, seq: 1, matched: 0)])
    }

    @Test("takes no more frames in a turn that has matched enough")
    func turnLimit() {
        let harness = RouterHarness { $0.matchesPerTurn = 32 }
        let publisher = harness.connect(.publisher, "p")
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", [.character("w", "kit")])
        _ = harness.step()
        let frames = (1...40 as ClosedRange<UInt64>).map { harness.pushFrame($0, kit) }
        let taken = frames[..<32].reduce(0) { $0 + $1.count }
        #expect(harness.send(publisher, frames.flatMap { $0 }) == taken)
        #expect(harness.send(gateway, encodeFrame(.ping, seq: 1)) == 0)
        #expect(harness.step().last == .ack(publisher, seq: 32, matched: 32))
        harness.send(publisher, frames[32...].flatMap { $0 })
        #expect(harness.step().last == .ack(publisher, seq: 40, matched: 8))
    }
}
