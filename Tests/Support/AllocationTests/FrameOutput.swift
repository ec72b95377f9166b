#if !DEBUG
import DataStructures
import FrameCodec
import RouterCore
import RouterStore

/// Writes the frames of a router to a memory of its own, and counts the RELOADs.
@safe struct FrameOutput: ~Copyable, FrameSink {
    private(set) var reloadCount = 0
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 8)
    /// Where answers wait until the journal is committed up to `position`, if there is one.
    private var driver: CommitDriver?
    private var position: UInt64 = 0
    private var frames: OutgoingFrames? = OutgoingFrames()

    deinit { unsafe memory.deallocate() }

    /// Sends the frames that the router has made.
    ///
    /// - Parameters:
    ///   - router: whose they are.
    ///   - driver: holds the answers.
    ///   - position: where the journal ends that they wait for.
    mutating func takeFrames(
        of router: inout Router,
        heldBy driver: CommitDriver? = nil,
        _ position: UInt64 = 0
    ) {
        (self.driver, self.position) = (driver, position)
        var taken = frames.take() ?? OutgoingFrames()
        router.takeFrames(&taken)
        taken.send(to: &self)
        frames = consume taken
    }

    mutating func send(_ frame: OutgoingFrame, _ bytes: ByteView) {
        precondition(bytes.count <= 1 << 20, "the output memory is large enough")
        if frame.type == .reload { reloadCount += 1 }
        guard frame.type == .ack, let driver else { return unsafe bytes.copy(to: memory) }
        unsafe driver.heldAnswers.append(
            position: position,
            connection: frame.connection,
            serial: 1,
            kind: .other,
            byteCount: bytes.count
        ) { memory in
            unsafe bytes.copy(to: memory)
            return bytes.count
        }
    }
}
#endif
