internal import ReloadModel
internal import RouterCore

extension RouterStatus {
    /// All metrics, in the text format of Prometheus.
    package var metrics: String {
        var metrics = MetricsText()
        writeRouter(to: &metrics)
        if let store { store.write(to: &metrics, at: time) }
        if let recording { recording.write(to: &metrics) }
        return metrics.text
    }

    private func writeRouter(to metrics: inout MetricsText) {
        metrics.gauge("draining", "1 while the router drains, else 0.", isDraining)
        metrics.gauge(
            "inputs_paused",
            "1 while nobody is read from because too much waits for the store, else 0.",
            areInputsPaused
        )
        metrics.counter("pushes_accepted", "Pushes that were taken.", counters.pushesAccepted)
        metrics.counter(
            "pushes_duplicate",
            "Pushes that had been taken before.",
            counters.pushesDuplicate
        )
        metrics.counter(
            "frames_rejected",
            "Frames that were answered with REJECT.",
            counters.framesRejected
        )
        metrics.counter(
            "sessions_failed",
            "Sessions that were ended with ERROR.",
            counters.sessionsFailed
        )
        metrics.counter("reloads_sent", "RELOADs that were sent.", counters.reloadsSent)
        metrics.counter(
            "reloads_void",
            "Reloads that were void when they could be sent.",
            counters.reloadsVoid
        )
        writeDecisions(to: &metrics)
    }

    private func writeDecisions(to metrics: inout MetricsText) {
        metrics.counter("wishes", "Causes to reload a widget.", counters.wishes)
        metrics.counter(
            "wishes_ended",
            "Causes to reload a widget that wait no more, by what became of them.",
            by: "reason",
            byReason(counters.endings)
        )
        metrics.counter(
            "decisions",
            "Decisions on reloads, by their reason.",
            by: "reason",
            byReason(counters.decisions)
        )
        metrics.counter(
            "entries_too_close",
            "Timelines with entries closer than WidgetKit shows them.",
            counters.closeEntries
        )
        metrics.counter(
            "windows_exceeded",
            "Reloads that wait for their origin for longer than the window of their kind.",
            counters.windowsExceeded
        )
        metrics.counter(
            "windows_grown",
            "Windows that grew because the rate of their origin could not hold one date.",
            counters.windowsGrown
        )
        metrics.counter("clock_jumps", "Jumps of the wall clock.", counters.clockJumps)
    }

    private func byReason(_ counts: DecisionCounts) -> [(String, UInt64)] {
        DecisionReason.allCases.map { ($0.name, counts[$0]) }
    }
}

extension StoreStatus {
    fileprivate func write(to metrics: inout MetricsText, at time: Int64) {
        metrics.gauge("store_failing", "1 while the store fails, else 0.", failure != nil)
        metrics.gauge(
            "store_failing_seconds",
            "How long the store has been failing, 0 while it works.",
            milliseconds: failure.map { time - $0.since } ?? 0
        )
        metrics.counter(
            "store_failures",
            "Steps of the store that failed, each new try counted.",
            failureCount
        )
        writeJournal(to: &metrics)
        writeCheckpoints(to: &metrics)
        metrics.gauge(
            "store_disk_bytes",
            "Size of the store on disk, as of the last checkpoint.",
            diskByteCount
        )
    }

    private func writeJournal(to metrics: inout MetricsText) {
        metrics.counter(
            "journal_records_submitted",
            "Records of the journal since the store was made: the position of the last one.",
            submitted
        )
        metrics.counter(
            "journal_records_committed",
            "The same of those that are committed, so that what they answer may leave.",
            committed
        )
        metrics.gauge(
            "journal_waiting_bytes",
            "Journal that waits for the disk.",
            waitingJournalByteCount
        )
        metrics.gauge(
            "answers_held_bytes",
            "Answers that wait for the journal to be committed.",
            heldAnswerByteCount
        )
    }

    private func writeCheckpoints(to metrics: inout MetricsText) {
        metrics.counter("checkpoints_begun", "Checkpoints that were begun.", checkpointsBegun)
        metrics.counter(
            "checkpoints_sealed",
            "Checkpoints that are whole and on the disk.",
            checkpointsSealed
        )
        metrics.gauge(
            "checkpoint_last_bytes",
            "Records of the last checkpoint that was sealed since the start.",
            checkpointByteCount
        )
        metrics.gauge(
            "checkpoint_last_duration_seconds",
            "How long that checkpoint took.",
            milliseconds: checkpointMilliseconds
        )
        metrics.gauge(
            "checkpoint_last_longest_turn_seconds",
            "The longest turn of the event loop meanwhile: so long nobody was answered.",
            nanoseconds: checkpointLongestTurn
        )
    }
}

extension RecordingStatus {
    fileprivate func write(to metrics: inout MetricsText) {
        metrics.gauge(
            "capture_failing",
            "1 while inputs cannot be recorded because writing fails, else 0.",
            isFailing
        )
        metrics.counter("capture_records", "Inputs that were recorded.", recordCount)
        metrics.counter(
            "capture_lost",
            "Inputs that were not recorded because the disk does not keep up or fails.",
            lostCount
        )
        metrics.counter("capture_files", "Files of the recording.", fileCount)
        metrics.counter("capture_bytes", "Recorded inputs before compression.", byteCount)
        metrics.counter("capture_written_bytes", "What they take on the disk.", storedByteCount)
    }
}
