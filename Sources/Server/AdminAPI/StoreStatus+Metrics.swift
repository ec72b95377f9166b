/// Metrics of the store, and of a recording.
extension StoreStatus {
    func write(to metrics: inout MetricsText, at time: Int64) {
        metrics.gauge(
            "store_failing",
            help: "1 while the store fails, else 0.",
            condition: failure != nil
        )
        metrics.gauge(
            "store_failing_seconds",
            help: "How long the store has been failing, 0 while it works.",
            milliseconds: failure.map { time - $0.since } ?? 0
        )
        metrics.counter(
            "store_failures",
            help: "Steps of the store that failed, each new try counted.",
            value: failureCount
        )
        writeJournal(to: &metrics)
        writeCheckpoints(to: &metrics)
        metrics.gauge(
            "store_disk_bytes",
            help: "Size of the store on disk, as of the last checkpoint.",
            value: diskByteCount
        )
    }

    private func writeJournal(to metrics: inout MetricsText) {
        metrics.counter(
            "journal_records_submitted",
            help: "Records of the journal since the store was made: the position of the last one.",
            value: submitted
        )
        metrics.counter(
            "journal_records_committed",
            help: "The same of those that are committed, so that what they answer may leave.",
            value: committed
        )
        metrics.gauge(
            "journal_waiting_bytes",
            help: "Journal that waits for the disk.",
            value: waitingJournalByteCount
        )
        metrics.gauge(
            "answers_held_bytes",
            help: "Answers that wait for the journal to be committed.",
            value: uncommittedByteCount
        )
    }

    private func writeCheckpoints(to metrics: inout MetricsText) {
        metrics.counter(
            "checkpoints_begun",
            help: "Checkpoints that were begun.",
            value: checkpointsBegun
        )
        metrics.counter(
            "checkpoints_sealed",
            help: "Checkpoints that are whole and on the disk.",
            value: checkpointsSealed
        )
        metrics.gauge(
            "checkpoint_running",
            help: "1 while a checkpoint is begun, and neither sealed nor given up, else 0.",
            condition: isCheckpointRunning
        )
        metrics.gauge(
            "checkpoint_last_bytes",
            help: "Records of the last checkpoint that was sealed since the start.",
            value: checkpointByteCount
        )
        metrics.gauge(
            "checkpoint_last_duration_seconds",
            help: "How long that checkpoint took.",
            milliseconds: checkpointMilliseconds
        )
        metrics.gauge(
            "checkpoint_last_longest_turn_seconds",
            help: "The longest turn of the event loop meanwhile: so long nobody was answered.",
            nanoseconds: checkpointLongestTick
        )
    }
}

extension RecordingStatus {
    func write(to metrics: inout MetricsText) {
        metrics.gauge(
            "capture_failing",
            help: "1 while inputs cannot be recorded because writing fails, else 0.",
            condition: isFailing
        )
        metrics.counter("capture_records", help: "Inputs that were recorded.", value: recordCount)
        metrics.counter(
            "capture_lost",
            help: "Inputs that were not recorded because the disk does not keep up or fails.",
            value: lostCount
        )
        metrics.counter("capture_files", help: "Files of the recording.", value: fileCount)
        metrics.counter(
            "capture_bytes",
            help: "Recorded inputs before compression.",
            value: byteCount
        )
        metrics.counter(
            "capture_written_bytes",
            help: "What they take on the disk.",
            value: storedByteCount
        )
    }
}
