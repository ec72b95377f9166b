internal import RouterStore

/// What was last logged, so that each event is logged once, and not at each look.
struct LogWatch {
    var outage = OutageLog()
    var checkpoints = CheckpointWatch()
    var warnings = LoggedWarnings()
}
