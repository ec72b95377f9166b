internal import Basics
package import Foundation

// Scenarios are read strictly: an unknown member is an error, so that a misspelt one is not
// ignored.

extension FleetScenario: Decodable {
    /// Reads and checks a scenario.
    ///
    /// - Throws: `ScenarioError` with the location of the problem, such as `pushes[0].perSecond`.
    package init(json: Data) throws(ScenarioError) {
        try Self.validate(Array(json))
        do {
            self = try JSONDecoder().decode(FleetScenario.self, from: json)
        } catch let error as ScenarioError {
            throw error
        } catch let error as DecodingError {
            throw ScenarioError(error)
        } catch {
            throw ScenarioError("", problem: "\(error)")
        }
        try check()
    }

    /// Checks that the text is JSON. Unlike the decoder, this reports line and column of an error.
    private static func validate(_ json: [UInt8]) throws(ScenarioError) {
        var scanner = JSONScanner(depthLimit: RouterLimits.jsonDepth)
        do throws(JSONError) {
            try json.withByteView { bytes throws(JSONError) in
                try validateJSON(bytes, using: &scanner)
            }
        } catch {
            let location = json.withByteView { sourcePosition(of: error.offset, in: $0) }
            throw ScenarioError(
                "line \(location.line), column \(location.column)",
                problem: error.sentence
            )
        }
    }

    /// Decodes the members of the scenario; `check` examines their values.
    package init(from decoder: any Decoder) throws {
        let object = try StrictObject(decoder)
        name = try object.required("name")
        app = try object.required("app")
        apps = try object.optional("apps")
        bundle = try object.required("bundle")
        devices = try object.required("devices")
        seconds = try object.required("seconds")
        ramp = try object.optional("ramp")
        values = try object.optional("values") ?? [:]
        widgets = try object.required("widgets")
        habits = try object.optional("habits") ?? HabitPlan()
        pushes = try object.optional("pushes") ?? []
        origin = try object.optional("origin") ?? OriginPlan()
        system = try object.optional("system") ?? SystemPlan()
        apns = try object.optional("apns") ?? APNsPlan()
        try object.finish()
    }
}

extension ValuePool: Decodable {
    /// Decodes `["a","b"]`, `{"prefix":"elf-","count":500}` or `{"from":1,"to":99}`.
    package init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            self = .texts(try [String](from: decoder))
            return
        }
        let object = try StrictObject(decoder)
        if let prefix: String = try object.optional("prefix") {
            self = .numbered(prefix: prefix, count: try object.required("count"))
        } else {
            let from: Int64 = try object.required("from")
            let to: Int64 = try object.required("to")
            if from > to { throw object.problem("\"from\" is \(from), above \"to\", \(to)") }
            self = .integers(from...to)
        }
        try object.finish()
    }
}

extension WidgetPlan: Decodable {
    /// Decodes a widget; by default all devices have it, in the smallest size on the first page.
    package init(from decoder: any Decoder) throws {
        let object = try StrictObject(decoder)
        id = try object.optional("id")
        kind = try object.required("kind")
        family = try object.optional("family") ?? "systemSmall"
        share = try object.optional("share") ?? 1
        page = try object.optional("page") ?? 0
        configuration = try object.optional("configuration") ?? [:]
        try object.finish()
    }
}

extension HabitPlan: Decodable {
    /// Decodes the habits; an activity that is missing never occurs.
    package init(from decoder: any Decoder) throws {
        let object = try StrictObject(decoder)
        looks = try object.optional("looks") ?? Activity()
        foreground = try object.optional("foreground") ?? Activity()
        audio = try object.optional("audio") ?? Activity()
        offline = try object.optional("offline") ?? Activity()
        movesPerHour = try object.optional("movesPerHour") ?? 0
        breaksPerHour = try object.optional("breaksPerHour") ?? 0
        try object.finish()
    }
}

extension HabitPlan.Activity: Decodable {
    /// Decodes `{"perHour":6,"seconds":30}`.
    package init(from decoder: any Decoder) throws {
        let object = try StrictObject(decoder)
        perHour = try object.required("perHour")
        seconds = try object.optional("seconds") ?? 30
        try object.finish()
    }
}

extension PushPlan: Decodable {
    /// Decodes a series of pushes; by default it begins at once, and no push is urgent.
    package init(from decoder: any Decoder) throws {
        let object = try StrictObject(decoder)
        from = try object.optional("from") ?? 0
        to = try object.optional("to")
        perSecond = try object.optional("perSecond") ?? 0
        count = try object.optional("count") ?? 0
        payload = try object.required("payload")
        urgentPercent = try object.optional("urgentPercent") ?? 0
        expires = try object.optional("expires")
        concerns = try object.optional("concerns")
        try object.finish()
    }
}

