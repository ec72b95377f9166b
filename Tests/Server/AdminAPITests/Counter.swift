import HTTPServing
import Synchronization
import TestSupport

/// Counts, from any thread.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}

extension TestClient {
    convenience init(_ address: ListeningAddress) { self.init(port: address.port) }
}
