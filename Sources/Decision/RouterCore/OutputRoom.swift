internal import FrameCodec
internal import ReloadModel

/// How much output a router may make before its driver takes the frames.
///
///     answers ── counted as `received` makes them ──► at the limit it takes no further frame
///     RELOADs ── counted as a step orders them ─────► at the limit their devices stay ready
///
/// A frame of 16 bytes can have an answer of several hundred, so a driver that looked only after
/// everything it has read were taken would look too late. One answer or the RELOADs of one device may
/// pass a limit, no more.
package struct OutputRoom {
    /// Bytes of the answers that have been made.
    package private(set) var answerByteCount = 0
    /// Bytes that the RELOADs which were ordered can have at most.
    package private(set) var reloadByteCount = 0
    /// Bytes of answers beyond which no frame is taken; set by the driver.
    package var answerLimit = Int.max
    /// Bytes of RELOADs beyond which no further device gets one; 0 stops all RELOADs.
    package var reloadLimit = Int.max

    /// Whether the driver must take the frames before the router takes a further one.
    package var isFull: Bool { answerByteCount >= answerLimit }
    var hasReloadRoom: Bool { reloadByteCount < reloadLimit }

    @inline(__always)
    mutating func addAnswer(_ bodyByteCount: Int) {
        answerByteCount &+= FrameHeader.byteCount &+ bodyByteCount
    }

    @inline(__always)
    mutating func addReload(_ byteCount: Int) {
        reloadByteCount &+= byteCount
    }

    mutating func empty() {
        answerByteCount = 0
        reloadByteCount = 0
    }
}
