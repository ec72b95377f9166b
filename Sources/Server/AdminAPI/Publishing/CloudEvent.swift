internal import Basics

/// An event of CloudEvents 1.0: its data, with what its attributes say beside it, is a payload, and
/// its source and id name it among all events.
///
///     data      {"character":"elf-42"}
///     payload   {"character":"elf-42","type":"t","source":"/s","$event":{"type":"t",…}}
///               └───────────────────────────────────────────┘
///                 content: what a request with a key is compared by
struct CloudEvent: Equatable {
    /// The media type of one event with its data.
    static var structuredType: String { "application/cloudevents+json" }
    /// The media type of a list of events with their data.
    static var batchType: String { "application/cloudevents-batch+json" }
    /// The longest attribute that an event needs, in bytes.
    static var attributeLimit: Int { 1_024 }
    /// The most bytes of an event besides its data, in structured mode.
    static var surroundLimit: Int { 64 << 10 }
    /// The member of the payload that has the attributes.
    static var member: String { "$event" }

    /// What an event is called: no other event has the same name.
    struct Name: Equatable {
        var source: String
        var id: String

        /// Stands for an event of a batch that has no name, because it was refused.
        static var ofRefused: Name { Name(source: "", id: "") }
    }

    /// What has happened, by the attributes that are members of the payload as well.
    struct Attributes: Equatable {
        /// An attribute that CloudEvents itself does not define.
        struct Extension: Equatable {
            var name: String
            /// Its value as text: that of a number or a boolean as a header has it.
            var value: String
        }

        var name: Name
        var type: String
        var subject: String?
        /// Those that the sender has added, by their names.
        var extensions: [Extension] = []

        /// The attributes that are members by their own names.
        fileprivate var members: [(name: String, value: String)] {
            [("type", type), ("source", name.source)] + (subject.map { [("subject", $0)] } ?? [])
        }
    }

    /// Stands for what an event of a batch says that was refused, so that its place is known.
    static var contentOfRefused: [UInt8] { Array("no event".utf8) }

    /// Its name.
    var name: Name
    /// The text of its data with that of its attributes; not yet validated as a payload.
    var payload: [UInt8]
    /// The bytes of the payload before the member `$event`, without the brace that would end it.
    private var contentCount: Int

    /// What it says, without attributes that another delivery of it may have with other values,
    /// such as that of a trace.
    var content: [UInt8] {
        contentCount == payload.count ? payload : payload[..<contentCount] + [0x7d]
    }

    /// Makes a payload of data and attributes. The attributes are members of `$event`. Type, source
    /// and subject are members by their own names as well, unless the data has members of these
    /// names: a rule finds widgets by an event's `type` as by any other member. Data that is no
    /// JSON object is the payload itself, and is refused as every payload is.
    ///
    /// - Throws: `event-invalid` if the data has a member `$event`.
    init(_ attributes: Attributes, data: [UInt8]) throws(AdminProblem) {
        name = attributes.name
        payload = data
        contentCount = data.count
        guard let names = Self.memberNames(of: data), let end = data.lastIndex(of: 0x7d) else {
            return
        }
        if names.contains(Self.member) {
            throw Self.invalid("its data has a member \(Self.member), which is for its attributes")
        }
        payload = Array(data[..<end])
        var isEmpty = names.isEmpty
        func add(_ members: [UInt8]) {
            if !isEmpty { payload.append(0x2c) }
            isEmpty = false
            payload += members.dropFirst().dropLast()
        }
        let missing = attributes.members.filter { !names.contains($0.name) }
        if !missing.isEmpty {
            add(
                JSONWriter.object { json in
                    for (name, value) in missing { json.member(name, value: value) }
                }
            )
        }
        contentCount = payload.count
        add(
            JSONWriter.object { json in
                json.object(Self.member) { json in
                    for (name, value) in attributes.members { json.member(name, value: value) }
                    for each in attributes.extensions { json.member(each.name, value: each.value) }
                }
            }
        )
        payload.append(0x7d)
    }

    /// The names of the members of data; nil if it is no object that is accepted.
    private static func memberNames(of data: [UInt8]) -> [String]? {
        data.withByteView { data in
            var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
            guard (try? validateJSON(data, using: &scanner)) != nil else { return nil }
            var reader = JSONReader(data)
            reader.enterObject()
            var names: [String] = []
            while let key = reader.nextKey() {
                names.append(key.string)
                reader.skipValue()
            }
            return names
        }
    }

    /// The refusal of what is no event.
    static func invalid(_ detail: String) -> AdminProblem {
        AdminProblem(400, code: "event-invalid", detail: detail)
    }
}
