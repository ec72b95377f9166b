package import ReloadModel
package import RouterCore
package import StrictJSON

/// The answer to `POST /v1/slots`: the reload times assigned to the requested dates.
package struct SlotsBody: AdminBody {
    private let dates: [SlotRequest.Date]
    private let slots: [AssignedSlot]

    /// - Parameters:
    ///   - dates: the requested dates.
    ///   - slots: the assigned times, one for each date, in the same order.
    package init(_ dates: [SlotRequest.Date], slots: [AssignedSlot]) {
        assert(slots.count == dates.count, "not every date has a slot, or one has several")
        self.dates = dates
        self.slots = slots
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("slots", of: zip(dates, slots)) { slot, json in
            json.beginObject()
            json.member("id", value: slot.0.id)
            json.member("after", value: slot.0.after)
            json.member("reloadAt", value: slot.1.reloadAt)
            json.member("slotDelay", value: slot.1.slotDelay)
            json.endObject()
        }
        json.endObject()
    }
}

/// A page of the list of origins, each with the numbers of requested and assigned reloads in each
/// of the coming seconds.
package struct OriginsBody: AdminBody {
    private let origins: [OriginView]
    private let next: OriginID?

    /// - Parameters:
    ///   - origins: in the order of their numbers.
    ///   - next: the number after which the next page begins; nil if this is the last page.
    package init(_ origins: [OriginView], next: OriginID?) {
        self.origins = origins
        self.next = next
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("origins", of: origins) { origin, json in
            json.beginObject()
            json.member("app", value: origin.app)
            json.member("origin", value: origin.origin)
            json.member("perSecond", value: origin.perSecond)
            json.member("waiting", value: origin.waiting)
            json.member("held", value: origin.slotCount)
            json.member("secondsFrom", value: origin.secondsFrom)
            json.list("asked", of: origin.requested) { count, json in json.integer(Int64(count)) }
            json.list("given", of: origin.assigned) { count, json in json.integer(Int64(count)) }
            json.endObject()
        }
        json.member("next", value: next?.rawValue)
        json.endObject()
    }
}
