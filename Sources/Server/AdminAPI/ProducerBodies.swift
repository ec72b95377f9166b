package import ReloadModel
package import RouterCore
package import StrictJSON

/// A page of the list of producers.
package struct ProducersBody: AdminBody {
    private let producers: [ProducerView]
    private let next: ProducerID?

    /// - Parameters:
    ///   - producers: in the order of their numbers.
    ///   - next: the number after which the next page begins; nil if this is the last page.
    package init(_ producers: [ProducerView], next: ProducerID?) {
        self.producers = producers
        self.next = next
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("producers", of: producers) { producer, json in
            json.beginObject()
            json.member("app", value: producer.app)
            json.member("producer", value: producer.name)
            json.member("lastSeq", value: producer.lastSeq)
            json.member("usedAt", value: producer.usedAt)
            json.member("idleFor", value: producer.idleFor)
            json.member("hasSession", value: producer.hasSession)
            json.endObject()
        }
        json.member("next", value: next?.rawValue)
        json.endObject()
    }
}

/// The answer to forgetting a producer.
package struct ForgottenBody: AdminBody {
    private let app: String
    private let producer: String

    /// Makes an answer that names the forgotten producer.
    package init(app: String, producer: String) {
        self.app = app
        self.producer = producer
    }

    /// Writes the body as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("app", value: app)
        json.member("producer", value: producer)
        json.member("isForgotten", value: true)
        json.endObject()
    }
}
