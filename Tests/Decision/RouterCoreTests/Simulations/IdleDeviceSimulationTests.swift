import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

/// Devices that register, report, attach and fall silent at random, with little patience and with
/// restarts, against a model of when each was last heard of.
private struct IdleDeviceSimulation {
    /// A device that is stored.
    private struct Device {
        var widgets: [TestWidget]
        /// When it was heard of, on the clock that only runs with the process.
        var heardAt: Int64
        /// Its own session.
        var slot: ConnectionSlot?
    }

    static let idle: Int64 = 40_000
    /// Lists that say nothing new are logged only this long after the last sign of life.
    static let unlogged = idle / 4

    let harness: RouterHarness
    private(set) var problem: String?
    private(set) var endCount = 0
    private(set) var restartCount = 0
    private var random: SeededGenerator
    private var known: [String: Device] = [:]
    private var gateway: ConnectionSlot
    private var time: Int64 = 0

    init(seed: UInt64, restarts: Bool) throws {
        random = SeededGenerator(seed: seed)
        harness = RouterHarness(seed: seed) { $0.deviceIdle = Milliseconds(rawValue: Self.idle) }
        if restarts {
            try harness.keepStore(.game, StoreRun(limits: harness.router.limits, seed: seed))
        } else {
            harness.keepJournal(.game, seed: seed)
        }
        gateway = harness.connect(.gateway)
    }

    mutating func act() throws {
        let name = "d\(random.below(12))"
        switch random.below(10) {
        case 0..<3: try register(name)
        case 3..<6: try sign(of: name)
        case 6: session(of: name)
        case 7: try remove(name)
        default: pass(Int64(random.below(9_000)))
        }
        _ = harness.step()
        if random.below(3) == 0 { look() }
        if let replica = harness.replica, let found = replica.difference(from: harness.router) {
            problem = problem ?? found
        }
        if harness.store != nil && random.below(30) == 0 { try restart() }
    }

    private mutating func pass(_ milliseconds: Int64) {
        harness.advance(milliseconds)
        time += milliseconds
        // The wall clock is of no use.
        if random.below(5) == 0 { harness.now.wall += .days(500) }
    }

    private mutating func register(_ name: String) throws {
        var widgets = (0...random.below(3)).map { TestWidget.character("w\($0)", "elf") }
        if let former = known[name], random.below(3) > 0 { widgets = former.widgets }
        let slot = known[name]?.slot
        if random.below(2) == 0 || slot != nil {
            try harness.reportWidgets(name, widgets)
        } else {
            harness.widgets(gateway, name, widgets)
        }
        known[name] = Device(widgets: widgets, heardAt: time, slot: slot)
    }

    private mutating func sign(of name: String) throws {
        guard let device = known[name] else { return }
        if device.slot != nil {
            try harness.report(.request, of: name, "{}")
        } else {
            switch random.below(4) {
            case 0: harness.timeline(gateway, name, "w0")
            case 1: harness.request(gateway, name)
            case 2: harness.device(gateway, .attach, #"{"devices":["\#(name)"]}"#)
            default: try harness.report(.state, of: name, #"{"location":"significant-change"}"#)
            }
        }
        known[name]?.heardAt = time
    }

    /// Begins or ends the device's own session.
    private mutating func session(of name: String) {
        guard let device = known[name] else { return }
        if let slot = device.slot { harness.close(slot) }
        known[name]?.slot = device.slot == nil ? harness.connect(.device, name) : nil
        known[name]?.heardAt = time
    }

    private mutating func remove(_ name: String) throws {
        guard known[name] != nil, random.below(3) == 0 else { return }
        try harness.router.forgetDevice(name, app: "game", now: harness.now)
        forget(name)
    }

    private mutating func forget(_ name: String) {
        if let slot = known.removeValue(forKey: name)?.slot { harness.close(slot) }
    }

    /// Looks at all devices, and compares those that are left.
    private mutating func look() {
        _ = harness.sweep(isHeard: false)
        _ = harness.step()
        let delivery = (0..<12).map { number in
            "d\(number)".withByteView {
                harness.router.state.reloads.delivery.findDevice(of: .first, named: $0) != nil
            }
        }
        for (number, isStored) in delivery.enumerated() {
            guard let device = known["d\(number)"] else {
                if isStored { problem = problem ?? "d\(number) is stored, which was removed" }
                continue
            }
            let idle = device.slot == nil ? time - device.heardAt : 0
            let (least, most) = (Self.idle - Self.unlogged - 2_000, Self.idle + 2_000)
            if isStored && idle > most { problem = problem ?? "d\(number) is idle for \(idle)" }
            if !isStored && idle < least { problem = problem ?? "d\(number) ended after \(idle)" }
            if !isStored {
                endCount += 1
                known["d\(number)"] = nil
            }
        }
    }

    private mutating func restart() throws {
        restartCount += 1
        // The store knows of no later time than that of the last input.
        harness.close(harness.connect(.gateway))
        _ = harness.step()
        try harness.restart()
        for name in known.keys where known[name]!.slot != nil {
            known[name]!.slot = nil
            known[name]!.heardAt = time
        }
        gateway = harness.connect(.gateway)
        _ = harness.step()
    }
}

struct IdleDeviceSimulationTests {
    @Test(arguments: seeds(12))
    func `Devices end as their model does, and a replica agrees`(seed: UInt64) throws {
        var simulation = try IdleDeviceSimulation(seed: seed, restarts: false)
        for _ in 0..<400 where simulation.problem == nil { try simulation.act() }
        #expect(simulation.problem == nil, "seed \(seed)")
        #expect(simulation.endCount > 3, "seed \(seed) says little")
    }

    @Test(arguments: seeds(6))
    func `Devices end as their model does, through restarts`(seed: UInt64) throws {
        var simulation = try IdleDeviceSimulation(seed: seed, restarts: true)
        for _ in 0..<400 where simulation.problem == nil { try simulation.act() }
        #expect(simulation.problem == nil, "seed \(seed)")
        #expect(simulation.endCount > 3 && simulation.restartCount > 2, "seed \(seed) says little")
    }
}
