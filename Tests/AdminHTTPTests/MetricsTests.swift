import ReloadModel
import RouterCore
import StoreFormat
import Testing

@testable import AdminHTTP

@Suite("Metrics as text")
struct MetricsTests {
    /// A status in which every number is another one.
    private var status: RouterStatus {
        var status = RouterStatus(time: 100_000)
        status.areInputsPaused = true
        status.counters.pushesAccepted = 1
        status.counters.pushesDuplicate = 2
        status.counters.framesRejected = 3
        status.counters.sessionsFailed = 4
        status.counters.reloadsSent = 5
        status.counters.reloadsVoid = 6
        status.counters.wishes = 7
        status.counters.closeEntries = 8
        status.counters.windowsExceeded = 9
        status.counters.windowsGrown = 10
        status.counters.clockJumps = 11
        status.counters.decisions[.budget] = 12
        status.counters.endings[.sent] = 13
        var store = StoreStatus()
        store.failure = StoreStatus.Failure(code: .full, since: 98_500)
        store.failureCount = 14
        store.submitted = UInt64.max
        store.committed = 16
        store.waitingJournalByteCount = 17
        store.heldAnswerByteCount = 18
        store.checkpointsBegun = 19
        store.checkpointsSealed = 20
        store.checkpointByteCount = 21
        store.checkpointMilliseconds = 22
        store.checkpointLongestTurn = 24_500_000
        store.diskByteCount = 23
        status.store = store
        status.recording = recording
        return status
    }

    private var recording: RecordingStatus {
        var recording = RecordingStatus()
        recording.isFailing = true
        recording.recordCount = 25
        recording.lostCount = 26
        recording.fileCount = 27
        recording.byteCount = 28
        recording.storedByteCount = 29
        return recording
    }

    /// The samples by name and labels.
    private func samples(_ text: String) -> [String: String] {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let pairs = lines.map { line in
            let words = line.split(separator: " ")
            return (String(words[0]), String(words[1]))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func everyFigureIsThereUnderItsName() {
        let expected = [
            "draining": "0", "inputs_paused": "1", "pushes_accepted_total": "1",
            "pushes_duplicate_total": "2", "frames_rejected_total": "3",
            "sessions_failed_total": "4", "reloads_sent_total": "5", "reloads_void_total": "6",
            "wishes_total": "7", "entries_too_close_total": "8", "windows_exceeded_total": "9",
            "windows_grown_total": "10", "clock_jumps_total": "11",
            "decisions_total{reason=\"budget\"}": "12",
            "decisions_total{reason=\"sent\"}": "0",
            "wishes_ended_total{reason=\"sent\"}": "13", "store_failing": "1",
            "store_failing_seconds": "1.5", "store_failures_total": "14",
            "journal_records_submitted_total": "18446744073709551615",
            "journal_records_committed_total": "16", "journal_waiting_bytes": "17",
            "answers_held_bytes": "18", "checkpoints_begun_total": "19",
            "checkpoints_sealed_total": "20", "checkpoint_last_bytes": "21",
            "checkpoint_last_duration_seconds": "0.022",
            "checkpoint_last_longest_turn_seconds": "0.0245", "store_disk_bytes": "23",
            "capture_failing": "1", "capture_records_total": "25", "capture_lost_total": "26",
            "capture_files_total": "27", "capture_bytes_total": "28",
            "capture_written_bytes_total": "29",
        ]
        let found = samples(status.metrics)
        for (name, value) in expected {
            #expect(found["reload_router_" + name] == value, "\(name)")
        }
        let reasons = DecisionReason.allCases.count
        #expect(found.count == expected.count - 3 + 2 * reasons)
    }

    @Test func aStoreThatWorksDoesNotFail() {
        var status = status
        status.store?.failure = nil
        status.isDraining = true
        let found = samples(status.metrics)
        #expect(found["reload_router_store_failing"] == "0")
        #expect(found["reload_router_store_failing_seconds"] == "0.0")
        #expect(found["reload_router_draining"] == "1")
    }

    @Test func withoutAStoreThereIsNothingOfOne() {
        var status = status
        status.store = nil
        let names = samples(status.metrics).keys
        #expect(names.contains("reload_router_pushes_accepted_total"))
        #expect(!names.contains { $0.contains("store") || $0.contains("journal") })
    }

    @Test func withoutARecordingThereIsNothingOfOne() {
        var status = status
        status.recording = nil
        let names = samples(status.metrics).keys
        #expect(names.contains("reload_router_store_failing"))
        #expect(!names.contains { $0.contains("capture") })
    }

    @Test func aFamilyIsHelpThenTypeThenSamples() {
        var metrics = MetricsText()
        let colours: [(String, UInt64)] = [("red", 1), ("blue", 2)]
        metrics.counter("fish_seen", "Fish that were seen.", by: "colour", colours)
        metrics.gauge("depth_seconds", "How deep.", milliseconds: 250)
        #expect(
            metrics.text == """
                # HELP reload_router_fish_seen_total Fish that were seen.
                # TYPE reload_router_fish_seen_total counter
                reload_router_fish_seen_total{colour="red"} 1
                reload_router_fish_seen_total{colour="blue"} 2
                # HELP reload_router_depth_seconds How deep.
                # TYPE reload_router_depth_seconds gauge
                reload_router_depth_seconds 0.25

                """
        )
    }
}
