internal import DataStructures
internal import ReloadModel
internal import StrictJSON

extension SimulationReport {
    /// The report as one JSON object: the options, and a run for each mode.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("devices", options.devices)
        writer.member("widgets", widgets)
        writer.member("hours", options.hours)
        writer.member("from", options.firstHour)
        writer.member("seed", options.seed)
        writer.member("start", start)
        writer.member("originRate", originRate)
        writer.list("runs", of: records) { record, writer in write(record, &writer) }
        writer.endObject()
        return writer.bytes + [0x0a]
    }

    private func write(_ record: DayRecord, _ writer: inout JSONWriter) {
        let sums = record.sums
        writer.beginObject()
        writer.member("mode", record.mode.rawValue)
        writeOrigin(record, &writer)
        writer.object("pushes") { writer in
            writer.member("sent", sums.pushes)
            writer.member("matches", sums.matches)
        }
        writer.key("reloads")
        writer.beginObject()
        writer.member("sent", sums.reloads)
        writer.key("causes")
        writer.beginObject()
        for (index, cause) in ReloadCause.allCases.enumerated() {
            writer.member(cause.rawValue, sums.causes[index])
        }
        writer.endObject()
        writer.member("charged", sums.charged)
        writer.member("timelines", sums.timelines)
        writer.member("carried", sums.carried)
        writer.endObject()
        writer.object("scheduled") { writer in
            writer.member("told", sums.scheduled)
            writer.member("meanDelay", meanDelay(record))
            writer.member("longestDelay", sums.longestDelay)
        }
        writer.object("work") { writer in
            writer.member("events", record.work.events)
            writer.member("turns", record.work.turns)
            writer.member("framesSent", record.work.framesSent)
            writer.member("framesReceived", record.work.framesReceived)
            writer.member("connections", record.work.connections)
            writer.member("views", record.work.views)
        }
        writer.list("budgets", of: record.budgets) { use, writer in write(use, &writer) }
        writer.endObject()
    }

    private func writeOrigin(_ record: DayRecord, _ writer: inout JSONWriter) {
        writer.object("origin") { writer in
            writer.member("requests", record.recorded)
            writer.member("peak", record.peak)
            writer.member("peakAt", time(record.busiest))
            writer.member("busiestMinute", record.busiestMinute)
            writer.member("percentile99", record.percentile99)
            writer.member("secondsAboveRate", aboveRate(record))
            writer.list("peakOfMinutes", of: record.minutes) { minute, writer in
                writer.unsigned(UInt64(minute.peak))
            }
            writer.list("requestsOfMinutes", of: record.minutes) { minute, writer in
                writer.unsigned(minute.sum)
            }
        }
    }

    private func write(_ use: BudgetUse, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", use.name)
        writer.member("least", use.least)
        writer.member("allowance", use.allowance)
        writer.member("widgets", use.count)
        writer.member("above", use.above)
        writer.list("widgetsByCharges", of: use.widgets) { count, writer in writer.unsigned(count) }
        writer.endObject()
    }
}