extension PushPlan.Concern: Decodable {
    /// Decodes `{"kind":…,"by":…}`; without `by`, all widgets of the kind.
    package init(from decoder: any Decoder) throws {
        let object = try StrictObject(decoder)
        kind = try object.required("kind")
        by = try object.optional("by")
        try object.finish()
    }
}

extension OriginPlan: Decodable {
    /// Decodes the origin; by default it has no limit, a latency of 20 ms and no resources.
    package init(from decoder: any Decoder) throws {
        let object = try StrictObject(decoder)
        capacity = try object.optional("capacity")
        queue = try object.optional("queue")
        latency = try object.optional("latency") ?? 20
        url = try object.optional("url")
        pools = try object.optional("pools") ?? [:]
        try object.finish()
    }
}

extension OriginPlan.Field: Decodable {
    /// Decodes `[LEAST,MOST]` or `{"secondsAfterRamp":60}`.
    package init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            let range = try placed(decoder.codingPath) { try [Int64](from: decoder) }
            guard range.count == 2, range[0] <= range[1] else {
                let location = ScenarioError.location(of: decoder.codingPath)
                throw ScenarioError(location, problem: "it must be [LEAST, MOST]")
            }
            self = .number(range[0]...range[1])
            return
        }
        let object = try StrictObject(decoder)
        self = .secondsAfterRamp(try object.required("secondsAfterRamp"))
        try object.finish()
    }
}

extension SystemPlan: Decodable {
    /// Decodes the system; by default the router reloads at dates, and memory is 30 MB.
    package init(from decoder: any Decoder) throws {
        let object = try StrictObject(decoder)
        timer = try object.optional("timer") ?? "router"
        budget = try object.optional("budget") ?? "widget"
        extensionMegabytes = try object.optional("extensionMegabytes") ?? 30
        try object.finish()
    }
}

extension APNsPlan: Decodable {
    /// Decodes what becomes of pushes; by default they take 100 ms, and no device is gone.
    package init(from decoder: any Decoder) throws {
        let object = try StrictObject(decoder)
        delay = try object.optional("delay") ?? 100
        deadPercent = try object.optional("deadPercent") ?? 0
        try object.finish()
    }
}

/// The members of a JSON object; `finish` throws if there are members that were not read.
private final class StrictObject {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let container: KeyedDecodingContainer<Key>
    private var known: Set<String> = []

    init(_ decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: Key.self)
    }

    func required<Value: Decodable>(_ name: String) throws -> Value {
        known.insert(name)
        let key = Key(stringValue: name)
        return try placed(container.codingPath + [key]) {
            try container.decode(Value.self, forKey: key)
        }
    }

    func optional<Value: Decodable>(_ name: String) throws -> Value? {
        known.insert(name)
        let key = Key(stringValue: name)
        return try placed(container.codingPath + [key]) {
            try container.decodeIfPresent(Value.self, forKey: key)
        }
    }

    /// - Throws: `ScenarioError` if there are other members.
    func finish() throws {
        let unknown = container.allKeys.map(\.stringValue).filter { !known.contains($0) }.min()
        guard let unknown else { return }
        let names = known.sorted().joined(separator: ", ")
        throw problem(
            "there is no member \"\(unknown)\"; there are \(names)"
                + Spelling.hint(for: unknown, among: known.sorted())
        )
    }

    func problem(_ text: String) -> ScenarioError {
        ScenarioError(ScenarioError.location(of: container.codingPath), problem: text)
    }
}

/// Calls `body`, which decodes a value. If a number does not fit its type, the decoder's error has
/// no location, so an error with the location replaces it.
private func placed<Value>(_ path: [any CodingKey], body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch  where !(error is DecodingError) && !(error is ScenarioError) {
        let location = ScenarioError.location(of: path)
        throw ScenarioError(
            location,
            problem: "the number is too large, or is not whole where it must be"
        )
    }
}

extension ScenarioError {
    fileprivate init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(
                Self.location(of: context.codingPath),
                problem: "\"\(key.stringValue)\" is missing"
            )
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            self.init(Self.location(of: context.codingPath), problem: context.debugDescription)
        @unknown default: self.init("", problem: "\(error)")
        }
    }

    /// A location as text, such as `pushes[0].payload`.
    fileprivate static func location(of path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
