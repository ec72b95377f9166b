package import RouterCore
package import StrictJSON

/// The answer to `POST /v1/slots`: the reload times assigned to the requested dates.
package struct SlotsBody: AdminBody {
    private let dates: [SlotRequest.Date]
    private let slots: [GivenSlot]

    /// - Parameters:
    ///   - dates: the requested dates.
    ///   - slots: the assigned times, one for each date, in the same order.
    package init(_ dates: [SlotRequest.Date], _ slots: [GivenSlot]) {
        self.dates = dates
        self.slots = slots
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("slots", of: zip(dates, slots)) { slot, json in
            json.beginObject()
            json.member("id", slot.0.id)
            json.member("after", slot.0.after)
            json.member("reloadAt", slot.1.reloadAt)
            json.member("slotDelay", slot.1.slotDelay)
            json.endObject()
        }
        json.endObject()
    }
}

/// All origins, each with the numbers of requested and assigned reloads in each of the coming
/// seconds.
package struct OriginsBody: AdminBody {
    private let origins: [OriginFacts]

    package init(_ origins: [OriginFacts]) {
        self.origins = origins
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("origins", of: origins) { origin, json in
            json.beginObject()
            json.member("app", origin.app)
            json.member("origin", origin.origin)
            json.member("perSecond", origin.perSecond)
            json.member("waiting", origin.waiting)
            json.member("held", origin.held)
            json.member("secondsFrom", origin.secondsFrom)
            json.list("asked", of: origin.asked) { count, json in json.integer(Int64(count)) }
            json.list("given", of: origin.given) { count, json in json.integer(Int64(count)) }
            json.endObject()
        }
        json.endObject()
    }
}
