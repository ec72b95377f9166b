internal import Basics
internal import ChangeDetection
internal import ReloadScheduling

/// Reads the members of a kind that say when its widgets reload, and the origins of an app.
extension AppFileParser {
    /// What `longest` is, as a multiple of `wait`, if a debounce does not state it.
    private static var defaultLongestFactor: Int64 { 15 }
    /// The longest time for which an app file may delay a push or a date.
    private static var day: Milliseconds { .days(1) }

    /// Reads a member, at whose value `reader` stands, of a kind that says when its widgets reload.
    /// The path is for errors; `fields` has the names of all payload fields that the kind has named
    /// so far.
    ///
    /// - Throws: what is wrong, and what would be right.
    func policyMember(
        _ name: String,
        from reader: inout JSONReader,
        path: String,
        into policy: inout KindPolicy,
        fields: inout Set<[UInt8]>
    ) throws(AppFileError) {
        switch name {
        // `shows` and `carries` are the former names, which stores and recordings may have.
        case "observes", "shows":
            if !policy.observes.isEmpty {
                throw bothNames(reader, path: path, name: "observes", former: "shows")
            }
            policy.observes = try self.fields(&reader, path: path, addingTo: &fields)
        case "inlines", "carries":
            if !policy.inlines.isEmpty {
                throw bothNames(reader, path: path, name: "inlines", former: "carries")
            }
            policy.inlines = try inlined(&reader, path: path, addingTo: &fields)
        case "newest": policy.newest = try newest(&reader, path: path)
        case "debounce": policy.debounce = try debounce(&reader, path: path)
        case "spread": policy.spread = try spread(&reader, path: path)
        case "atEndFloor":
            policy.atEndFloor = try duration(&reader, path: path, in: .seconds(1)...Self.day)
        case "usesLocation": policy.usesLocation = try boolean(&reader, path: path)
        case "control": policy.isControl = try boolean(&reader, path: path)
        case "budget": policy.budget = try budget(&reader, path: path)
        default:
            throw unknownMember(
                reader,
                path: path,
                known:
                    "kind, match, origin, observes, inlines, newest, debounce, spread, atEndFloor, "
                    + "usesLocation, control and budget"
            )
        }
    }

    // MARK: - Fields

    /// The error for a kind that has a list of fields under both its present and its former name.
    private func bothNames(
        _ reader: borrowing JSONReader,
        path: String,
        name: String,
        former: String
    ) -> AppFileError {
        error(
            at: reader.offset,
            path: path,
            message: "the kind has both \(name) and \(former), its former name; keep \(name)"
        )
    }

    /// Reads a list of payload fields, and adds them to `all`: the fields that the kind has named
    /// so far, at most `KindPolicy.fieldLimit` different ones.
    private func fields(
        _ reader: inout JSONReader,
        path: String,
        addingTo all: inout Set<[UInt8]>
    ) throws(AppFileError) -> [String] {
        let start = reader.offset
        var seen: Set<[UInt8]> = []
        var names: [String] = []
        try forEachElement(&reader, path: path) { (reader, path) throws(AppFileError) in
            let start = reader.offset
            let name = try string(&reader, path: path)
            let bytes = Array(name.utf8)
            if !(1...FieldCatalog.nameByteLimit).contains(bytes.count) {
                throw error(
                    at: start,
                    path: path,
                    message: "the field's name has \(bytes.count) bytes; it must have 1 to "
                        + "\(FieldCatalog.nameByteLimit)"
                )
            }
            if !seen.insert(bytes).inserted {
                throw error(
                    at: start,
                    path: path,
                    message: "the list has the field twice; name it once"
                )
            }
            all.insert(bytes)
            if all.count > KindPolicy.fieldLimit {
                throw error(
                    at: start,
                    path: path,
                    message:
                        "observes and inlines name more than \(KindPolicy.fieldLimit) different fields; "
                        + "together they may name \(KindPolicy.fieldLimit)"
                )
            }
            names.append(name)
        }
        if names.isEmpty {
            throw error(
                at: start,
                path: path,
                message: "the list is empty; name a field, or leave the list out"
            )
        }
        return names
    }

