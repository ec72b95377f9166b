internal import Basics

extension SimulationReport {
    /// The report as one JSON object: the options, and a run for each mode.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("devices", value: options.devices)
        writer.member("widgets", value: widgets)
        writer.member("hours", value: options.hours)
        writer.member("from", value: options.firstHour)
        writer.member("seed", value: options.seed)
        writer.member("start", value: start.rawValue)
        writer.member("originRate", value: originRate)
        writer.list("runs", of: records) { record, writer in write(record, to: &writer) }
        writer.endObject()
        return writer.bytes + [0x0a]
    }

    private func write(_ record: DayRecord, to writer: inout JSONWriter) {
        let sums = record.sums
        writer.beginObject()
        writer.member("mode", value: record.mode.rawValue)
        writeOrigin(record, to: &writer)
        writer.object("pushes") { writer in
            writer.member("sent", value: sums.pushes)
            writer.member("matches", value: sums.matches)
        }
        writer.key("reloads")
        writer.beginObject()
        writer.member("sent", value: sums.reloads)
        writer.key("causes")
        writer.beginObject()
        for (index, cause) in ReloadCause.allCases.enumerated() {
            writer.member(cause.rawValue, value: sums.causes[index])
        }
        writer.endObject()
        writer.member("charged", value: sums.charged)
        writer.member("timelines", value: sums.timelines)
        writer.member("carried", value: sums.inlined)
        writer.endObject()
        writer.object("scheduled") { writer in
            writer.member("told", value: sums.scheduled)
            writer.member("meanDelay", value: meanDelay(record).rawValue)
            writer.member("longestDelay", value: sums.longestDelay.rawValue)
        }
        writer.object("work") { writer in
            writer.member("events", value: record.work.events)
            writer.member("turns", value: record.work.ticks)
            writer.member("framesSent", value: record.work.framesSent)
            writer.member("framesReceived", value: record.work.framesReceived)
            writer.member("connections", value: record.work.connections)
            writer.member("views", value: record.work.views)
        }
        writer.endObject()
    }

    private func writeOrigin(_ record: DayRecord, to writer: inout JSONWriter) {
        writer.object("origin") { writer in
            writer.member("requests", value: record.recorded)
            writer.member("peak", value: record.peak)
            writer.member("peakAt", value: time(record.busiest).rawValue)
            writer.member("busiestMinute", value: record.busiestMinute)
            writer.member("percentile99", value: record.percentile99)
            writer.member("secondsAboveRate", value: aboveRate(record))
            writer.list("peakOfMinutes", of: record.minutes) { minute, writer in
                writer.unsigned(UInt64(minute.peak))
            }
            writer.list("requestsOfMinutes", of: record.minutes) { minute, writer in
                writer.unsigned(minute.sum)
            }
        }
    }
}
