import LibuvLoop

/// One connection of the load generator: what it has sent and what has been acknowledged.
final class LoadGeneratorConnection {
    let tcp: TCPConnection
    /// Sent once the connection is open; nil where the server wants none.
    let hello: [UInt8]?
    /// The server has answered the HELLO.
    var isReady = false
    /// Frames that may be unacknowledged.
    var window: UInt64
    /// The last frame that was sent.
    var sent: UInt64 = 0
    /// The last frame that was acknowledged.
    var acknowledged: UInt64 = 0
    /// The last frame that shall be sent.
    var limit: UInt64 = 0
    var frames: LoadGeneratorFrames?
    var targets = LoadGeneratorTargets.first

    init(_ tcp: TCPConnection, hello: [UInt8]?, window: Int) {
        self.tcp = tcp
        self.hello = hello
        self.window = UInt64(window)
    }

    /// Whether one more frame may be sent.
    var hasRoom: Bool { sent - acknowledged < window }

    /// Sends what the window lets through, in few large writes.
    ///
    /// Returns how many frames that were.
    func fill() -> Int {
        guard let frames else { return 0 }
        let last = min(limit, acknowledged + window)
        // Half a window at a time: an ACK for a few frames must not lead to a write of a few.
        if last <= sent || (last < limit && sent - acknowledged > window / 2) { return 0 }
        let before = sent
        while sent < last {
            let count = min(frames.blockCount, Int(last - sent))
            unsafe tcp.withOutput(count * frames.frameBytes) { memory in
                unsafe frames.write(count, from: sent + 1, &targets, to: memory)
            }
            sent += UInt64(count)
        }
        tcp.flush()
        return Int(sent - before)
    }
}
