internal import Basics
internal import LibuvLoop
internal import Logging
internal import Platform
internal import RouterCore
internal import RouterStore

/// What the loop does for the store and for answers awaiting commit.
extension Server {
    /// Continues a checkpoint, adapts input to the store's speed, and logs the store's state.
    func resumeStore() {
        guard let driver = core.driver, core.phase != .ended else { return }
        if driver.continueCheckpoint(&core.router) { core.scheduleTick() }
        reading.limit(by: driver)
        core.commits?.look(clock: &core.clock, logger: core.logger)
    }
}
