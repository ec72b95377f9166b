internal import ChangeDetection
internal import DataStructures
internal import FrameCodec
internal import ReloadModel
internal import ReloadScheduling
internal import StoreFormat
internal import StrictJSON

/// The records of 64 elements each, by number. Those that say nothing are left out: a page has
/// numbers too that nobody has.
extension StateDump {
    func writeWidgets(
        _ key: TableKey,
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        try elements(WidgetRecord.empty, "widgets", key, &reader, to: &json) { widget in
            widget.stage != .idle || widget.lastReload != 0 || widget.flags != 0
        } write: { widget, json in
            json.member("stage", "\(widget.stage)")
            if widget.stage != .idle {
                json.member("cause", widget.cause.rawValue)
                json.member("rank", "\(widget.rank)")
            }
            json.member("lastReload", widget.lastReload)
            json.member("isUnanswered", widget.has(WidgetRecord.unanswered))
            json.member("isVisible", widget.has(WidgetRecord.visible))
        }
    }

    func writeSchedules(
        _ key: TableKey,
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let empty = WidgetSchedule(budget: ReloadBudget(now: 0, phase: 0))
        try elements(empty, "schedules", key, &reader, to: &json) { schedule in
            schedule.timelineAt != .max || schedule.lastReloadAt != 0
        } write: { schedule, json in
            if schedule.timelineAt != .max { json.member("timelineAt", schedule.timelineAt) }
            if schedule.voidAt != .max { json.member("voidAt", schedule.voidAt) }
            json.member("hasSlot", !schedule.slot.isNone)
            json.member("lastReloadAt", UInt64(schedule.lastReloadAt) * 1_000 / 16)
        }
    }

    func writeDevices(
        _ key: TableKey,
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        try elements(DeviceRecord.empty, "devices", key, &reader, to: &json) { device in
            device.connection != DeviceRecord.none || device.lastReloadAt != 0
        } write: { device, json in
            json.member("session", device.session)
            json.member("lastReloadAt", device.lastReloadAt)
            json.member("isForeground", device.has(DeviceRecord.foreground))
            json.member("media", "\(device.media)")
        }
    }

    func writeFields(
        _ key: TableKey,
        _ reader: inout StoreReader,
        to json: inout JSONWriter
    ) throws(StoreError) {
        let first = try firstNumber(key, reader)
        json.key("widgets")
        json.beginArray()
        try StoredFields.forEach(from: &reader, page: first) { fields in
            json.beginObject()
            json.member("number", fields.widget)
            json.member("shown", fields.shownCount)
            json.member("known", fields.knownCount)
            json.member("owesChange", fields.owesChange)
            json.list("carried") { json in
                for value in fields.carried { json.string(value.string) }
            }
            json.endObject()
        }
        json.endArray()
    }

    // MARK: - Elements

    /// Writes the members of all elements that say something.
    private func elements<Element: StateElement>(
        _ empty: Element,
        _ name: String,
        _ key: TableKey,
        _ reader: inout StoreReader,
        to json: inout JSONWriter,
        where isShown: (Element) -> Bool,
        write: (Element, inout JSONWriter) -> Void
    ) throws(StoreError) {
        let first = try firstNumber(key, reader)
        json.key(name)
        json.beginArray()
        var number = first
        while !reader.isAtEnd {
            if number - first == SlabPages.length { throw reader.corrupt("more than a page has") }
            var element = empty
            try element.read(&reader)
            if isShown(element) {
                json.beginObject()
                json.member("number", number)
                write(element, &json)
                json.endObject()
            }
            number += 1
        }
        json.endArray()
    }

    private func firstNumber(_ key: TableKey, _ reader: StoreReader) throws(StoreError) -> UInt32 {
        if key.number >= SlabPages.limit { throw reader.corrupt("there is no page \(key.number)") }
        return SlabPages.first(of: key.number)
    }
}
