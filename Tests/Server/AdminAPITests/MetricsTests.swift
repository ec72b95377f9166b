import Basics
import RouterCore
import StoreFormat
import TestSupport
import Testing

@testable import AdminAPI

@Suite("Metrics as text")
struct MetricsTests {
    private let status = RouterStatus.numbered

    private func text(_ status: RouterStatus) -> String {
        var metrics = MetricsText()
        status.write(to: &metrics)
        return metrics.text
    }

    /// The samples by name and labels, without the namespace.
    private func samples(_ status: RouterStatus) -> [String: String] {
        let lines = text(status).split(separator: "\n").filter { !$0.hasPrefix("#") }
        let pairs = lines.map { line in
            let end = line.lastIndex(of: " ")!
            return (
                String(line[..<end].dropFirst("reload_router_".count)),
                String(line[line.index(after: end)...])
            )
        }
        // Fails if a sample is there twice.
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private func expect(_ expected: [String: String], of status: RouterStatus) {
        let found = samples(status)
        for (name, value) in expected { #expect(found[name] == value, "\(name)") }
    }

    @Test func everyCounterIsThereUnderItsName() {
        expect(
            [
                "pushes_accepted_total": "1", "pushes_duplicate_total": "2",
                "frames_rejected_total{code=\"payload-not-json\"}": "3",
                "frames_rejected_total{code=\"payload-kinds\"}": "0",
                "sessions_failed_total{code=\"token-invalid\"}": "4",
                "reloads_sent_total{cause=\"budget\",channel=\"connection\"}": "5",
                "reloads_sent_total{cause=\"push\",channel=\"connection\"}": "0",
                "reloads_expired_total": "6", "reload_requests_total": "7",
                "entries_too_close_total": "8",
                "windows_exceeded_total": "9", "windows_grown_total": "10",
                "clock_jumps_total": "11", "decisions_total{reason=\"budget\"}": "12",
                "decisions_total{reason=\"sent\"}": "0",
                "reload_requests_ended_total{reason=\"sent\"}": "13", "pushes_matched_total": "30",
                "widgets_left_out_total": "197",
                "received_bytes_total": "31", "sent_bytes_total": "32",
                "connections_accepted_total": "33", "ticks_total": "2",
                "log_messages_suppressed_total": "166",
                "connections_refused_total{reason=\"connections\"}": "174",
                "connections_refused_total{reason=\"address\"}": "175",
                "connections_refused_total{reason=\"handshake\"}": "179",
                "connections_refused_total{reason=\"store\"}": "176",
                "tls_handshakes_total{kind=\"full\"}": "180",
                "tls_handshakes_total{kind=\"resumed\"}": "181",
                "certificate_expiry_time_seconds": "182",
                "credential_expiry_time_seconds": "183",
                "credentials_refused_total{reason=\"expired\"}": "184",
                "connections_refused_total{reason=\"input\"}": "177",
                "connections_refused_total{reason=\"output\"}": "178",
            ],
            of: status
        )
    }

    @Test func everyGaugeIsThereUnderItsName() {
        expect(
            [
                "file_refused{file=\"apps\"}": "0", "file_refused{file=\"operators\"}": "1",
                "file_read_time_seconds{file=\"apps\"}": "7",
                "file_read_time_seconds{file=\"operators\"}": "8",
                "draining": "0", "inputs_paused": "1", "build_info{version=\"1.2.3\"}": "1",
                "start_time_seconds": "1700000000.5", "connections{role=\"publisher\"}": "34",
                "connections{role=\"device\"}": "35", "connections{role=\"gateway\"}": "36",
                "connections{role=\"awaitingHello\"}": "37",
                "reloads_pending{stage=\"debounced\"}": "38",
                "reloads_pending{stage=\"deferred\"}": "39",
                "reloads_pending{stage=\"queued\"}": "40", "reloads_pending{stage=\"held\"}": "41",
                "reloads_pending{stage=\"ready\"}": "42", "queue_depth{queue=\"ready\"}": "43",
                "queue_depth{queue=\"fanOut\"}": "44", "queue_depth{queue=\"paced\"}": "40",
                "queue_depth{queue=\"timers\"}": "45",
                "queue_depth{queue=\"heldConnections\"}": "46", "fan_out_widgets": "44",
                "output_bytes_max": "171", "input_bytes": "172", "input_bytes_max": "173",
                "reading_paused{reason=\"store\"}": "1",
                "reading_paused{reason=\"output\"}": "1",
                "reading_paused{reason=\"input\"}": "0",
                "output_bytes": "47", "stored_apps": "48", "stored_devices": "49",
                "stored_widgets": "50", "undeclared_widgets": "192", "stored_producers": "51",
                "stored_bytes": "181", "stored_bytes_limit": "182",
                "producers_forgotten_total": "190", "producers_refused_total": "191",
                "producers_ahead_total": "193", "devices_forgotten_total": "194",
                "token_revocations": "220",
                "memory_bytes{part=\"index\"}": "52", "memory_bytes{part=\"widgets\"}": "53",
                "memory_bytes{part=\"schedules\"}": "54", "memory_bytes{part=\"fields\"}": "55",
                "memory_bytes{part=\"decisions\"}": "56",
                "memory_bytes{part=\"connections\"}": "57",
                "memory_bytes{part=\"history\"}": "257", "paused_apps": "71",
            ],
            of: status
        )
        #expect(Int(samples(status)["memory_bytes{part=\"resident\"}"] ?? "") ?? 0 > 1 << 20)
    }

    @Test func everyFigureOfTheStoreAndTheRecordingIsThereUnderItsName() {
        expect(
            [
                "store_failing": "1", "store_failing_seconds": "1.5", "store_failures_total": "14",
                "journal_records_submitted_total": "18446744073709551615",
                "journal_records_committed_total": "16", "journal_waiting_bytes": "17",
                "uncommitted_answer_bytes": "18", "checkpoints_begun_total": "19",
                "checkpoints_sealed_total": "20", "checkpoint_running": "1",
                "checkpoint_failing": "1",
                "checkpoint_last_bytes": "21",
                "checkpoint_last_duration_seconds": "0.022",
                "checkpoint_last_longest_tick_seconds": "0.0245", "store_disk_bytes": "23",
                "capture_failing": "1", "capture_records_total": "25", "capture_lost_total": "26",
                "capture_files_total": "27", "capture_bytes_total": "28",
                "capture_written_bytes_total": "29",
            ],
            of: status
        )
    }

    @Test func `Pushes by APNs are counted by their ends, and stopped ones by the cause`() {
        expect(
            [
                "apns_pushes_sent_total": "200",
                #"apns_pushes_ended_total{outcome="accepted"}"#: "201",
                #"apns_refusals_total{reason="Unregistered"}"#: "213",
                "apns_devices_waiting": "208", "apns_dead_tokens": "209",
                "apns_pushes_under_way": "210", "apns_connections": "211",
                "apns_connections_lost_total": "212",
                "apns_certificate_expiry_time_seconds": "217.0",
                #"apns_lanes_stopped{cause="key"}"#: "215",
                #"apns_lane_stops_total{cause="credentials"}"#: "216",
            ],
            of: status
        )
    }

    @Test func appsAndOriginsAreLabels() {
        expect(
            [
                "app_pushes_total{app=\"com.game\"}": "60",
                "app_matched_total{app=\"com.game\"}": "61",
                "app_reloads_total{app=\"com.game\"}": "62",
                "app_pushes_total{app=\"(others)\"}": "0",
                "app_used{app=\"com.game\",quota=\"devices\"}": "183",
                "app_used{app=\"com.game\",quota=\"storedBytes\"}": "184",
                "app_quota{app=\"com.game\",quota=\"storedBytes\"}": "185",
                "quota_refusals_total{quota=\"widgets\"}": "186",
                "quota_refusals_total{quota=\"sessions\"}": "0",
                "origin_waiting{app=\"com.game\",origin=\"feed\"}": "63",
                "origin_peak_per_second{app=\"com.game\",origin=\"feed\",side=\"asked\"}": "64",
                "origin_peak_per_second{app=\"com.game\",origin=\"feed\",side=\"given\"}": "65",
            ],
            of: status
        )
    }

    @Test func originsReportedTogetherHaveNoPeak() {
        let found = samples(status).filter { $0.key.contains("origin=\"(others)\"") }
        #expect(found == ["origin_waiting{app=\"(others)\",origin=\"(others)\"}": "72"])
    }

    @Test func histogramsAreCumulativeAndInSeconds() {
        expect(
            [
                "push_to_ack_seconds_bucket{le=\"0.0001\"}": "0",
                "push_to_ack_seconds_bucket{le=\"0.0002\"}": "1",
                "push_to_ack_seconds_bucket{le=\"0.0032\"}": "2",
                "push_to_ack_seconds_bucket{le=\"52.4288\"}": "2",
                "push_to_ack_seconds_bucket{le=\"+Inf\"}": "3",
                "push_to_ack_seconds_count": "3", "push_to_ack_seconds_sum": "60.0032",
                "tick_seconds_count": "2", "push_to_reload_seconds_count": "0",
                "loop_stall_seconds_sum{work=\"http\"}": "199.5",
                "loop_stall_seconds_count{work=\"http\"}": "198",
                "scheduler_lag_seconds_sum": "0.0", "commit_seconds_bucket{le=\"+Inf\"}": "0",
            ],
            of: status
        )
        let buckets = samples(status).keys.filter { $0.hasPrefix("tick_seconds_bucket") }
        #expect(buckets.count == 21)
    }

    @Test func `A renamed metric has the same samples under its former name`() {
        let found = samples(status)
        let renamed = [
            ("ticks_total", "turns_total"), ("reloads_expired_total", "reloads_void_total"),
            ("reload_requests_total", "wishes_total"),
            (#"reload_requests_ended_total{reason="sent"}"#, #"wishes_ended_total{reason="sent"}"#),
            ("tick_seconds_count", "turn_seconds_count"),
            (#"tick_seconds_bucket{le="+Inf"}"#, #"turn_seconds_bucket{le="+Inf"}"#),
        ]
        for (name, former) in renamed {
            #expect(found[name] != nil && found[name] == found[former], "\(name), \(former)")
        }
        let help = "# HELP reload_router_turns_total Former name of reload_router_ticks_total;"
        #expect(text(status).contains(help))
    }

    @Test func labelsMayBeAnyText() {
        var status = RouterStatus(time: 0)
        status.version = "a\\b\"c\nd\u{301}é"
        #expect(
            text(status).contains(
                "\nreload_router_build_info{version=\"a\\\\b\\\"c\\nd\u{301}é\"} 1\n"
            )
        )
    }

    @Test func whatHasNotHappenedIsThereToo() {
        let found = samples(RouterStatus(time: 0))
        let codes = found.keys.filter { $0.hasPrefix("frames_rejected_total{") }
        #expect(codes.count == ErrorCode.allCases.count)
        let causes = found.keys.filter { $0.hasPrefix("reloads_sent_total{") }
        #expect(causes.count == ReloadCause.allCases.count)
        let reasons = found.keys.filter { $0.hasPrefix("decisions_total{") }
        #expect(reasons.count == DecisionReason.allCases.count)
    }

    @Test func aStoreThatWorksDoesNotFail() {
        var status = status
        status.store?.failure = nil
        status.isDraining = true
        expect(["store_failing": "0", "store_failing_seconds": "0.0", "draining": "1"], of: status)
    }

    @Test func withoutAStoreThereIsNothingOfOne() {
        var status = status
        status.store = nil
        let names = samples(status).keys
        #expect(names.contains("pushes_accepted_total"))
        let ofStores = ["store_", "journal_", "commit_", "checkpoint", "answers_"]
        #expect(!names.contains { name in ofStores.contains { name.hasPrefix($0) } })
    }

    @Test func withoutARecordingThereIsNothingOfOne() {
        var status = status
        status.recording = nil
        let names = samples(status).keys
        #expect(names.contains("store_failing"))
        #expect(!names.contains { $0.contains("capture") })
    }

    @Test func aFamilyIsHelpThenTypeThenSamples() {
        var metrics = MetricsText()
        let counts: [(String, UInt64)] = [("full", 1), ("resumed", 2)]
        metrics.write("tls_handshakes_total", value: counts)
        let length: Milliseconds = .milliseconds(250)
        metrics.write("store_failing_seconds", value: length)
        let help = "TLS handshakes that were completed, by whether a ticket saved the signature."
        let lengthHelp = "Time in seconds for which the store has been failing; 0 while it works."
        #expect(
            metrics.text == """
                # HELP reload_router_tls_handshakes_total \(help)
                # TYPE reload_router_tls_handshakes_total counter
                reload_router_tls_handshakes_total{kind="full"} 1
                reload_router_tls_handshakes_total{kind="resumed"} 2
                # HELP reload_router_store_failing_seconds \(lengthHelp)
                # TYPE reload_router_store_failing_seconds gauge
                reload_router_store_failing_seconds 0.25

                """
        )
    }
}