    /// Reads the list of fields whose values RELOAD inlines; together they must fit into a RELOAD.
    private func inlined(
        _ reader: inout JSONReader,
        path: String,
        addingTo all: inout Set<[UInt8]>
    ) throws(AppFileError) -> [String] {
        let start = reader.offset
        let names = try fields(&reader, path: path, addingTo: &all)
        if let problem = FieldCatalog.problem(observes: [], inlines: names) {
            throw error(at: start, path: path, message: problem)
        }
        return names
    }

    /// Reads the name of the field that says how new an update is.
    private func newest(_ reader: inout JSONReader, path: String) throws(AppFileError) -> String {
        let start = reader.offset
        let name = try string(&reader, path: path)
        if (1...FieldCatalog.nameByteLimit).contains(name.utf8.count) { return name }
        throw error(
            at: start,
            path: path,
            message: "the field's name has \(name.utf8.count) bytes; it must have 1 to "
                + "\(FieldCatalog.nameByteLimit)"
        )
    }

    // MARK: - Debounce and spread

    private func debounce(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> DebouncePolicy {
        let start = reader.offset
        var wait: Milliseconds?
        var longest: Milliseconds?
        try members(&reader, path: path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "wait":
                wait = try duration(&reader, path: path, in: .milliseconds(100)...(.hours(1)))
            case "longest":
                longest = try duration(&reader, path: path, in: .milliseconds(100)...Self.day)
            default: throw unknownMember(reader, path: path, known: "wait and longest")
            }
        }
        guard let wait else {
            throw error(
                at: start,
                path: path,
                message: "the debounce has no member wait, in seconds"
            )
        }
        let most = longest ?? wait * Self.defaultLongestFactor
        if most < wait {
            throw error(
                at: start,
                path: path,
                message:
                    "longest is \(Self.seconds(most)) s and wait \(Self.seconds(wait)) s; longest may "
                    + "not be shorter than wait"
            )
        }
        return DebouncePolicy(wait: wait, longest: most)
    }

    private func spread(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> SpreadPolicy {
        var spread = SpreadPolicy()
        if reader.peek() == .string {
            spread.mode = try mode(&reader, path: path)
            return spread
        }
        guard reader.peek() == .object else {
            throw wrongType(
                reader,
                path: path,
                expected: "a mode (\(Self.modes)) or an object of mode and window"
            )
        }
        try members(&reader, path: path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "mode": spread.mode = try mode(&reader, path: path)
            case "window":
                spread.window = try duration(&reader, path: path, in: .seconds(1)...Self.day)
            default: throw unknownMember(reader, path: path, known: "mode and window")
            }
        }
        return spread
    }

    private static var modes: String { quotedList(SpreadPolicy.Mode.allCases.map(\.rawValue)) }

    private func mode(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> SpreadPolicy.Mode {
        let start = reader.offset
        let text = try string(&reader, path: path)
        guard let mode = SpreadPolicy.Mode(rawValue: text) else {
            throw error(
                at: start,
                path: path,
                message: "there is no such mode; it must be \(Self.modes)"
            )
        }
        return mode
    }

    // MARK: - Origins

    /// Reads an element of an app's list of origins.
    func origin(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> OriginDeclaration {
        let start = reader.offset
        var origin: String?
        var perSecond: Int?
        var undelayed: Int?
        try members(&reader, path: path) { (name, reader, path) throws(AppFileError) in
            switch name {
            case "origin": origin = try identifier(&reader, path: path)
            case "perSecond": perSecond = try number(&reader, path: path, in: 1...1_000_000)
            case "undelayed":
                undelayed = try number(&reader, path: path, in: 0...SlotLedger.undelayedLimit)
            default:
                throw unknownMember(reader, path: path, known: "origin, perSecond and undelayed")
            }
        }
        guard let origin else {
            throw error(at: start, path: path, message: "the origin has no member origin, its name")
        }
        guard let perSecond else {
            throw error(
                at: start,
                path: path,
                message:
                    "the origin has no member perSecond, the requests a second that it serves"
            )
        }
        var declaration = OriginDeclaration(origin: origin, perSecond: perSecond)
        if let undelayed { declaration.undelayed = undelayed }
        return declaration
    }
}
