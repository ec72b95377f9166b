import HTTPServing
import Platform
import TestSupport

/// Runs on so many threads at once, and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { number in JoinableThread { body(number) } }
    for thread in threads { thread.join() }
}

extension TestClient {
    convenience init(_ address: ListeningAddress) { self.init(port: address.port) }
}
