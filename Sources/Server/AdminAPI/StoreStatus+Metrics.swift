/// Metrics of the store, and of a recording.
extension StoreStatus {
    func write(to metrics: inout MetricsText, at time: Int64) {
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
            "checkpoint_running",
            "1 while a checkpoint is begun, and neither sealed nor given up, else 0.",
            isCheckpointRunning
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
    func write(to metrics: inout MetricsText) {
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
