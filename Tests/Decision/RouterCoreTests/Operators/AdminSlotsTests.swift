import Basics
import FrameCodec
import ReloadScheduling
import TestSupport
import Testing

@testable import RouterCore

/// A slot whose times are numbers.
private struct PlainSlot: Equatable {
    var reloadAt: Int64
    var slotDelay: Int64

    init(reloadAt: Int64, slotDelay: Int64) {
        self.reloadAt = reloadAt
        self.slotDelay = slotDelay
    }

    init(_ slot: AssignedSlot) {
        self.init(reloadAt: slot.reloadAt.rawValue, slotDelay: slot.slotDelay.rawValue)
    }
}

@Suite("Places for an app that holds no connection")
struct AdminSlotsTests {
    private static let origins = [OriginDeclaration(origin: "api", perSecond: 10, undelayed: 2)]
    private static let kinds = [
        KindDeclaration.unlimited("ledger") {
            $0.origin = "api"
            $0.spread.window = 100_000
        },
        .unlimited("uniform") { $0.spread = SpreadPolicy(mode: .uniform, window: 60_000) },
        .unlimited("none") { $0.spread = SpreadPolicy(mode: .none, window: 60_000) },
    ]

    private let harness = SchedulingHarness(kinds, origins: origins, keepsJournal: true)

    private func take(_ kind: String, _ dates: [Int64]) throws -> [PlainSlot] {
        let slots = try harness.router.router.takeSlots(
            app: "game",
            kind: kind,
            dates: dates.map { WallTime(rawValue: $0) },
            now: harness.router.now
        )
        return try #require(slots).map { PlainSlot($0) }
    }

    @Test("are as those of timelines: not before the date, within the window, and flat")
    func flat() throws {
        let date = harness.date(1_000_000)
        let slots = try take("ledger", Array(repeating: date, count: 200))
        #expect(slots.prefix(2).map(\.slotDelay) == [0, 0])
        var perSecond: [Int64: Int] = [:]
        for slot in slots {
            #expect(slot.reloadAt == date + slot.slotDelay)
            #expect((0..<101_000).contains(slot.slotDelay))
            perSecond[slot.reloadAt / 1_000, default: 0] += 1
        }
        #expect(perSecond.values.max()! <= 3)
    }

    @Test("are shared with devices: no app gets a second that is full")
    func shared() throws {
        let origins = [OriginDeclaration(origin: "api", perSecond: 1, undelayed: 0)]
        let harness = SchedulingHarness(Self.kinds, origins: origins, keepsJournal: true)
        let date = harness.date(1_000_000)
        let slots = try harness.router.router.takeSlots(
            app: "game",
            kind: "ledger",
            dates: Array(repeating: WallTime(rawValue: date), count: 40),
            now: harness.router.now
        )
        var seconds = try #require(slots).map {
            ($0.reloadAt - harness.start.wall).rawValue / 1_000
        }
        for index in 0..<40 {
            let widget = TestWidget("w", "ledger", #"{"character":"kit"}"#)
            let slot = harness.device("d\(index)", [widget])
            harness.router.timeline(slot, "d\(index)", "w", policy: harness.after(1_000_000))
            seconds += harness.scheduled().map { $0.reloadAt / 1_000 }
        }
        #expect(seconds.count == 80 && Set(seconds).count == 80)
        let difference = harness.router.replica?.difference(from: harness.router.router)
        #expect(difference == nil)
    }

    @Test("of other kinds are the date, or at random within the window")
    func modes() throws {
        let date = harness.date(50_000)
        #expect(try take("none", [date]).map(\.slotDelay) == [0])
        let random = try take("uniform", Array(repeating: date, count: 50)).map(\.slotDelay)
        #expect(random.allSatisfy { (0..<60_000).contains($0) })
        #expect(Set(random).count > 40)
    }

    @Test("of dates that have passed begin now, and of the far future they are the date")
    func borders() throws {
        let past = harness.date(-5_000)
        #expect(try take("none", [past]).first?.slotDelay == 5_000)
        let far: Int64 = 200_000_000_000_000
        #expect(try take("ledger", [far]) == [PlainSlot(reloadAt: far, slotDelay: 0)])
        let last = WallTime.lastDate.rawValue
        #expect(try take("ledger", [.max]) == [PlainSlot(reloadAt: last, slotDelay: 0)])
        let now = harness.router.now.wall.rawValue
        #expect(try take("none", [.min]) == [PlainSlot(reloadAt: now, slotDelay: now)])
        // A router that follows the log takes the same dates.
        _ = harness.router.step()
        #expect(harness.router.replica?.difference(from: harness.router.router) == nil)
    }

    @Test("need an app and a kind that are declared")
    func unknown() {
        #expect(throws: ProtocolError.self) { try take("other", [0]) }
        let now = harness.router.now
        #expect(throws: ProtocolError.self) {
            try harness.router.router.takeSlots(app: "x", kind: "none", dates: [], now: now)
        }
    }

    @Test("have a limit for each origin, until their days are over")
    func limit() {
        var unownedSlots = UnownedSlots()
        let epoch = WallTime.zero
        for _ in 0..<UnownedSlots.limit { unownedSlots.add(epoch + .days(10)) }
        let hasOne = unownedSlots.hasRoom(for: 1, now: epoch + .days(11))
        let hasNone = unownedSlots.hasRoom(for: 0, now: epoch + .days(11))
        #expect(!hasOne && hasNone)
        let hasRoom = unownedSlots.hasRoom(for: UnownedSlots.limit, now: epoch + .days(12))
        #expect(hasRoom)
    }

    @Test("stay in the ledger's figures, and no widget holds them")
    func totals() throws {
        _ = try take("ledger", Array(repeating: harness.date(20_000), count: 30))
        let pending = harness.router.router.slotCounters.pending
        #expect(pending == 0)
        let now = harness.router.now
        let view = harness.router.router.originViews(after: nil, limit: 9, now: now).found
        let api = try #require(view.first { $0.origin == "api" })
        #expect(api.perSecond == 10 && api.slotCount == 0 && api.waiting == 0)
        #expect(api.requested.count == 120 && api.assigned.count == 120)
        #expect(api.requested.reduce(0, +) == 30 && api.requested.max() == 30)
        #expect(api.assigned.reduce(0, +) == 30 && api.assigned.max()! <= 3)
        let first = api.requested.firstIndex { $0 > 0 }
        let second = api.secondsFrom + .seconds(Int64(first ?? 0))
        #expect(second.rawValue == harness.date(20_000) / 1_000 * 1_000)
    }
}
