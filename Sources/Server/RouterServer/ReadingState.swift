/// From whom the server does not read, and why.
struct ReadingState {
    /// Why nobody at all is read from.
    var pauses: ReadPauses = []
    /// Whether nobody is read from because too much waits for the store.
    var waitsForStore: Bool { pauses.contains(.store) }
    var held = HeldConnections()
    /// When all output together came to its limit, in ms (monotonic), while that is a reason to pause.
    var totalOutputSince: Int64 = 0
}
