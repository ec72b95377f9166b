package import RouterCore
package import StrictJSON

/// A page of the list of producers.
package struct ProducersBody: AdminBody {
    private let producers: [ProducerFacts]
    private let next: UInt32?

    /// - Parameters:
    ///   - producers: in the order of their numbers.
    ///   - next: the number after which the next page begins; nil if this is the last page.
    package init(_ producers: [ProducerFacts], next: UInt32?) {
        self.producers = producers
        self.next = next
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.list("producers", of: producers) { producer, json in
            json.beginObject()
            json.member("app", producer.app)
            json.member("producer", producer.name)
            json.member("lastSeq", producer.lastSeq)
            json.member("usedAt", producer.usedAt)
            json.member("idleFor", producer.idleFor)
            json.member("hasSession", producer.hasSession)
            json.endObject()
        }
        json.member("next", next)
        json.endObject()
    }
}

/// The answer to forgetting a producer.
package struct ForgottenBody: AdminBody {
    private let app: String
    private let producer: String

    package init(app: String, producer: String) {
        self.app = app
        self.producer = producer
    }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("app", app)
        json.member("producer", producer)
        json.member("isForgotten", true)
        json.endObject()
    }
}
