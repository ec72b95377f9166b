/// What a comparison reads of the JSON that `reload-lab simulate` writes.
struct SimulationSummary: ComparedReport {
    /// A day in one mode of spreading.
    struct Run: Decodable {
        /// The requests that the origin saw.
        struct Origin: Decodable {
            let requests: Int
            let peak: Int
            let busiestMinute: Int
            let percentile99: Int
            let secondsAboveRate: Int
            /// Those in the busiest second of each minute.
            let peakOfMinutes: [Int]
        }

        /// What devices received and did.
        struct Reloads: Decodable {
            let sent: Int
            let causes: [String: Int]
            let charged: Int
            let timelines: Int
        }

        /// The dates that devices were sent.
        struct Scheduled: Decodable {
            private enum CodingKeys: String, CodingKey {
                case meanDelayMilliseconds = "meanDelay"
                case longestDelayMilliseconds = "longestDelay"
            }

            let meanDelayMilliseconds: Double
            let longestDelayMilliseconds: Double
        }

        let mode: String
        let origin: Origin
        let pushes: [String: Int]
        let reloads: Reloads
        let scheduled: Scheduled
    }

    static var ownMember: String { "originRate" }

    let provenance: Provenance?
    let devices: Int
    let widgets: Int
    let hours: Int
    let from: Int
    let seed: UInt64
    let originRate: Int
    let runs: [Run]

    var latencies: [NamedLatency] { [] }

    var compared: [ReportFigure] {
        ReportFigure.all(of: self)
            + runs.flatMap { run in
                ReportFigure.all(of: run.origin, part: "\(run.mode), origin")
                    + run.pushes.sorted { $0.key < $1.key }.map {
                        ReportFigure($0.key, of: "\(run.mode), pushes", count: $0.value)
                    }
                    + ReportFigure.all(of: run.reloads, part: "\(run.mode), reloads")
                    + ReportFigure.all(of: run.scheduled, part: "\(run.mode), scheduled")
            }
    }

    /// For each mode of the first day, the busiest seconds of its minutes.
    static func charts(of runs: [(name: String, report: SimulationSummary)]) -> [Chart] {
        (runs.first?.report.runs ?? []).map { first in
            let minutes = runs.compactMap { name, report in
                report.runs.first { $0.mode == first.mode }.map { (name, $0.origin.peakOfMinutes) }
            }
            return .beside(
                "\(first.mode): requests to the origin in each minute's busiest second",
                unit: "requests/s",
                runs: minutes,
                seconds: 60
            )
        }
    }
}
