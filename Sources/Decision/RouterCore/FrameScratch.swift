internal import DataStructures
internal import ReloadModel
internal import StrictJSON

/// Memory for the frame that is being applied.
struct FrameScratch: ~Copyable {
    var scanner: JSONScanner
    var identifiers = IdentifierScratch()
    /// The widgets of the device that a frame is about which names many.
    var widgetNames = WidgetNames()
    /// Those that a STATE lists as visible, each once.
    var listedWidgets: ContiguousArray<WidgetID> = []
    /// The frame's number in its session; no log has it.
    var frameSeq: UInt64 = 0

    init(hashKey: HashKey) {
        scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth, hashKey: hashKey)
    }
}
