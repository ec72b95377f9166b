internal import Basics

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
