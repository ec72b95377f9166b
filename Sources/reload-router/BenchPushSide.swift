/// A router with publishers that can push.
struct BenchPushSide {
    let side: BenchSide
    let gateways: Range<Int>
    let publishers: Range<Int>

    /// Pushes for a time; returns also what the loop's thread has had, in ns.
    func push(_ seconds: Double) throws -> (window: BenchWindow, loop: Int64) {
        let before = side.server.loopTime
        let window = try side.pushWindow(publishers, subscribers: gateways, seconds: seconds)
        return (window, side.server.loopTime - before)
    }
}

/// The windows of such a side, and what of them the loop's thread has had.
struct BenchPushWindows {
    var windows = BenchWindows()
    private var loops: [Double] = []

    mutating func add(_ window: (window: BenchWindow, loop: Int64)) {
        windows.add(window.window)
        loops.append(Double(window.loop) / Double(max(1, window.window.operations)))
    }

    /// Nanoseconds of the loop's thread per push.
    var loop: Double { median(loops) }
}
