import Basics
import Glibc
import Platform
import StoreFormat
import TestSupport
import Testing

@testable import DurableStore

/// Lets a test wait until something is so that another thread brings about.
final class Signal: Sendable {
    private let monitor = Monitor()

    /// Something may have changed.
    func notify() {
        monitor.locked { monitor.wake() }
    }

    /// Waits until `condition` holds; after a minute it is an error that it does not.
    func wait(
        for what: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: () -> Bool
    ) {
        let deadline = MonotonicTime.now + 60_000
        let isSo = monitor.locked {
            while !condition() {
                if MonotonicTime.now >= deadline { return false }
                monitor.wait(until: deadline)
            }
            return true
        }
        #expect(isSo, "waited in vain for: \(what)", sourceLocation: sourceLocation)
    }
}

extension GroupCommit {
    /// One for an engine with an empty journal, whose changes a test can wait for.
    convenience init(
        engine: any StoreEngine,
        durability: Durability = .full,
        limits: CommitLimits,
        signal: Signal
    ) {
        self.init(
            engine: engine,
            durability: durability,
            from: 0,
            parent: 0,
            limits: limits,
            onChange: { signal.notify() }
        )
    }
}
