import Basics
import ReloadScheduling
import TestSupport
import Testing

@Suite("A decision log")
struct DecisionLogTests {
    @Test("returns a device's decisions in the order in which they were made")
    func order() {
        let log = Log(perDevice: 4)
        for number in 1...3 { log.append(7, decision(number)) }
        #expect(log.decisions(of: 7) == [decision(1), decision(2), decision(3)])
    }

    @Test(
        "keeps the last of them, and lets the oldest go",
        arguments: [1, 2, 3, 8, 127, 128, 2_000]
    )
    func wrap(perDevice: Int) {
        let log = Log(perDevice: perDevice)
        for number in 1...3_000 {
            log.append(0, decision(number))
            guard number < 300 || number > 2_990 else { continue }
            let kept = (max(1, number - perDevice + 1)...number).map { decision($0) }
            #expect(log.decisions(of: 0) == kept)
        }
    }

    @Test("keeps nothing, and holds no memory, if it is to keep none of each device")
    func none() {
        let log = Log(perDevice: 0)
        let empty = log.byteCount
        log.append(1_000_000, decision(1))
        #expect(log.decisions(of: 1_000_000) == [])
        log.forget(1_000_000)
        #expect(log.byteCount == empty)
    }

    @Test("has no decisions of a device that it does not know")
    func unknown() {
        let log = Log()
        log.append(5, decision(1))
        for device in [0, 4, 6, 4_096, .none] as [DeviceID] {
            #expect(log.decisions(of: device) == [])
        }
        log.forget(4)
        log.forget(.none)
        #expect(log.decisions(of: 5) == [decision(1)])
    }

    @Test("forgets a device, and begins anew with the next one of its number")
    func forget() {
        let log = Log(perDevice: 2)
        for number in 1...5 { log.append(3, decision(number)) }
        log.append(4, decision(9))
        log.forget(3)
        log.forget(3)
        #expect(log.decisions(of: 3) == [])
        log.append(3, decision(6))
        #expect(log.decisions(of: 3) == [decision(6)])
        #expect(log.decisions(of: 4) == [decision(9)])
    }

    @Test("forgets a widget of a device, whose decisions become those of none", arguments: [3, 8])
    func forgetWidget(perDevice: Int) {
        let log = Log(perDevice: perDevice)
        log.forget(1, of: 9)
        for number in 1...5 { log.append(3, decision(number, widget: number % 2 == 0 ? 1 : 2)) }
        log.append(4, decision(9, widget: 1))
        log.forget(1, of: 3)
        log.append(3, decision(6, widget: 1))
        let kept = log.decisions(of: 3)
        let widgets = [2, .none, 2, .none, 2, 1] as [WidgetID]
        #expect(kept.map(\.widget) == widgets.suffix(perDevice))
        #expect(kept.map(\.at) == (1...6).suffix(perDevice).map { decision($0).at })
        #expect(log.decisions(of: 4).map(\.widget) == [1])
    }

    @Test("keeps as many as its limit says, and no more")
    func limit() {
        let most = DecisionLog.perDeviceLimit
        let log = Log(perDevice: most)
        for number in 1...2 * most { log.append(1, decision(number)) }
        #expect(log.decisions(of: 1) == (most + 1...2 * most).map { decision($0) })
        log.append(1, decision(2 * most + 1))
        #expect(log.decisions(of: 1) == (most + 2...2 * most + 1).map { decision($0) })
    }

    @Test("holds 2 bytes a device and 16 for each of its decisions, in chunks of 4,096")
    func byteCount() {
        let log = Log(perDevice: 8)
        #expect(log.byteCount == 0)
        log.append(0, decision(1))
        #expect(log.byteCount == 4_096 * (2 + 16))
        for device in NumberRange<DeviceID>(from: 1, to: 4_096) { log.append(device, decision(1)) }
        let held = log.byteCount
        #expect(held == 4_096 * (2 + 8 * 16))
        for device in NumberRange<DeviceID>(count: 4_096) {
            log.forget(device)
            log.append(device, decision(2))
        }
        #expect(log.byteCount == held)
    }

