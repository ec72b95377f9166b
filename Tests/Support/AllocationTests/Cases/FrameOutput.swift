import Basics
import FrameCodec
import RouterCore
import RouterStore

/// Writes the frames of a router to a memory of its own, and counts the RELOADs.
@safe struct FrameOutput: ~Copyable, VirtualPeers {
    private(set) var reloadCount = 0
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 8)
    /// Where answers wait until the journal is committed, if there is a store.
    var commits: CommitDriver?
    /// The end of the journal that they wait for.
    private var position: UInt64 = 0

    deinit { unsafe memory.deallocate() }

    mutating func stepped(_ router: inout Router) {
        if let commits { position = commits.endTick(&router) } else { router.journalTaken() }
    }

    mutating func send(_ frame: OutgoingFrame, bytes: ByteView) {
        precondition(bytes.count <= 1 << 20, "the output memory is large enough")
        if frame.type == .reload { reloadCount += 1 }
        guard frame.type == .ack, let commits else { return unsafe bytes.copy(to: memory) }
        unsafe commits.uncommittedAnswers.append(
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
