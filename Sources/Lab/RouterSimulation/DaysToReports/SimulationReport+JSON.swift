internal import Basics
internal import LoadReporting

extension SimulationReport {
    /// The report as one JSON object: where it is from, the options, and a run for each mode.
    package var json: [UInt8] {
        let bytes = JSONWriter.object { json in
            if let provenance { write(provenance, to: &json) }
            json.member("devices", value: options.devices)
            json.member("widgets", value: widgets)
            json.member("hours", value: options.hours)
            json.member("from", value: options.firstHour)
            json.member("seed", value: options.seed)
            json.member("start", value: start.rawValue)
            json.member("originRate", value: originRate)
            json.list("runs", of: records) { record, json in
                json.object { json in write(record, to: &json) }
            }
        }
        return bytes + [0x0a]
    }

    private func write(_ provenance: Provenance, to json: inout JSONWriter) {
        json.object("provenance") { json in
            json.member("date", value: provenance.date)
            json.member("version", value: provenance.version)
            json.object("machine") { json in
                json.member("processor", value: provenance.machine.processor)
                json.member("cores", value: provenance.machine.cores)
                json.member("memoryBytes", value: provenance.machine.memoryBytes)
                json.member("system", value: provenance.machine.system)
            }
            json.member("command", value: provenance.command)
        }
    }

    private func write(_ record: DayRecord, to json: inout JSONWriter) {
        let sums = record.sums
        json.member("mode", value: record.mode.rawValue)
        json.object("origin") { json in
            json.member("requests", value: record.recorded)
            json.member("peak", value: record.peak)
            json.member("peakAt", value: time(record.busiest).rawValue)
            json.member("busiestMinute", value: record.busiestMinute)
            json.member("percentile99", value: record.percentile99)
            json.member("secondsAboveRate", value: aboveRate(record))
            json.list("peakOfMinutes", of: record.minutes) { minute, json in
                json.unsigned(UInt64(minute.peak))
            }
            json.list("requestsOfMinutes", of: record.minutes) { minute, json in
                json.unsigned(minute.sum)
            }
        }
        json.object("pushes") { json in
            json.member("sent", value: sums.pushes)
            json.member("matches", value: sums.matches)
        }
        json.object("reloads") { json in
            json.member("sent", value: sums.reloads)
            json.object("causes") { json in
                for (index, cause) in ReloadCause.allCases.enumerated() {
                    json.member(cause.rawValue, value: sums.causes[index])
                }
            }
            json.member("charged", value: sums.charged)
            json.member("timelines", value: sums.timelines)
            json.member("carried", value: sums.inlined)
        }
        json.object("scheduled") { json in
            json.member("told", value: sums.scheduled)
            json.member("meanDelay", value: meanDelay(record).rawValue)
            json.member("longestDelay", value: sums.longestDelay.rawValue)
        }
        json.object("work") { json in
            json.member("events", value: record.work.events)
            json.member("turns", value: record.work.ticks)
            json.member("framesSent", value: record.work.framesSent)
            json.member("framesReceived", value: record.work.framesReceived)
            json.member("connections", value: record.work.connections)
            json.member("views", value: record.work.views)
        }
    }
}
