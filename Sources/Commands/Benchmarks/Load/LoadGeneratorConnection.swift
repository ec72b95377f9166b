import LibuvLoop

/// One connection of the load generator, with the numbers of the frames sent and acknowledged.
final class LoadGeneratorConnection {
    let tcp: TCPConnection
    /// The HELLO to send once the connection is open; nil if the server wants none.
    let hello: [UInt8]?
    /// True once the server has answered the HELLO, or, without a HELLO, once the connection is
    /// open.
    var isReady = false
    /// The most frames that may be unacknowledged.
    var window: UInt64
    /// The sequence number of the last frame sent.
    var sent: UInt64 = 0
    /// The sequence number of the last frame acknowledged.
    var acknowledged: UInt64 = 0
    /// The sequence number of the last frame to send.
    var limit: UInt64 = 0
    /// The frames to send; nil until `LoadGenerator.start` sets them.
    var frames: LoadGeneratorFrames?
    /// The widgets or devices that the frames name, one after the other.
    var targets = LoadGeneratorTargets.first

    init(_ tcp: TCPConnection, hello: [UInt8]?, window: Int) {
        self.tcp = tcp
        self.hello = hello
        self.window = UInt64(window)
    }

    /// Sends what the window allows, in few large writes.
    ///
    /// - Returns: how many frames were sent.
    func fill() -> Int {
        guard let frames else { return 0 }
        let last = min(limit, acknowledged + window)
        // At least half a window at a time: otherwise each ACK of a few frames would lead to a
        // small write.
        if last <= sent || (last < limit && sent - acknowledged > window / 2) { return 0 }
        let before = sent
        while sent < last {
            let count = min(frames.blockCount, Int(last - sent))
            unsafe tcp.withOutput(count * frames.frameBytes) { memory in
                unsafe frames.write(count, from: sent + 1, for: &targets, to: memory)
            }
            sent += UInt64(count)
        }
        tcp.flush()
        return Int(sent - before)
    }
}
