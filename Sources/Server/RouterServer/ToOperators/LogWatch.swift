internal import Basics
internal import Logging
internal import RouterStore

/// What was last logged, so that each event is logged once, and not at each look.
struct LogWatch {
    var outage = OutageLog()
    var checkpointOutage = OutageLog()
    var checkpoints = CheckpointWatch()
    var warnings = LoggedWarnings()
    /// The number of stalls of the loop that were logged.
    var stallCount: UInt64 = 0
    /// Why clients are not let in whose ERROR is still to be sent and logged.
    var refusals: [ConnectionSlot: Logger.Metadata] = [:]
}
