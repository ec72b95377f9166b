package import Basics

/// A range of the history: points and marks, copied on the loop.
package struct HistoryBody: AdminBody {
    private let date: WallTime
    private let startedAt: WallTime
    private let points: [HistoryPoint]
    private let marks: [HistoryMark]

    /// - Parameters:
    ///   - date: when the history was copied.
    ///   - startedAt: when the process began to serve; the history does not reach further back.
    ///   - points: oldest first.
    ///   - marks: oldest first.
    package init(
        at date: WallTime,
        startedAt: WallTime,
        points: [HistoryPoint],
        marks: [HistoryMark]
    ) {
        self.date = date
        self.startedAt = startedAt
        self.points = points
        self.marks = marks
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("at", value: date)
            json.member("startedAt", value: startedAt)
            json.objects("points", of: points) { point, json in Self.write(point, to: &json) }
            json.objects("marks", of: marks) { mark, json in
                json.member("at", value: mark.date)
                json.member("event", value: mark.event.name)
            }
        }
    }

    private static func write(_ point: HistoryPoint, to json: inout JSONWriter) {
        json.member("at", value: point.date)
        json.member("length", value: point.length)
        json.member("pushes", value: point.counts.pushes)
        json.member("matched", value: point.counts.matched)
        json.member("reloads", value: point.counts.reloads)
        json.member("putOff", value: point.counts.putOff)
        json.member("rejected", value: point.counts.rejected)
        json.member("ticks", value: point.counts.ticks)
        json.member("bytesIn", value: point.counts.receivedBytes)
        json.member("bytesOut", value: point.counts.sentBytes)
        json.member("publishers", value: Int(point.levels.publishers))
        json.member("devices", value: Int(point.levels.devices))
        json.member("gateways", value: Int(point.levels.gateways))
        json.member("pending", value: Int(point.levels.pending))
        let latencies = [
            ("pushToAck", point.latencies.pushToAck),
            ("pushToReload", point.latencies.pushToReload), ("tick", point.latencies.tick),
        ]
        for (name, latency) in latencies {
            json.object(name, of: latency.isEmpty ? nil : latency) { latency, json in
                json.member("p50", microseconds: latency.p50)
                json.member("p99", microseconds: latency.p99)
                json.member("max", microseconds: latency.longest)
            }
        }
    }
}
