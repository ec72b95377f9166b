import Basics
import FrameCodec
import RouterCore
import RouterStore
import TestSupport

/// A router with 500 devices behind one gateway (slot 1) and one publisher (slot 0), and memory for
/// everything that it reads and writes.
@safe struct RouterBench: ~Copyable {
    private let driver: VirtualRouter
    var router: Router {
        _read { yield driver.router }
        nonmutating _modify { yield &driver.router }
    }
    private var output = FrameOutput()
    var reloadCount: Int { output.reloadCount }
    private let input = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 8)
    private var inputCount = 0
    private var seq: UInt64 = 0
    /// When the last push arrived.
    private var arrival: ExactTime { ExactTime(rawValue: Int64(seq) * 1_000) }
    private var latencies = LatencyHistogram()
    var latency: LatencyFigures { latencies.summary }

    init() {
        var policy = KindPolicy()
        policy.budget = .unlimited
        let catalog = AppCatalog(apps: [
            AppDeclaration(
                app: "game",
                kinds: ["detail", "log"].map { kind in
                    KindDeclaration(
                        kind: kind,
                        rule: EventPattern(conditions: [
                            .field("character", [.equals(.parameter("character"))])
                        ]),
                        policy: policy
                    )
                } + ["place", "weather"].map { KindDeclaration(kind: $0, policy: policy) }
            )
        ])
        var limits = RouterLimits()
        limits.removeWorkLimits()
        driver = VirtualRouter(
            Router(catalog: catalog, limits: limits, seed: 1),
            now: Instant(
                monotonic: MonotonicTime(rawValue: 1_000),
                wall: WallTime(rawValue: 1_700_000_000_000)
            )
        )
        driver.open(0, with: HelloMessage(role: .publisher, app: "game", token: nil, name: "p"))
        driver.open(1, with: HelloMessage(role: .gateway, app: "game", token: nil, name: nil))
        for number in 0..<500 { register(number) }
        driver.step(to: &output)
        // As a router with a store does, which takes the journal after each turn.
        driver.router.startJournal()
    }

    deinit { unsafe input.deallocate() }

    /// One device: a widget for its character, one for the weather, and on one device many for a
    /// place.
    private mutating func register(_ number: Int) {
        var widgets = [
            #"{"id":"w","kind":"detail","configuration":{"character":"kit-\#(number)"}}"#,
            #"{"id":"r","kind":"weather","configuration":{"weather":"rain"}}"#,
        ]
        if number == 3 {
            for position in 0..<40 {
                widgets.append(
                    #"{"id":"p\#(position)","kind":"place","configuration":{"place":"plaza"}}"#
                )
            }
        }
        let list = widgets.joined(separator: ",")
        let body = #"{"device":"device-\#(number)","widgets":[\#(list)]}"#
        let frame = encodeFrame(.widgets, seq: UInt64(number + 1), body: Array(body.utf8))
        driver.receive(frame, on: 1)
    }

    /// The frame that each turn sends.
    mutating func load(_ frame: [UInt8]) {
        frame.withByteView { unsafe $0.copy(to: input) }
        inputCount = frame.count
    }

    /// One loop turn: a push comes in, and what the router decides is written.
    mutating func tick() {
        receive()
        repeat {
            driver.step(to: &output)
            driver.router.outbox.reloadArrivals.record(
                in: &latencies,
                at: arrival + Nanoseconds(rawValue: 500)
            )
            driver.router.captureTaken()
        } while driver.router.hasReadyDevices
    }

    /// The same with a store: the journal is committed, and the answer waits for that.
    mutating func tick(_ commits: CommitDriver) {
        output.commits = commits
        tick()
    }

    private mutating func receive() {
        seq += 1
        driver.router.outbox.arrival = arrival
        unsafe input.storeBytes(of: seq.bigEndian, toByteOffset: 8, as: UInt64.self)
        driver.receive(unsafe ByteView(base: input, count: inputCount), on: 0)
    }
}