    @Test("keeps every reason and cause, and whether there is an end of waiting")
    func fields() {
        let log = Log(perDevice: 127)
        var expected: [Decision] = []
        for reason in DecisionReason.allCases {
            for cause in ReloadCause.allCases {
                for until in [nil, 0, 1_700_000_600_000] as [WallTime?] {
                    let decision = Decision(
                        at: 1_700_000_000_123 + Milliseconds(expected.count),
                        until: until,
                        widget: WidgetID(rawValue: .max - UInt32(expected.count)),
                        reason: reason,
                        cause: cause
                    )
                    expected.append(decision)
                    log.append(2, decision)
                    #expect(log.decisions(of: 2).last == decision)
                }
            }
        }
        #expect(log.decisions(of: 2) == Array(expected.suffix(127)))
    }

    @Test("rounds the end of waiting up to a second, and keeps dates from 1970 to 2106")
    func precision() {
        let end = Int64(UInt32.max)
        #expect(kept(at: 999, until: 1) == [999, 1_000])
        #expect(kept(at: 1_001, until: 1_000) == [1_001, 1_000])
        #expect(kept(at: -1, until: -1) == [0, 0])
        #expect(kept(at: .min, until: .min) == [0, 0])
        let latest = [end * 1_000 + 999, (end - 1) * 1_000]
        #expect(kept(at: latest[0], until: latest[1]) == latest)
        #expect(kept(at: .max, until: .max) == latest)
    }

    @Test(
        "holds what arrays hold, whatever is added and forgotten",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let perDevice = random.pick([1, 3, 8, 13])
        let log = Log(perDevice: perDevice)
        var model: [DeviceID: [Decision]] = [:]
        var failure: Int?
        for step in 0..<40_000 where failure == nil {
            let device = DeviceID(index: random.below(random.pick([4, 300, 9_000])))
            if random.below(6) == 0 {
                log.forget(device)
                model[device] = nil
            } else {
                log.append(device, decision(step))
                let all = model[device, default: []] + [decision(step)]
                model[device] = Array(all.suffix(perDevice))
            }
            let other = DeviceID(index: random.below(300))
            for number in [device, other] where log.decisions(of: number) != model[number] ?? [] {
                failure = step
            }
        }
        #expect(failure == nil, "seed \(seed)")
    }
}

private func decision(_ number: Int, widget: Int? = nil) -> Decision {
    Decision(
        at: 1_700_000_000_000 + Milliseconds(number * 7),
        until: number.isMultiple(of: 3) ? nil : 1_700_000_001_000 + .seconds(Int64(number)),
        widget: WidgetID(index: widget ?? number),
        reason: DecisionReason.allCases[number % DecisionReason.allCases.count],
        cause: ReloadCause.allCases[number % ReloadCause.allCases.count],
        push: number.isMultiple(of: 5) ? .none : PushMark(ofPush: UInt64(number) * 1_000_003)
    )
}

/// What is left of two dates.
private func kept(at: Int64, until: Int64) -> [Int64?] {
    let log = Log(perDevice: 1)
    let decision = Decision(
        at: WallTime(rawValue: at),
        until: WallTime(rawValue: until),
        widget: 1,
        reason: .budget,
        cause: .push
    )
    log.append(0, decision)
    return log.decisions(of: 0).flatMap { [$0.at.rawValue, $0.until?.rawValue] }
}

/// Holds a log so that expectations may name it, which cannot be copied.
private final class Log {
    private var log: DecisionLog

    init(perDevice: Int = 8) {
        log = DecisionLog(perDevice: perDevice)
    }

    var byteCount: Int { log.byteCount }

    func append(_ device: DeviceID, _ decision: Decision) { log.append(device, decision: decision) }

    func forget(_ device: DeviceID) { log.forget(device) }

    func forget(_ widget: WidgetID, of device: DeviceID) { log.forget(widget, of: device) }

    func decisions(of device: DeviceID) -> [Decision] {
        var decisions: [Decision] = []
        log.forEach(device) { decisions.append($0) }
        return decisions
    }
}
