import Basics
import ChangeDetection
import TestSupport
import Testing

/// Reading and applying pushes allocates nothing once it is warm, whatever is in them.
@Suite("In steady state, fields of payloads")
struct PayloadFieldsAllocationTests {
    private static let rounds = 200

    /// Payloads with all kinds of values, names and values with escapes, and values that do not
    /// fit.
    private static let payloads = [
        #"{"hp":30,"level":5,"name":"Power Panda","list":[1,{"k":null}]}"#,
        #"{"\u0068p":30.5e2,"level":123456789012345678901234567890,"name":"\u00e9\n😀"}"#,
        #"{"hp":true,"level":"five","list":["\ud83d\ude00",1.5,[]],"other":[1,2,"\""]}"#,
        #"{"name":"\#(String(repeating: "long ", count: 150))","hp":-1}"#,
        "{\"level\":0.\(String(repeating: "12", count: 200)),\"hp\":null}",
        "{}",
    ]

    @Test("are read and applied to widgets without an allocation")
    func pushes() {
        var catalog = FieldCatalog(hashKey: HashKey(low: 7, high: 1))
        catalog.declare(
            app: 0,
            kind: 0,
            observes: ["hp", "level", "name"],
            inlines: ["hp", "level"]
        )
        catalog.declare(app: 0, kind: 1, observes: [], inlines: ["name", "list"])
        catalog.declare(app: 0, kind: 2, observes: ["list"], inlines: [])
        var batch = PushFields(seed: DecisionSeed(7))
        var widgets = WidgetFields()
        var changes = 0
        var bytes = 0
        let room = UnsafeMutableRawPointer.allocate(byteCount: 512, alignment: 8)
        defer { room.deallocate() }
        let bodies = Self.payloads.map { Array($0.utf8) }
        let views = bodies.map { body in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: body.count, alignment: 8)
            body.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
            return ByteView(base: memory, count: body.count)
        }
        defer { for view in views { view.address.deallocate() } }
        func pushAll() {
            batch.removeAll()
            for view in views { _ = batch.read(view, app: 0, catalog: catalog) }
            for push in 0..<UInt32(views.count) {
                for widget in NumberRange<WidgetID>(count: 300) {
                    let kind = KindID(index: widget.index % 3)
                    let effect = widgets.apply(
                        PushHandle(rawValue: push),
                        of: batch,
                        to: widget,
                        kind: kind,
                        catalog: catalog
                    )
                    if effect == .change { changes += 1 }
                    bytes += widgets.writeInlined(widget, kind: kind, catalog: catalog, to: room)
                    if widget.index % 10 == Int(push) { widgets.remove(widget, catalog: catalog) }
                    if widget.index % 11 == Int(push) {
                        widgets.forgetObserved(widget, kind: kind, catalog: catalog)
                    }
                }
            }
        }
        for _ in 0..<3 { pushAll() }
        let count = allocations { for _ in 0..<Self.rounds { pushAll() } }
        #expect(count == 0, "\(count) allocations in \(Self.rounds) rounds")
        #expect(changes > Self.rounds * 300 && bytes > Self.rounds * 300)
    }
}
