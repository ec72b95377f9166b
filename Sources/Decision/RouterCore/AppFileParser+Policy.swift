internal import ChangeDetection
internal import ReloadModel
internal import ReloadScheduling
internal import StrictJSON

/// When a kind's widgets reload.
extension AppFileParser {
    /// How often `wait` goes into `longest` if that is left out.
    private static var defaultWaits: Int64 { 15 }
    /// The longest that a push, or a date, may be put off by the app file: a day, in ms.
    private static var day: Int64 { 86_400_000 }

    /// Reads a member of a kind that says when its widgets reload.
    ///
    /// - Parameters:
    ///   - name: the member's.
    ///   - reader: stands at its value.
    ///   - path: the member's.
    ///   - policy: what is changed.
    ///   - fields: all that the kind has named so far.
    /// - Throws: what is wrong, and what would be right.
    func policyMember(
        _ name: String,
        _ reader: inout JSONReader,
        _ path: String,
        _ policy: inout KindPolicy,
        _ fields: inout Set<[UInt8]>
    ) throws(AppFileError) {
        switch name {
        case "shows": policy.shows = try self.fields(&reader, path, &fields)
        case "carries": policy.carries = try carried(&reader, path, &fields)
        case "debounce": policy.debounce = try debounce(&reader, path)
        case "spread": policy.spread = try spread(&reader, path)
        case "atEndFloor": policy.atEndFloor = try duration(&reader, path, 1_000...Self.day)
        case "usesLocation": policy.usesLocation = try boolean(&reader, path)
        case "budget": policy.budget = try budget(&reader, path)
        default:
            throw unknown(
                reader,
                path,
                "kind, match, origin, shows, carries, debounce, spread, atEndFloor, usesLocation "
                    + "and budget"
            )
        }
    }

    // MARK: - Fields

    private func fields(
        _ reader: inout JSONReader,
        _ path: String,
        _ all: inout Set<[UInt8]>
    ) throws(AppFileError) -> [String] {
        let start = reader.offset
        var seen: Set<[UInt8]> = []
        var names: [String] = []
        try forEachElement(&reader, path) { (reader, path) throws(AppFileError) in
            let start = reader.offset
            let name = try string(&reader, path)
            let bytes = Array(name.utf8)
            if !(1...FieldCatalog.nameByteLimit).contains(bytes.count) {
                throw error(
                    at: start,
                    path,
                    "the field's name has \(bytes.count) bytes; it must have 1 to "
                        + "\(FieldCatalog.nameByteLimit)"
                )
            }
            if !seen.insert(bytes).inserted {
                throw error(at: start, path, "the list has the field twice; name it once")
            }
            all.insert(bytes)
            if all.count > KindPolicy.fieldLimit {
                throw error(
                    at: start,
                    path,
                    "shows and carries name more than \(KindPolicy.fieldLimit) different fields; "
                        + "together they may name \(KindPolicy.fieldLimit)"
                )
            }
            names.append(name)
        }
        if names.isEmpty {
            throw error(at: start, path, "the list is empty; name a field, or leave the list out")
        }
        return names
    }

    private func carried(
        _ reader: inout JSONReader,
        _ path: String,
        _ all: inout Set<[UInt8]>
    ) throws(AppFileError) -> [String] {
        let start = reader.offset
        let names = try fields(&reader, path, &all)
        if let problem = FieldCatalog.problem(shows: [], carries: names) {
            throw error(at: start, path, problem)
        }
        return names
    }

    // MARK: - Debounce and spread

    private func debounce(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> DebouncePolicy {
        let start = reader.offset
        var wait: Int64?
        var longest: Int64?
        try members(&reader, path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "wait": wait = try duration(&reader, path, 100...3_600_000)
            case "longest": longest = try duration(&reader, path, 100...Self.day)
            default: throw unknown(reader, path, "wait and longest")
            }
        }
        guard let wait else {
            throw error(at: start, path, "the debounce has no member wait, in seconds")
        }
        let most = longest ?? wait * Self.defaultWaits
        if most < wait {
            throw error(
                at: start,
                path,
                "longest is \(Self.seconds(most)) s and wait \(Self.seconds(wait)) s; longest may "
                    + "not be shorter than wait"
            )
        }
        return DebouncePolicy(wait: wait, longest: most)
    }

    private func spread(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> SpreadPolicy {
        var spread = SpreadPolicy()
        if reader.peek() == .string {
            spread.mode = try mode(&reader, path)
            return spread
        }
        guard reader.peek() == .object else {
            throw wrong(reader, path, "a mode (\(Self.modes)) or an object of mode and window")
        }
        try members(&reader, path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "mode": spread.mode = try mode(&reader, path)
            case "window": spread.window = try duration(&reader, path, 1_000...Self.day)
            default: throw unknown(reader, path, "mode and window")
            }
        }
        return spread
    }

    private static var modes: String { quotedList(SpreadPolicy.Mode.allCases.map(\.rawValue)) }

    private func mode(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> SpreadPolicy.Mode {
        let start = reader.offset
        let text = try string(&reader, path)
        guard let mode = SpreadPolicy.Mode(rawValue: text) else {
            throw error(at: start, path, "there is no such mode; it must be \(Self.modes)")
        }
        return mode
    }

    // MARK: - Origins

    func origin(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> OriginDeclaration {
        let start = reader.offset
        var origin: String?
        var perSecond: Int?
        var undelayed: Int?
        try members(&reader, path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "origin": origin = try identifier(&reader, path)
            case "perSecond": perSecond = try number(&reader, path, 1...1_000_000)
            case "undelayed":
                undelayed = try number(&reader, path, 0...SlotLedger.undelayedLimit)
            default: throw unknown(reader, path, "origin, perSecond and undelayed")
            }
        }
        guard let origin else {
            throw error(at: start, path, "the origin has no member origin, its name")
        }
        guard let perSecond else {
            throw error(
                at: start,
                path,
                "the origin has no member perSecond, the requests that it takes in a second"
            )
        }
        var declaration = OriginDeclaration(origin: origin, perSecond: perSecond)
        if let undelayed { declaration.undelayed = undelayed }
        return declaration
    }
}
