internal import Basics

/// The parts of a RELOAD's body that a replay needs.
struct ReloadBody {
    private(set) var device: JSONText
    private(set) var widgets: ByteView
    /// The cause, as an index in `ReloadCause.allCases`.
    private(set) var cause: Int

    /// Reads a body; nil if it is not that of a RELOAD.
    init?(_ body: ByteView, using scanner: inout JSONScanner) {
        defer { scanner.resetScratch() }
        do throws(JSONError) {
            try validateJSON(body, using: &scanner)
        } catch {
            return nil
        }
        var device: JSONText?
        var widgets: ByteView?
        var cause: Int?
        var reader = JSONReader(body)
        reader.enterObject()
        while let key = reader.nextKey() {
            if key == "device", reader.peek() == .string {
                device = reader.readString()
            } else if key == "widgets", reader.peek() == .array {
                widgets = reader.rawValue()
            } else if key == "cause", reader.peek() == .string {
                cause = Self.number(reader.readString())
            } else {
                reader.skipValue()
            }
        }
        guard let device, let widgets, let cause else { return nil }
        self.device = device
        self.widgets = widgets
        self.cause = cause
    }

    private static func number(_ name: JSONText) -> Int? {
        // Nearly all causes are pushes.
        if name == "push" { return 0 }
        let text = name.string
        return ReloadCause.allCases.firstIndex { $0.rawValue == text }
    }
}

/// Names are known by their hashes, which are of the app, too.
extension ReloadTracker {
    static func hash(_ bytes: ByteView, app: Int) -> UInt64 {
        hashKey.hash(UInt64(app), followedBy: bytes)
    }

    static func hash(_ text: String, app: Int) -> UInt64 {
        text.withByteView { hash($0, app: app) }
    }

    static func hash(_ text: JSONText, app: Int) -> UInt64 {
        text.hasEscapes ? text.withDecoded { hash($0, app: app) } : hash(text.raw, app: app)
    }
}
