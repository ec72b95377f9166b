internal import Basics

/// Reused memory for the frame that is being applied.
struct FrameScratch: ~Copyable {
    var scanner: JSONScanner
    var identifiers = IdentifierScratch()
    /// The widgets of the frame's device by their ids, if the frame names many of them.
    var widgetNames = WidgetNames()
    /// The widgets that a STATE lists as visible, each once.
    var listedWidgets: ContiguousArray<WidgetID> = []
    /// The frame's sequence number, which answers repeat. It is in no log: the state may not depend
    /// on it.
    var frameSeq: UInt64 = 0

    init(hashKey: HashKey) {
        scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth, hashKey: hashKey)
    }
}
