internal import Basics

/// Metrics of the store, and of a recording.
extension StoreStatus {
    func write(to metrics: inout MetricsText, at time: MonotonicTime) {
        metrics.gauge(
            "store_failing",
            help: "1 while the store fails, else 0.",
            condition: failure != nil
        )
        metrics.gauge(
            "store_failing_seconds",
            help: "Time in seconds for which the store has been failing; 0 while it works.",
            length: failure.map { time - $0.since } ?? .zero
        )
        metrics.counter(
            "store_failures",
            help: "Steps of the store that failed; each retry counts.",
            value: failureCount
        )
        writeJournal(to: &metrics)
        writeCheckpoints(to: &metrics)
        metrics.gauge(
            "store_disk_bytes",
            help: "Size of the store on disk in bytes, as of the last checkpoint.",
            value: diskByteCount
        )
    }

    private func writeJournal(to metrics: inout MetricsText) {
        metrics.counter(
            "journal_records_submitted",
            help:
                "Position of the journal's last record: records written since the store was created.",
            value: submitted
        )
        metrics.counter(
            "journal_records_committed",
            help: "Position of the journal's last committed record; answers up to it may be sent.",
            value: committed
        )
        metrics.gauge(
            "journal_waiting_bytes",
            help: "Bytes of the journal that wait for the disk.",
            value: waitingJournalByteCount
        )
        metrics.gauge(
            "uncommitted_answer_bytes",
            help: "Bytes of answers that wait for their journal records to be committed.",
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
            help: "Checkpoints that were sealed: complete on disk.",
            value: checkpointsSealed
        )
        metrics.gauge(
            "checkpoint_failing",
            help: "1 while checkpoints fail and the journal grows instead, else 0.",
            condition: checkpointFailure != nil
        )
        metrics.gauge(
            "checkpoint_running",
            help: "1 while a checkpoint is being written, else 0.",
            condition: isCheckpointRunning
        )
        metrics.gauge(
            "checkpoint_last_bytes",
            help: "Size in bytes of the last checkpoint that was sealed since the start.",
            value: checkpointByteCount
        )
        metrics.gauge(
            "checkpoint_last_duration_seconds",
            help: "Duration of that checkpoint.",
            length: checkpointDuration
        )
        metrics.gauge(
            "checkpoint_last_longest_tick_seconds",
            help: "The longest tick of the event loop during that checkpoint.",
            length: checkpointLongestTick
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
            help: "Inputs that were not recorded because the disk was too slow or failed.",
            value: lostCount
        )
        metrics.counter("capture_files", help: "Files of the recording.", value: fileCount)
        metrics.counter(
            "capture_bytes",
            help: "Bytes of recorded inputs before compression.",
            value: byteCount
        )
        metrics.counter(
            "capture_written_bytes",
            help: "Bytes of recorded inputs on disk.",
            value: storedByteCount
        )
    }
}
