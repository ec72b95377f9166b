package import Basics

extension ObjectBody {
    /// A range of the history: points and marks, oldest first, copied on the loop. It does not
    /// reach back further than `startedAt`, when the process began to serve.
    package static func history(
        at date: WallTime,
        startedAt: WallTime,
        points: [HistoryPoint],
        marks: [HistoryMark]
    ) -> ObjectBody {
        ObjectBody { json in
            json.member("at", value: date)
            json.member("startedAt", value: startedAt)
            json.objects("points", of: points) { $0.writeMembers(to: &$1) }
            json.objects("marks", of: marks) { mark, json in
                json.member("at", value: mark.date)
                json.member("event", value: mark.event.name)
            }
        }
    }
}

extension HistoryPoint {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        json.member("at", value: date)
        json.member("length", value: length)
        json.member("pushes", value: counts.pushes)
        json.member("matched", value: counts.matched)
        json.member("reloads", value: counts.reloads)
        json.member("putOff", value: counts.putOff)
        json.member("rejected", value: counts.rejected)
        json.member("ticks", value: counts.ticks)
        json.member("bytesIn", value: counts.receivedBytes)
        json.member("bytesOut", value: counts.sentBytes)
        json.member("publishers", value: Int(levels.publishers))
        json.member("devices", value: Int(levels.devices))
        json.member("gateways", value: Int(levels.gateways))
        json.member("pending", value: Int(levels.pending))
        let latencies = [
            ("pushToAck", latencies.pushToAck),
            ("pushToReload", latencies.pushToReload), ("tick", latencies.tick),
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
