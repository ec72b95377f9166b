internal import Basics
internal import FrameCodec

/// How much output a router may make before its driver (see `Router`) takes the frames.
///
///     answers ── counted as `received` makes them ──► at the limit it accepts no further frame
///     RELOADs ── counted as a step makes them ──────► at the limit their devices stay ready
///
/// A frame of 16 bytes can have an answer of several hundred. So it would be too late if the driver
/// checked the output only after the router has accepted all input. What is counted exceeds a limit
/// by at most one answer, or by the RELOADs of one device.
package struct OutputAllowance {
    /// The bytes of the answers made since the driver last took the frames.
    package private(set) var answerByteCount = 0
    /// An upper bound for the bytes of the RELOADs made since the driver last took the frames.
    package private(set) var reloadByteCount = 0
    /// The bytes of answers at which the router stops accepting frames; set by the driver.
    package var answerLimit = Int.max
    /// The bytes of RELOADs at which the router stops making them; set by the driver. At 0, it
    /// makes no RELOAD.
    package var reloadLimit = Int.max

    /// Whether the driver must take the frames before the router accepts further input.
    package var isFull: Bool { answerByteCount >= answerLimit }
    /// Whether a step may make RELOADs for a further device.
    var allowsReload: Bool { reloadByteCount < reloadLimit }

    /// Counts an answer with a body of this many bytes.
    @inline(__always)
    mutating func addAnswer(_ bodyByteCount: Int) {
        assert(bodyByteCount >= 0)
        answerByteCount &+= FrameHeader.byteCount &+ bodyByteCount
    }

    /// Counts a RELOAD of at most this many bytes.
    @inline(__always)
    mutating func addReload(_ byteCount: Int) {
        assert(byteCount >= 0)
        reloadByteCount &+= byteCount
    }

    /// Starts to count anew, because the driver has taken the frames.
    mutating func empty() {
        answerByteCount = 0
        reloadByteCount = 0
    }
}
