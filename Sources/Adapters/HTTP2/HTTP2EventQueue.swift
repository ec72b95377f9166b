/// The events of a session that its owner has not asked for, in order.
struct HTTP2EventQueue {
    private var events: ContiguousArray<HTTP2Event> = []
    private var head = 0

    mutating func append(_ event: HTTP2Event) { events.append(event) }

    mutating func removeFirst() -> HTTP2Event? {
        if head == events.count {
            events.removeAll(keepingCapacity: true)
            head = 0
            return nil
        }
        head += 1
        return events[head - 1]
    }
}
