internal import DataStructures
internal import ReloadModel
internal import StoreFormat
internal import WidgetMatching

/// Gives widgets back to the matcher, beside the one who reads them.
///
///     router   append append append … │ append append …            │ finish
///     worker                          │ restore the first block    │ restore the next
///
/// A block is widgets as they were stored, one after the other:
///
///     device: 32 bits │ widget: 32 │ kind: 16 │ bytes: 32 │ configuration
///
/// The matcher comes out as if the reader had done it all: the order is the same.
final class WidgetRestorer: @unchecked Sendable {
    // Unchecked: `matcher` and `error` belong to the worker until `finish`, and the rest to the
    // router.
    private static var blockByteCount: Int { 256 << 10 }

    private let worker: any SerialWorker
    private var matcher: WidgetMatcher
    private var error: StoreError?
    private var block = Block()

    private final class Block: @unchecked Sendable {
        // Unchecked: whoever has filled it hands it on and forgets it.
        var writer = StoreWriter(capacity: WidgetRestorer.blockByteCount + 4_096)
    }

    /// - Parameters:
    ///   - matcher: as it is before the first widget; `finish` gives it back.
    ///   - worker: has nothing to do but this.
    init(_ matcher: consuming WidgetMatcher, worker: any SerialWorker) {
        self.matcher = matcher
        self.worker = worker
    }

    /// Restores a widget, now or later.
    func append(
        _ widget: WidgetID,
        of device: DeviceID,
        _ kind: KindID,
        _ configuration: ByteView
    ) {
        block.writer.put(device)
        block.writer.put(widget)
        block.writer.put(kind)
        block.writer.put(UInt32(configuration.count))
        block.writer.put(raw: configuration)
        if block.writer.count >= Self.blockByteCount { handOn() }
    }

    /// Waits until all widgets are restored.
    ///
    /// - Parameter matcher: is exchanged with the one that has them.
    /// - Throws: `corrupt`: what is wrong with the first widget that was refused.
    func finish(_ matcher: inout WidgetMatcher) throws(StoreError) {
        handOn()
        worker.finish()
        swap(&matcher, &self.matcher)
        matcher.finishRestoring()
        if let error { throw error }
    }

    private func handOn() {
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
        let device = try reader.read(UInt32.self)
        let widget = try reader.read(UInt32.self)
        let kind = try reader.read(UInt16.self)
        let configuration = try reader.read(raw: Int(try reader.read(UInt32.self)))
        func corrupt(_ what: String) -> StoreError {
            StoreError(
                .corrupt,
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
