internal import Basics
internal import ChangeDetection
internal import FrameCodec
internal import ReloadScheduling
internal import StoreFormat

/// Records of 64 elements each, which are listed with their numbers. Elements with nothing to show
/// are left out; some numbers of a page may belong to no element.
extension StateDump {
    mutating func writeWidgets() throws(StoreError) {
        try elements("widgets", filling: WidgetRecord.empty) { widget in
            widget.stage != .idle || widget.lastReload != 0 || widget.flags != 0
        } write: { widget, json in
            json.member("stage", value: widget.stage.name)
            if widget.stage != .idle {
                json.member("cause", value: widget.cause.rawValue)
                json.member("rank", value: "\(widget.rank)")
            }
            json.member("lastReload", value: widget.lastReload)
            json.member("isUnanswered", value: widget.has(WidgetRecord.unanswered))
            json.member("isVisible", value: widget.has(WidgetRecord.visible))
        }
    }

    mutating func writeSchedules() throws(StoreError) {
        let empty = WidgetSchedule(budget: ReloadBudget(now: .zero, phase: .zero))
        try elements("schedules", filling: empty) { schedule in
            schedule.timelineAt != .max || schedule.lastReloadAt != 0
        } write: { schedule, json in
            if schedule.timelineAt != .max { json.member("timelineAt", value: schedule.timelineAt) }
            if schedule.expiresAt != .max { json.member("voidAt", value: schedule.expiresAt) }
            json.member("hasSlot", value: !schedule.slot.isNone)
            json.member("lastReloadAt", value: schedule.lastReloadOfFirstPeriod)
        }
    }

    mutating func writePushes() throws(StoreError) {
        try elements("pushes", filling: APNsRecord.empty) { push in
            push.number != 0 || push.flags != 0
        } write: { push, json in
            json.member("lastPush", value: push.number)
            json.member("settled", value: push.settled)
            json.member("pausedUntil", value: push.pausedUntil)
            json.member("registeredAt", value: push.registeredAt)
            json.member("isTokenDead", value: push.isTokenDead)
            json.member("channel", value: "\(push.channel)")
            if push.trial != 0 {
                json.member("isEnvironmentCorrected", value: push.trial & APNsRecord.corrected != 0)
            }
            if push.tokenEnd.hasEnded {
                json.member("tokenEnd", value: push.tokenEnd.number)
                json.member("deadSince", value: push.tokenEnd.since)
            }
        }
    }

    mutating func writeDevices() throws(StoreError) {
        try elements("devices", filling: DeviceRecord.empty) { device in
            !device.connection.isNone || device.lastReloadAt != .zero || device.heardAt != 0
        } write: { device, json in
            json.member("session", value: device.session)
            json.member("lastReloadAt", value: device.lastReloadAt)
            json.member("heardAt", value: device.heardAt)
            json.member("isForeground", value: device.has(DeviceRecord.foreground))
            json.member("media", value: "\(device.media)")
        }
    }

    mutating func writeFields() throws(StoreError) {
        let first = try firstNumber()
        var found: [StoredFields] = []
        try StoredFields.forEach(from: &reader, page: first) { found.append($0) }
        json.list("widgets", of: found) { fields, json in
            json.object { json in
                json.member("number", value: fields.widget.rawValue)
                json.member("shown", value: fields.observedCount)
                json.member("known", value: fields.knownCount)
                if fields.keyCount > 0 { json.member("keys", value: fields.keyCount) }
                json.member("owesChange", value: fields.nextPushIsChange)
                json.list("carried", of: fields.inlined.map(\.string))
            }
        }
    }

    mutating func writeRequestKeys() throws(StoreError) {
        try elements("requestKeys", filling: RequestKeyTable.Entry.empty) { entry in
            entry.accepted > 0
        } write: { entry, json in
            json.member("key", value: entry.key.text)
            json.member("lines", value: entry.lines)
            json.member("accepted", value: entry.accepted)
            json.member("matched", value: entry.matched)
            json.member("isAnswered", value: entry.isAnswered)
            json.member("since", value: entry.since.rawValue)
        }
    }

    // MARK: - Elements

    /// Writes all elements of a page for which `isShown` is true.
    private mutating func elements<Element: StateElement>(
        _ name: String,
        filling empty: Element,
        where isShown: (Element) -> Bool,
        write: (Element, inout JSONWriter) -> Void
    ) throws(StoreError) {
        let first = try firstNumber()
        json.key(name)
        json.beginArray()
        var number = first
        while !reader.isAtEnd {
            if number - first == SlabPages.length { throw reader.corrupt("more than a page has") }
            var element = empty
            try element.read(&reader)
            if isShown(element) {
                json.object { json in
                    json.member("number", value: number)
                    write(element, &json)
                }
            }
            number += 1
        }
        json.endArray()
    }

    private func firstNumber() throws(StoreError) -> UInt32 {
        if key.number >= SlabPages.limit { throw reader.corrupt("there is no page \(key.number)") }
        return SlabPages.first(of: key.number)
    }
}
