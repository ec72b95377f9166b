import Basics
import FrameCodec
import RouterCore
import TestSupport

/// A router with 100 devices behind one gateway (slot 1), each with one widget of a kind with a
/// policy, one publisher (slot 0), a clock that each turn moves on, and memory for all that is
/// written.
@safe struct SchedulingBench: ~Copyable {
    static let deviceCount = 100

    private let driver: VirtualRouter
    var router: Router { _read { yield driver.router } }
    private var output = FrameOutput()
    var reloadCount: Int { output.reloadCount }
    private let input = UnsafeMutableRawPointer.allocate(byteCount: 8_192, alignment: 8)
    /// Frames that take turns, each in 4,096 bytes of `input`.
    private var counts = [0, 0]
    private var frames = 1
    private var slot: ConnectionSlot = 0
    private var seq: UInt64 = 0
    private let step: Int64

    /// - Parameters:
    ///   - perSecond: the origin's rate, if the kind has one.
    ///   - milliseconds: that pass in each turn.
    ///   - change: makes the kind's policy of WidgetKit's.
    init(
        perSecond: Int? = nil,
        milliseconds: Int64 = 0,
        _ change: (inout KindPolicy) -> Void = { _ in }
    ) {
        var policy = KindPolicy()
        policy.origin = perSecond == nil ? nil : "api"
        change(&policy)
        let rule = EventPattern(conditions: [
            .field("character", [.equals(.parameter("character"))])
        ])
        let app = AppDeclaration(
            app: "game",
            origins: perSecond.map { [OriginDeclaration(origin: "api", perSecond: $0)] } ?? [],
            kinds: [KindDeclaration(kind: "detail", rule: rule, policy: policy)]
        )
        var limits = RouterLimits()
        limits.removeWorkLimits()
        driver = VirtualRouter(
            Router(catalog: AppCatalog(apps: [app]), limits: limits, seed: 1),
            now: Instant(
                monotonic: MonotonicTime(rawValue: 1_000),
                wall: WallTime(rawValue: 1_700_000_000_000)
            )
        )
        step = milliseconds
        driver.open(0, with: HelloMessage(role: .publisher, app: "game", token: nil, name: "p"))
        driver.open(1, with: HelloMessage(role: .gateway, app: "game", token: nil, name: nil))
        for number in 0..<Self.deviceCount {
            let widget = #"{"id":"w","kind":"detail","configuration":{"character":"kit"}}"#
            let body = #"{"device":"d\#(number)","widgets":[\#(widget)]}"#
            let frame = encodeFrame(.widgets, seq: UInt64(number + 1), body: Array(body.utf8))
            driver.receive(frame, on: 1)
        }
        driver.step(to: &output)
        // As a router with a store does, which takes the journal after each turn.
        driver.router.startJournal()
    }

    deinit { unsafe input.deallocate() }

    /// The pushes that the turns send one after the other.
    mutating func load(_ first: String, _ second: String? = nil, flags: UInt8 = 0) {
        for (index, payload) in [first, second ?? first].enumerated() {
            let date: [UInt8] = flags & 2 == 0 ? [] : [0, 0, 1, 0xff, 0, 0, 0, 0]
            load(index, .push, flags, date + Array(payload.utf8))
        }
        frames = second == nil ? 1 : 2
    }

    /// Instead of pushes, the turns send the same TIMELINE of one widget.
    mutating func answer(date: Int64?, ownTimer: Bool) {
        let policy =
            date.map { #"{"after":\#(driver.now.wall.rawValue + 10_000_000 + $0)}"# } ?? #""never""#
        let body =
            #"{"device":"d7","widget":"w","because":"intent","ownTimer":\#(ownTimer),"#
            + #""entries":[0,0],"policy":\#(policy)}"#
        load(0, .timeline, 0, Array(body.utf8))
        if slot == 0 { seq = 1_000 }
        (slot, frames) = (1, 1)
    }

    private mutating func load(_ index: Int, _ type: FrameType, _ flags: UInt8, _ body: [UInt8]) {
        let frame = encodeFrame(type, flags: flags, seq: 0, body: body)
        frame.withByteView { unsafe $0.copy(to: input + index * 4_096) }
        counts[index] = frame.count
    }

    /// One loop turn: a frame comes in, and what the router decides is written.
    mutating func tick() {
        seq += 1
        driver.advance(Milliseconds(rawValue: step))
        let index = Int(seq) % frames
        unsafe (input + index * 4_096).storeBytes(
            of: seq.bigEndian,
            toByteOffset: 8,
            as: UInt64.self
        )
        let view = unsafe ByteView(base: input + index * 4_096, count: counts[index])
        driver.receive(view, on: slot)
        driver.settle(to: &output)
    }
}
