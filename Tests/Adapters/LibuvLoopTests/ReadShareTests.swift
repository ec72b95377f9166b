import Basics
import TestSupport
import Testing

@testable import LibuvLoop

@Suite("A read's share of the tick")
struct ReadShareTests {
    private static let most = 1 << 20
    private var share = ReadShare(most: most)

    /// A turn whose full reads take so long each, in ms.
    private mutating func tick(reads: Int, milliseconds: Int64) -> [Int] {
        var time: ExactTime = 5
        var limits: [Int] = []
        for _ in 0..<reads {
            limits.append(share.limit)
            time += .milliseconds(milliseconds)
            share.record(share.limit, isFull: true) { time }
        }
        share.endTick()
        return limits
    }

    @Test("is all there is while ticks are short")
    mutating func all() {
        for _ in 0..<3 {
            let limits = tick(reads: 3, milliseconds: 1)
            #expect(limits == [Self.most, Self.most, Self.most])
        }
    }

    @Test("is the least in what is left of a tick that is too long, and half of it in the next")
    mutating func long() {
        // The clock begins with the first of them.
        let limits = tick(reads: 5, milliseconds: 15)
        #expect(limits == [Self.most, Self.most, Self.most, ReadShare.least, ReadShare.least])
        #expect(share.limit == Self.most / 2)
    }

    @Test("has bounds, and comes back when reads are cut off in short ticks")
    mutating func back() {
        for _ in 0..<20 { _ = tick(reads: 40, milliseconds: 30) }
        let least = share.limit
        #expect(least >= ReadShare.least && least <= ReadShare.stride)
        for _ in 0..<10 { _ = tick(reads: 1, milliseconds: 1) }
        #expect(share.limit == Self.most)
    }

    @Test("is adapted on loops that report the ends of ticks, and on no others")
    func hooks() throws {
        let stage = try Stage()
        #expect(stage.loop.reads != nil)
        try stage.end()
        #expect(stage.loop.reads == nil)
        // Without an end the first turn would seem to last for ever, and every read bring the
        // least.
        let loop = try Loop()
        #expect(loop.reads == nil)
        try loop.close()
    }

    @Test("stays when no connection has more input than one read")
    mutating func stays() {
        _ = tick(reads: 3, milliseconds: 30)
        let half = share.limit
        for _ in 0..<5 {
            share.record(100, isFull: false) { 1 }
            share.endTick()
        }
        #expect(half == Self.most / 2 && share.limit == half)
    }
}
