internal import APNsProtocol
internal import Basics
internal import HTTP2

/// The heads of pushes over the connections of a pool.
///
/// What pushes of an app share is written once, and used until there is another provider token.
/// Apple's table for HPACK is small, and what it is to have is said in "Sending notification
/// requests to APNs": neither tokens nor what is new with each push.
struct APNsHeads {
    /// The head of pushes with a topic and a priority.
    private struct Head {
        let type: APNsPushType
        let priority: Int
        let topic: [UInt8]
        var fields = HTTP2Fields()
        let path: HTTP2Fields.Place
        let expiration: HTTP2Fields.Place
        let id: HTTP2Fields.Place

        init(_ push: APNsPush, host: String, authorization: [UInt8]?) {
            type = push.type
            priority = push.type.priority(isUrgent: push.isUrgent)
            topic = push.topic.array
            fields.append(":method", value: "POST")
            fields.append(":scheme", value: "https")
            fields.append(":authority", value: host)
            path = fields.appendPlace(":path")
            if let authorization {
                fields.append("authorization", value: authorization, isLiteral: true)
            }
            fields.append("apns-push-type", value: type.rawValue)
            fields.append("apns-topic", value: topic)
            fields.append("apns-priority", value: String(priority))
            expiration = fields.appendPlace("apns-expiration")
            id = fields.appendPlace("apns-id")
        }

        func isOf(_ push: APNsPush) -> Bool {
            type == push.type && priority == push.type.priority(isUrgent: push.isUrgent)
                && topic.withByteView { $0 == push.topic }
        }

        mutating func fill(with push: APNsPush, text: inout [UInt8]) {
            fields.clearPlaces()
            fields.fill(path, prefix: "/3/device/", value: push.token)
            text.removeAll(keepingCapacity: true)
            text.append(contentsOf: String(push.expiration.rawValue / 1_000).utf8)
            text.withByteView { fields.fill(expiration, value: $0) }
            text.removeAll(keepingCapacity: true)
            push.id.append(to: &text)
            text.withByteView { fields.fill(id, value: $0) }
        }
    }

    private let host: String
    /// The value of the field `authorization`; nil with a client certificate.
    private let authorization: [UInt8]?
    private var heads: ContiguousArray<Head> = []
    /// The index of the head that is replaced next.
    private var next = 0
    /// The memory of a value.
    private var text: [UInt8] = []

    /// The most heads that are kept.
    ///
    /// Beyond: another one takes the place of the oldest, so that pushes cost more while more
    /// topics than these are served in turn.
    private static var limit: Int { 32 }

    /// No heads yet; without a provider token, a client certificate proves who sends.
    init(host: String, token: [UInt8]?) {
        self.host = host
        authorization = token.map { Array("bearer ".utf8) + $0 }
    }

    /// The head of a push, until the next one is asked for.
    mutating func head(of push: APNsPush) -> HTTP2Fields {
        let index = heads.firstIndex { $0.isOf(push) } ?? add(push)
        heads[index].fill(with: push, text: &text)
        return heads[index].fields
    }

    private mutating func add(_ push: APNsPush) -> Int {
        let head = Head(push, host: host, authorization: authorization)
        if heads.count < Self.limit {
            heads.append(head)
            return heads.count - 1
        }
        defer { next = (next + 1) % Self.limit }
        heads[next] = head
        return next
    }
}
