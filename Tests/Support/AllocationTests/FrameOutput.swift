#if !DEBUG
import FrameCodec
import RouterCore
import RouterDurability

/// Writes what a router asks for to a memory of its own, and counts the RELOADs.
@safe struct FrameOutput: ~Copyable {
    private(set) var reloadCount = 0
    private let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 8)

    deinit { unsafe memory.deallocate() }

    mutating func perform(_ action: RouterAction, of router: inout Router) {
        switch action {
        case .reload(let order):
            precondition(router.frameBound(order) <= 1 << 20, "the output memory is large enough")
            _ = unsafe router.write(order, to: memory)
            reloadCount += 1
        case .acknowledge(_, let seq, _):
            unsafe FrameHeader(type: .ack, seq: seq, bodyCount: 0).write(to: memory)
        case .pong, .ping, .write, .fail:
            break
        }
    }

    /// The same, with an answer that waits until the journal is committed up to `position`.
    mutating func perform(
        _ action: RouterAction,
        of router: inout Router,
        _ driver: CommitDriver,
        _ position: UInt64
    ) {
        guard case .acknowledge(let slot, let seq, _) = action else {
            return perform(action, of: &router)
        }
        unsafe driver.heldAnswers.append(
            position: position,
            connection: slot,
            serial: 1,
            kind: .other,
            byteCount: FrameHeader.byteCount
        ) { memory in
            unsafe FrameHeader(type: .ack, seq: seq, bodyCount: 0).write(to: memory)
            return FrameHeader.byteCount
        }
    }
}
#endif
