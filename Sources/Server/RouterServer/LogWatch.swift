internal import RouterStore

/// What was logged last, so that each thing is logged once and not each time it is looked at.
struct LogWatch {
    var outage = OutageLog()
    var checkpoints = CheckpointWatch()
    var warnings = LoggedWarnings()
}
