internal import Basics
internal import CaptureFormat

/// Rewrites recorded bodies for a replay: with the names and values of a copy, and with dates moved
/// so that they lie as far in the future as they did when they were recorded.
///
/// A scaled replay plays every producer and device several times. Copy 0 has the recorded names and
/// values. In copy 2 the device `d-1` becomes `d-1~2`, the value `"elf-42"`
/// becomes `"elf-42~2"`, and 42 becomes 2,000,000,000,042.
struct BodyCopier {
    /// The most digits of a number that is changed for a copy; longer ones stay as they are.
    private static var digitLimit: Int { 12 }

    private let apps: [ScaledFields]

    init(_ apps: [AppDeclaration]) {
        self.apps = apps.map { ScaledFields($0) }
    }

    /// What a copy appends to names and values; empty for copy 0.
    static func suffix(_ copy: Int) -> String { copy == 0 ? "" : "~\(copy)" }

    /// Parses a body; nil if it is no JSON object.
    private static func parse(_ body: ByteView) -> [JSONValue.Member]? {
        (try? JSONValue(parsing: body, depthLimit: RouterLimits.jsonDepth))?.members
    }

    private static func bytes(_ members: [JSONValue.Member]) -> [UInt8] {
        Array(JSONValue.object(members).text.utf8)
    }

    // MARK: - Payloads

    /// A payload with the values of a copy; unchanged if it is invalid.
    func payload(_ body: ByteView, app: Int, copy: Int) -> [UInt8] {
        guard let members = Self.parse(body) else { return body.array }
        return Self.bytes(copied(members, at: [], app: apps[app], copy: copy))
    }

    /// The members of the object at a path of a payload.
    private func copied(
        _ members: [JSONValue.Member],
        at path: [String],
        app: ScaledFields,
        copy: Int
    ) -> [JSONValue.Member] {
        members.map { member in
            let path = path + [member.name]
            let isScaled = app.isScaled(path)
            let value = Self.each(member.value) { value in
                if case .object(let members) = value {
                    return .object(copied(members, at: path, app: app, copy: copy))
                }
                return isScaled ? Self.scaled(value, app: app, copy: copy) : value
            }
            return JSONValue.Member(name: member.name, value: value)
        }
    }

    /// The value with each value in its lists, or itself, replaced.
    private static func each(_ value: JSONValue, body: (JSONValue) -> JSONValue) -> JSONValue {
        guard case .list(let values) = value else { return body(value) }
        return .list(values.map { each($0, body: body) })
    }

    /// A string or a whole number as the copy has it: with the suffix, or with 10¹² added for each
    /// copy.
    private static func scaled(_ value: JSONValue, app: ScaledFields, copy: Int) -> JSONValue {
        switch value {
        case .string(let text) where !app.isLiteral(text): return .string(text + suffix(copy))
        case .number(let digits) where digits.utf8.count <= digitLimit:
            guard let number = UInt64(digits) else { return value }
            return .number("\(number + UInt64(copy) * 1_000_000_000_000)")
        default: return value
        }
    }

    // MARK: - Bodies of devices

    /// The body of a copy of a device's frame; unchanged if it is invalid.
    ///
    /// A TIMELINE has its dates moved by `shift`, and lacks the number of the RELOAD that it
    /// answered, which has another number in the replay.
    func deviceBody(
        _ body: ByteView,
        kind: CaptureKind,
        app: Int,
        copy: Int,
        shift: Milliseconds
    ) -> [UInt8] {
        guard var members = Self.parse(body) else { return body.array }
        for index in members.indices {
            let value = members[index].value
            members[index].value =
                switch (members[index].name, kind) {
                case ("device", _), ("devices", .attach): Self.renamed(value, copy: copy)
                case ("widgets", .widgets):
                    Self.each(value) { copied(widget: $0, app: apps[app], copy: copy) }
                case ("entries", .timeline): Self.each(value) { Self.moved($0, by: shift) }
                case ("policy", .timeline):
                    Self.replaced(value, member: "after") { Self.moved($0, by: shift) }
                default: value
                }
        }
        if kind == .timeline { members.removeAll { $0.name == "reload" } }
        return Self.bytes(members)
    }

    /// A device's name, or several, as the copy has them.
    private static func renamed(_ names: JSONValue, copy: Int) -> JSONValue {
        each(names) { name in
            if case .string(let text) = name { .string(text + suffix(copy)) } else { name }
        }
    }

    private static func moved(_ date: JSONValue, by shift: Milliseconds) -> JSONValue {
        guard case .number(let text) = date else { return date }
        return .integer((Int64(text) ?? 0) &+ shift.rawValue)
    }

    /// An object with the value of one member replaced.
    private static func replaced(
        _ object: JSONValue,
        member name: String,
        body: (JSONValue) -> JSONValue
    ) -> JSONValue {
        guard case .object(var members) = object else { return object }
        for index in members.indices where members[index].name == name {
            members[index].value = body(members[index].value)
        }
        return .object(members)
    }

    private func copied(widget: JSONValue, app: ScaledFields, copy: Int) -> JSONValue {
        guard case .string(let kind)? = widget.member("kind") else { return widget }
        return Self.replaced(widget, member: "configuration") { configuration in
            guard case .object(let members) = configuration else { return configuration }
            return .object(
                members.map { member in
                    guard app.isScaled(parameter: member.name, kind: kind) else { return member }
                    let value = Self.each(member.value) {
                        Self.scaled($0, app: app, copy: copy)
                    }
                    return JSONValue.Member(name: member.name, value: value)
                }
            )
        }
    }
}
