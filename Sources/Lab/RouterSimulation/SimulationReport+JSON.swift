internal import ByteStorage
internal import ReloadModel
internal import StrictJSON

extension SimulationReport {
    /// One object: the options, and a run for each mode.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.integer("devices", Int64(options.devices))
        writer.unsigned("widgets", widgets)
        writer.integer("hours", Int64(options.hours))
        writer.integer("from", Int64(options.firstHour))
        writer.unsigned("seed", options.seed)
        writer.integer("start", start)
        writer.integer("originRate", Int64(originRate))
        writer.key("runs")
        writer.beginArray()
        for record in records { write(record, &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes + [0x0a]
    }

    private func write(_ record: DayRecord, _ writer: inout JSONWriter) {
        let sums = record.sums
        writer.beginObject()
        writer.member("mode", record.mode.rawValue)
        writeOrigin(record, &writer)
        writer.key("pushes")
        writer.beginObject()
        writer.unsigned("sent", sums.pushes)
        writer.unsigned("matches", sums.matches)
        writer.endObject()
        writer.key("reloads")
        writer.beginObject()
        writer.unsigned("sent", sums.reloads)
        writer.key("causes")
        writer.beginObject()
        for (index, cause) in ReloadCause.allCases.enumerated() {
            writer.unsigned(cause.rawValue, sums.causes[index])
        }
        writer.endObject()
        writer.unsigned("charged", sums.charged)
        writer.unsigned("timelines", sums.timelines)
        writer.unsigned("carried", sums.carried)
        writer.endObject()
        writer.key("scheduled")
        writer.beginObject()
        writer.unsigned("told", sums.scheduled)
        writer.integer("meanDelay", meanDelay(record))
        writer.integer("longestDelay", sums.longestDelay)
        writer.endObject()
        writer.key("work")
        writer.beginObject()
        writer.unsigned("events", record.work.events)
        writer.unsigned("turns", record.work.turns)
        writer.unsigned("framesSent", record.work.framesSent)
        writer.unsigned("framesReceived", record.work.framesReceived)
        writer.unsigned("connections", record.work.connections)
        writer.unsigned("views", record.work.views)
        writer.endObject()
        writer.key("budgets")
        writer.beginArray()
        for use in record.budgets { write(use, &writer) }
        writer.endArray()
        writer.endObject()
    }

    private func writeOrigin(_ record: DayRecord, _ writer: inout JSONWriter) {
        writer.key("origin")
        writer.beginObject()
        writer.unsigned("requests", record.recorded)
        writer.unsigned("peak", UInt64(record.peak))
        writer.integer("peakAt", time(record.busiest))
        writer.unsigned("busiestMinute", record.busiestMinute)
        writer.unsigned("percentile99", UInt64(record.percentile99))
        writer.unsigned("secondsAboveRate", aboveRate(record))
        writer.key("peakOfMinutes")
        writer.beginArray()
        for minute in record.minutes { writer.unsigned(UInt64(minute.peak)) }
        writer.endArray()
        writer.key("requestsOfMinutes")
        writer.beginArray()
        for minute in record.minutes { writer.unsigned(minute.sum) }
        writer.endArray()
        writer.endObject()
    }

    private func write(_ use: BudgetUse, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", use.name)
        writer.integer("least", Int64(use.least))
        writer.integer("allowance", Int64(use.allowance))
        writer.unsigned("widgets", use.count)
        writer.unsigned("above", use.above)
        writer.key("widgetsByCharges")
        writer.beginArray()
        for count in use.widgets { writer.unsigned(count) }
        writer.endArray()
        writer.endObject()
    }
}

extension JSONWriter {
    fileprivate mutating func integer(_ name: String, _ value: Int64) {
        member(name, value)
    }

    fileprivate mutating func unsigned(_ name: String, _ value: UInt64) {
        member(name, value)
    }
}
