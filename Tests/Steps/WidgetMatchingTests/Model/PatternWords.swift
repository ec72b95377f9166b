import Basics
import EventPatterns

extension EventPattern {
    /// A pattern from fields with dots for nesting: `["place.region": [.parameter("region")]]`.
    init(_ fields: KeyValuePairs<String, [PatternTest]>) {
        self.init(fields.map { path, tests in .at(path, tests) })
    }

    /// A pattern as an app file has it.
    init(_ json: String) throws {
        let bytes = Array(json.utf8)
        self = try bytes.withByteView { text throws(PatternError) in
            try PatternParser.parse(text)
        }
    }

    /// A pattern of conditions that must all hold.
    init(_ conditions: [PatternCondition]) {
        self.init(conditions: conditions)
    }
}

extension PatternCondition {
    /// A field at a path with dots.
    static func at(_ path: String, _ tests: [PatternTest]) -> PatternCondition {
        let names = path.split(separator: ".").map(String.init)
        return names.dropLast().reversed().reduce(.field(names.last ?? "", tests)) {
            .nested($1, EventPattern([$0]))
        }
    }
}

extension PatternTest {
    static func string(_ text: String) -> PatternTest { .equals(.value(.string(text))) }
    static func number(_ text: String) -> PatternTest { .equals(.value(.number(text))) }
    static func boolean(_ value: Bool) -> PatternTest { .equals(.value(.boolean(value))) }
    static var null: PatternTest { .equals(.value(.null)) }
    static func parameter(_ name: String) -> PatternTest { .equals(.parameter(name)) }
}
