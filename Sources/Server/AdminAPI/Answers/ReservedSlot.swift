package import Basics
package import RouterCore

/// A slot that was requested for a date, in the answer to `POST /v1/slots`.
package struct ReservedSlot: ListedEntry {
    /// The name of the list.
    package static var list: String { "slots" }

    private let date: SlotRequest.Date
    private let slot: AssignedSlot

    /// Makes the slot of a date.
    package init(_ date: SlotRequest.Date, slot: AssignedSlot) {
        self.date = date
        self.slot = slot
    }

    /// Writes its members into an open object.
    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", value: date.id)
        json.member("after", value: date.after)
        json.member("reloadAt", value: slot.reloadAt)
        json.member("slotDelay", value: slot.slotDelay)
    }
}
