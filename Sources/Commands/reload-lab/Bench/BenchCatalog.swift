/// The list of all benchmarks, with what `bench all` needs to run them.
enum BenchCatalog {
    /// A benchmark.
    struct Entry {
        let name: String
        /// What it measures.
        let what: String
        /// The target, as text.
        let aim: String
        /// The arguments with which `bench all` runs it, where its defaults would take too long.
        var arguments: [String] = []
        /// The arguments of `bench all --quick`: the smallest run that still measures something.
        var quickArguments: [String] = []
        /// True if it writes to a disk, and has the option `--folder`.
        var usesDisk = false
    }

    static var entries: [Entry] { servers + disks + captures + inProcess }

    private static var servers: [Entry] {
        [
            Entry(
                name: "frames",
                what: "frames accepted and acknowledged",
                aim: "CPU within 1.25 times the reference",
                quickArguments: ["--seconds", "0.05", "--connections", "1"]
            ),
            Entry(
                name: "route",
                what: "pushes that match one of 1,000,000 widgets",
                aim: "at most 900 ns CPU a push",
                quickArguments: [
                    "--seconds", "0.05", "--widgets", "2000", "--devices", "200",
                    "--publishers", "1", "--windows", "480",
                ]
            ),
            Entry(
                name: "fanout",
                what: "one push to 1,000 and 9,900 connections",
                aim: "CPU within 1.15 times",
                quickArguments: ["--seconds", "0.05", "--devices", "50"]
            ),
            Entry(
                name: "latency",
                what: "publish to RELOAD at 20,000 pushes/s",
                aim: "p50 and p99 within 1.5 times",
                quickArguments: ["--seconds", "0.05", "--rate", "500", "--devices", "1000"]
            ),
            Entry(
                name: "hot-key",
                what: "one push to 1,000,000 widgets, others meanwhile",
                aim: "p99 of others at most 20 ms",
                quickArguments: [
                    "--seconds", "0.1", "--widgets", "2000", "--devices", "200", "--rate", "500",
                ]
            ),
            Entry(
                name: "tls",
                what: "pushes, deliveries, sessions, reconnections with TLS",
                aim: "CPU within 1.15 times, 1.3 a delivery; 16 KiB",
                quickArguments: [
                    "--seconds", "0.05", "--devices", "50", "--sessions", "64",
                    "--reconnecting", "100", "--rate", "500",
                ]
            ),
            Entry(
                name: "publish",
                what: "pushes over HTTP over 1 to 1,000 connections",
                aim: "CPU within 3 times nginx's",
                quickArguments: [
                    "--seconds", "0.05", "--repeat", "1", "--connections", "1", "--rate", "100",
                ]
            ),
            Entry(
                name: "apns",
                what: "pushes to APNs over 1 and 4 connections",
                aim: "CPU within 1.3 times h2load's",
                quickArguments: ["--repeat", "1", "--pushes", "200"]
            ),
            Entry(
                name: "apns-fan-out",
                what: "one push to 100,000 devices by APNs",
                aim: "busiest second within the cap, none twice",
                // After a longer silence, some pushes wait for 20 minutes.
                arguments: ["--outage", "8"],
                quickArguments: [
                    "--repeat", "1", "--devices", "200", "--cap", "100", "--outage", "0.1",
                ],
                usesDisk: true
            ),
            Entry(
                name: "tokens",
                what: "what clients show, judged and refused",
                aim: "refusals that take equally long",
                quickArguments: ["--repeat", "1", "--credentials", "10", "--hellos", "20"]
            ),
            Entry(
                name: "fairness",
                what: "1,000 publishers beside a hostile sender",
                aim: "p99 within 2 times",
                quickArguments: [
                    "--seconds", "0.1", "--repeat", "1", "--publishers", "20", "--devices", "200",
                    "--rate", "500",
                ]
            ),
            Entry(
                name: "scrape",
                what: "scrapes of 100 apps and 10,000 connections",
                aim: "at most 1 ms of the loop each",
                quickArguments: [
                    "--seconds", "0.05", "--rate", "500", "--devices", "1000", "--apps", "10",
                    "--connections", "20",
                ]
            ),
            Entry(
                name: "memory",
                what: "resident bytes per stored widget",
                aim: "at most 250 bytes",
                quickArguments: ["--widgets", "10000", "--devices", "1000"]
            ),
        ]
    }

    private static var disks: [Entry] {
        [
            Entry(
                name: "store",
                what: "pushes whose ACK waits for the disk",
                aim: "70 % of the engine, 1.6 µs CPU",
                quickArguments: [
                    "--seconds", "0.05", "--widgets", "1000", "--devices", "100", "--rate", "100",
                ],
                usesDisk: true
            ),
            Entry(
                name: "restart",
                what: "a start on a store of 1,000,000 widgets",
                aim: "10 s for ten million",
                quickArguments: ["--widgets", "2000", "--tail", "1000"],
                usesDisk: true
            ),
            Entry(
                name: "keys",
                what: "keys of 1,000,000 requests over HTTP",
                aim: "48 bytes each, 1 s to start with them",
                quickArguments: ["--keys", "2000"],
                usesDisk: true
            ),
        ]
    }

    private static var captures: [Entry] {
        [
            Entry(
                name: "record",
                what: "what recording costs a push",
                aim: "reported",
                quickArguments: ["--seconds", "0.1"],
                usesDisk: true
            ),
            Entry(
                name: "replay",
                what: "the generator of replays: its schedule",
                aim: "p99 1 ms late at 100,000/s",
                quickArguments: ["--seconds", "0.1"]
            ),
        ]
    }

    private static var inProcess: [Entry] {
        [
            Entry(
                name: "match",
                what: "the matcher alone: 10,000 to 10,000,000 widgets",
                aim: "one for each workload",
                arguments: ["--widgets", "1000000"],
                quickArguments: ["--quick", "--events", "320", "--seconds", "0.01"]
            ),
            Entry(
                name: "budget",
                what: "decisions on 1,000,000 widgets",
                aim: "at most 300 ns CPU beyond the match",
                quickArguments: ["--widgets", "2000"]
            ),
            Entry(
                name: "timers",
                what: "10,000,000 pending timers",
                aim: "a tenth of libuv's CPU for 1,000,000",
                quickArguments: ["--timers", "20000", "--reference-timers", "5000"]
            ),
            Entry(
                name: "jitter",
                what: "up to 1,000,000 reloads with one date",
                aim: "peak within the mean and one"
            ),
        ]
    }
}
