internal import Basics
internal import StoreFormat
internal import WidgetMatching

/// Restores widgets in the matcher, on a worker, while the router reads the next ones.
///
///     router   append append append … │ append append …            │ finish
///     worker                          │ restore the first block    │ restore the next
///
/// A block contains widgets as they were stored, one after the other:
///
///     device: 32 bits │ widget: 32 │ kind: 16 │ bytes: 32 │ configuration
///
/// The matcher ends up as if the router had restored them itself, because the order is the same.
final class WidgetRestorer: @unchecked Sendable {
    // Unchecked: `matcher` and `error` belong to the worker until `finish`, and the rest to the
    // router.
    /// The size from which on a block is passed to the worker, in bytes.
    private static var blockByteCount: Int { 256 << 10 }

    private let worker: any SerialWorker
    private var matcher: WidgetMatcher
    private var error: StoreError?
    private var block = Block()

    private final class Block: @unchecked Sendable {
        // Unchecked: the router does not use a block any more after passing it to the worker.
        var writer = StoreWriter(capacity: WidgetRestorer.blockByteCount + 4_096)
    }

    /// Takes over a matcher before its first widget, which `finish` returns; the worker has no
    /// other work.
    init(_ matcher: consuming WidgetMatcher, worker: any SerialWorker) {
        self.matcher = matcher
        self.worker = worker
    }

    /// Restores a widget, now or later.
    func append(_ widget: WidgetID, of device: DeviceID, kind: KindID, configuration: ByteView) {
        block.writer.put(device.rawValue)
        block.writer.put(widget.rawValue)
        block.writer.put(kind.rawValue)
        block.writer.put(UInt32(configuration.count))
        block.writer.put(raw: configuration)
        if block.writer.count >= Self.blockByteCount { forward() }
    }

    /// Waits until all widgets are restored, and replaces the matcher by that with the widgets.
    ///
    /// - Throws: `corrupt`: what is wrong with the first widget that was refused.
    func finish(_ matcher: inout WidgetMatcher) throws(StoreError) {
        forward()
        worker.finish()
        swap(&matcher, &self.matcher)
        matcher.finishRestoring()
        if let error { throw error }
    }

    /// Passes the block to the worker and begins the next one.
    private func forward() {
        let full = block
        block = Block()
        worker.perform { self.restore(full) }
    }

    private func restore(_ block: Block) {
        if error != nil { return }
        do throws(StoreError) {
            var reader = StoreReader(block.writer.bytes)
            while !reader.isAtEnd { try restoreWidget(&reader) }
        } catch {
            self.error = error
        }
    }

    private func restoreWidget(_ reader: inout StoreReader) throws(StoreError) {
        let device = DeviceID(rawValue: try reader.read(UInt32.self))
        let widget = WidgetID(rawValue: try reader.read(UInt32.self))
        let kind = KindID(rawValue: try reader.read(UInt16.self))
        let configuration = try reader.read(raw: Int(try reader.read(UInt32.self)))
        func corrupt(_ what: String) -> StoreError {
            StoreError.corrupt(
                "table record \(StateRecord.registration.rawValue)/\(device): \(what)"
            )
        }
        if !matcher.index.isFree(widget) { throw corrupt("there can be no widget \(widget)") }
        do throws(ConfigurationError) {
            try matcher.restore(widget, kind: kind, configuration: configuration)
        } catch {
            throw corrupt("the configuration of widget \(widget) was refused (\(error.message))")
        }
    }
}

extension DeliveryTable {
    /// Restores a device's next widget, and passes its configuration to the restorer.
    mutating func restoreWidget(
        of device: DeviceID,
        by catalog: borrowing Catalog,
        using restorer: WidgetRestorer,
        from reader: inout StoreReader
    ) throws(StoreError) -> WidgetID {
        let widget = try reader.readNumber(of: WidgetID.self)
        let kind = try reader.readNumber(of: KindID.self, below: catalog.kinds.count)
        let name = try reader.readIdentifier()
        let configuration = try reader.read(raw: Int(try reader.read(UInt32.self)))
        guard widgets.has(widget),
            widgets[widget].device.isNone,
            catalog.kinds[kind].app == devices[device].app
        else { throw reader.corrupt("a widget occurs twice, or belongs to another app") }
        restorer.append(widget, of: device, kind: kind, configuration: configuration)
        restoreWidget(widget, of: device, named: name, kind: kind)
        return widget
    }
}
