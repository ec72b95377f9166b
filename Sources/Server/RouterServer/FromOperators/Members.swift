// Made from protocol/admin.table by protocol/admin_swift.py: change that table.
// swift-format-ignore-file
internal import AdminAPI
internal import Basics
internal import RouterCore

extension ListedConnection: AnswerObject {
    /// Writes its members into an open object.
    func writeMembers(to json: inout JSONWriter) {
        json.member("slot", value: view.slot.rawValue)
        json.member("peer", value: peer)
        json.member("role", value: view.role)
        json.member("app", value: view.app)
        json.member("name", value: view.name)
        json.member("openedAt", value: openedAt)
        json.member("lastFrameAt", value: lastFrameAt)
        json.member("inputBytes", value: inputBytes)
        json.member("outputBytes", value: outputBytes)
        json.member("unsentBytes", value: unsentBytes)
        json.member("frames", value: view.frames)
        json.member("unacknowledged", value: view.unacknowledged)
        json.member("devices", value: view.devices)
        json.member("isHeld", value: view.isPaused)
        json.member("isFull", value: isFull)
    }
}

extension ReservedSlot: AnswerObject {
    /// Writes its members into an open object.
    func writeMembers(to json: inout JSONWriter) {
        json.member("id", value: date.id)
        json.member("after", value: date.after)
        json.member("reloadAt", value: slot.reloadAt)
        json.member("slotDelay", value: slot.slotDelay)
    }
}
