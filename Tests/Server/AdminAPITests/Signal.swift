import Platform

/// Something that a test waits for.
final class Signal: @unchecked Sendable {
    // Unchecked: the var is used under the monitor.
    private let monitor = Monitor()
    private var isGiven = false

    func give() {
        monitor.locked { isGiven = true }
        monitor.wake()
    }

    func wait() { monitor.locked { while !isGiven { monitor.wait() } } }
}
