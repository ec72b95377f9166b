import Basics
import FrameCodec
import RouterCore
import TestSupport
import Testing

/// Costs as counts of records that were walked, never as times.
@Suite("For a frame that lists many widgets, the router")
struct WalkedRecordsTests {
    private static let count = 4_096

    private let harness = RouterHarness(catalog: .of([.unlimited()])) {
        $0.widgetsPerDevice = WalkedRecordsTests.count
        $0.maxBody = 400_000
    }

    private func widgets(_ numbers: some Sequence<Int>) -> [TestWidget] {
        numbers.map { TestWidget("w\($0)", "detail", "{}") }
    }

    private func walked(_ body: () -> Void) -> UInt64 {
        let before = harness.router.walkedRecordCount
        body()
        return harness.router.walkedRecordCount - before
    }

    @Test("walks as many records as the device has widgets and the STATE has ids")
    func visible() {
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", widgets(0..<Self.count))
        _ = harness.step()
        for (ids, steps) in [
            // Of one name, which may lie behind some others.
            (Array(repeating: "\"w4095\"", count: 10_000), 64),
            ((0..<10_000).map { "\"w\($0 % Self.count)\"" }, 4),
        ] {
            let walked = walked {
                let list = ids.joined(separator: ",")
                harness.device(gateway, .state, #"{"device":"d","visible":[\#(list)]}"#)
            }
            let isRejected = harness.step().contains { frame in
                if case .reject = frame { true } else { false }
            }
            #expect(!isRejected)
            #expect(walked >= UInt64(Self.count))
            // A few of another name are passed on the way to one.
            #expect(walked < UInt64(Self.count + steps * ids.count), "\(walked)")
        }
    }

    @Test("refuses a STATE with an unknown widget, and changes nothing")
    func unknown() {
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", widgets(0..<3))
        _ = harness.step()
        let seq = harness.device(
            gateway,
            .state,
            #"{"device":"d","visible":["w1","w1","w9"]}"#
        )
        let rejected = harness.step().contains { frame in
            if case .reject(_, seq, .widgetUnknown, _) = frame { true } else { false }
        }
        #expect(rejected)
    }

    @Test("walks each widget a few times when a list comes in another order")
    func reordered() {
        let gateway = harness.connect(.gateway)
        harness.widgets(gateway, "d", widgets(0..<Self.count))
        _ = harness.step()
        var random = SeededGenerator(seed: 1)
        var shuffled = Array(0..<Self.count)
        shuffled.shuffle(using: &random)
        for order in [
            Array((0..<Self.count).reversed()), shuffled,
            Array(Self.count..<2 * Self.count),
        ] {
            let walked = walked { harness.widgets(gateway, "d", widgets(order)) }
            _ = harness.step()
            #expect(walked > 0)
            #expect(walked < UInt64(6 * Self.count), "\(walked)")
        }
        // A list that is the same as before is compared place by place.
        let again = walked {
            harness.widgets(gateway, "d", widgets(Self.count..<2 * Self.count))
        }
        #expect(again == 0)
    }

    @Test(
        "keeps, adds and removes the same widgets whatever the order of the list",
        arguments: 0..<20
    )
    func sameWidgets(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let gateway = harness.connect(.gateway)
        var reloaded: Set<String> = []
        for _ in 0..<10 {
            var numbers = Array(0..<40)
            numbers.shuffle(using: &random)
            let listed = numbers.prefix(1 + random.below(40))
            let list = listed.map { TestWidget.character("w\($0)", "kit") }
            harness.widgets(gateway, "d", list)
            _ = harness.step()
            let publisher = harness.connect(.publisher, "p\(random.next())")
            harness.push(publisher, 1, #"{"character":"kit"}"#)
            reloaded = Set(harness.reloads().flatMap(\.widgets))
            #expect(reloaded == Set(listed.map { "w\($0)" }))
        }
    }
}
