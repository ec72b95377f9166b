import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

@Suite("The costliest tick")
struct WorstTickTests {
    /// The 5 ms for which `WorkCost` stands, and one portion.
    ///
    /// Frames are taken until a tick has cost `workPerTick`, and the last one may pass that; what a
    /// search goes on with is a portion.
    private static let most = 5_000_000 + RouterLimits.searchWorkPerStep
    /// What a search must have come upon.
    private static let least = 300_000

    @Test(
        "stays within its limit, whatever app file, widgets and frames a search for cost comes upon"
    )
    func search() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<3 {
            var best = CostlyTraffic(&random)
            var cost = try Self.worstTick(of: best) ?? 0
            var tries = 0
            // From some beginnings the way to what is costly is long.
            while tries < 30 || (cost <= Self.least && tries < 1_000) {
                tries += 1
                let next = best.mutated(&random)
                guard let found = try Self.worstTick(of: next), found >= cost else { continue }
                best = next
                cost = found
            }
            #expect(cost <= Self.most, "seed \(seed): \(best)")
            // A search that finds nothing costly tests nothing.
            #expect(cost > Self.least, "seed \(seed): \(best)")
        }
    }

    @Test("stays within its limit for the frames that are known to cost most")
    func known() throws {
        for (kind, count, length, variety) in [
            (0, 20_000, 1, 10_000), (1, 2_000, 1, 2_000), (2, 1, 1_000, 1), (3, 256, 200, 256),
            (4, 20_000, 1, 1), (5, 400, 1, 1), (6, 20_000, 1, 1),
        ] {
            var random = SeededGenerator(seed: 1)
            var traffic = CostlyTraffic(&random)
            traffic.frames = (0..<6).map { _ in
                CostlyTraffic.Frame(kind: kind, count: count, length: length, variety: variety)
            }
            let cost = try #require(try Self.worstTick(of: traffic))
            #expect(cost <= Self.most, "\(traffic)")
        }
    }

    /// Plays traffic, each sender as fast as it is read from.
    ///
    /// - Returns: the work of the costliest tick; nil if the app file is refused.
    private static func worstTick(of traffic: CostlyTraffic) throws -> Int? {
        let file = Array(traffic.appFile.utf8)
        guard let catalog = file.withByteView({ try? AppFile.parse($0).catalog }) else {
            return nil
        }
        let harness = RouterHarness(catalog: catalog) { $0 = RouterLimits() }
        let gateway = harness.connect(.gateway)
        _ = harness.step()
        let publisher = harness.connect(.publisher, "p")
        _ = harness.step()
        var worst = 0
        var sequences: [ConnectionSlot: UInt64] = [:]
        var unread: [ConnectionSlot: [UInt8]] = [:]
        func queue(_ slot: ConnectionSlot, _ type: FrameType, _ body: String) {
            sequences[slot, default: 0] += 1
            unread[slot, default: []] += encodeFrame(
                type,
                seq: sequences[slot]!,
                body: Array(body.utf8)
            )
        }
        func play() {
            var ticks = 0
            while harness.router.needsStep || unread.values.contains(where: { !$0.isEmpty }) {
                for slot in [gateway, publisher] where !unread[slot, default: []].isEmpty {
                    let next = Array(unread[slot]!.prefix(65_536 + FrameHeader.byteCount))
                    unread[slot]!.removeFirst(harness.send(slot, next))
                }
                _ = harness.step()
                // Who has sent what is costly rests for a while.
                harness.now.monotonic += 1
                worst = max(worst, harness.router.outbox.work.spentBefore)
                ticks += 1
                if ticks < 100_000 { continue }
                Issue.record("the router does not come to rest")
                return
            }
        }
        for body in traffic.registrations { queue(gateway, .widgets, body) }
        play()
        for frame in traffic.frames {
            let (isPush, type, body) = traffic.content(of: frame)
            queue(isPush ? publisher : gateway, type, body)
        }
        play()
        return worst
    }
}
