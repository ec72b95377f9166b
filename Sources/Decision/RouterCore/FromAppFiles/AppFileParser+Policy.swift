internal import Basics
internal import ChangeDetection
internal import ReloadScheduling

/// Reads the members of a kind that say when its widgets reload, and the origins of an app.
extension AppFileParser {
    /// What `longest` is, as a multiple of `wait`, if a debounce does not state it.
    private static var defaultLongestFactor: Int64 { 15 }
    /// The longest time for which an app file may delay a push or a date.
    private static var day: Milliseconds { .days(1) }

    /// Reads a member of a kind that says when its widgets reload; `all` has the names of all
    /// payload fields that the kind has named so far.
    ///
    /// - Throws: what is wrong, and what would be right.
    func policyMember(
        _ name: String,
        into policy: inout KindPolicy,
        fields all: inout Set<[UInt8]>
    ) throws(AppFileError) {
        switch name {
        // `shows` and `carries` are the former names, which stores and recordings may have.
        case "observes", "shows":
            if !policy.observes.isEmpty { throw bothNames("observes", former: "shows") }
            policy.observes = try fields(addingTo: &all)
        case "inlines", "carries":
            if !policy.inlines.isEmpty { throw bothNames("inlines", former: "carries") }
            policy.inlines = try fields(addingTo: &all)
            // The values must fit into a RELOAD together.
            if let problem = FieldCatalog.problem(observes: [], inlines: policy.inlines) {
                throw mistake(problem)
            }
        case "newest": policy.newest = try fieldName()
        case "debounce": policy.debounce = try debounce()
        case "spread": policy.spread = try spread()
        case "atEndFloor": policy.atEndFloor = try duration(in: .seconds(1)...Self.day)
        case "usesLocation": policy.usesLocation = try boolean()
        case "control": policy.isControl = try boolean()
        case "budget": policy.budget = try budget()
        default:
            throw unknownMember(
                known: "kind, match, origin, observes, inlines, newest, debounce, spread, "
                    + "atEndFloor, usesLocation, control and budget"
            )
        }
    }

    // MARK: - Fields

    /// The error for a kind that has a list of fields under both its present and its former name.
    private func bothNames(_ name: String, former: String) -> AppFileError {
        mistake("the kind has both \(name) and \(former), its former name; keep \(name)")
    }

    /// Reads a list of payload fields, and adds them to `all`: the fields that the kind has named
    /// so far, at most `KindPolicy.fieldLimit` different ones.
    private func fields(addingTo all: inout Set<[UInt8]>) throws(AppFileError) -> [String] {
        var seen: Set<[UInt8]> = []
        let names = try elements { () throws(AppFileError) -> String in
            let name = try fieldName()
            let bytes = Array(name.utf8)
            if !seen.insert(bytes).inserted {
                throw mistake("the list has the field twice; name it once")
            }
            all.insert(bytes)
            if all.count > KindPolicy.fieldLimit {
                throw mistake(
                    "observes and inlines name more than \(KindPolicy.fieldLimit) different "
                        + "fields; together they may name \(KindPolicy.fieldLimit)"
                )
            }
            return name
        }
        if names.isEmpty {
            throw mistake("the list is empty; name a field, or leave the list out")
        }
        return names
    }

    private func fieldName() throws(AppFileError) -> String {
        let name = try string()
        if (1...FieldCatalog.nameByteLimit).contains(name.utf8.count) { return name }
        throw mistake(
            "the field's name has \(name.utf8.count) bytes; it must have 1 to "
                + "\(FieldCatalog.nameByteLimit)"
        )
    }

    // MARK: - Debounce and spread

    private func debounce() throws(AppFileError) -> DebouncePolicy {
        var wait: Milliseconds?
        var longest: Milliseconds?
        try members { (name) throws(AppFileError) in
            switch name {
            case "wait": wait = try duration(in: .milliseconds(100)...(.hours(1)))
            case "longest": longest = try duration(in: .milliseconds(100)...Self.day)
            default: throw unknownMember(known: "wait and longest")
            }
        }
        guard let wait else { throw mistake("the debounce has no member wait, in seconds") }
        let most = longest ?? wait * Self.defaultLongestFactor
        if most < wait {
            throw mistake(
                "longest is \(Self.seconds(most)) s and wait \(Self.seconds(wait)) s; longest may "
                    + "not be shorter than wait"
            )
        }
        return DebouncePolicy(wait: wait, longest: most)
    }

    private func spread() throws(AppFileError) -> SpreadPolicy {
        var spread = SpreadPolicy()
        if reader.peek() == .string {
            spread.mode = try mode()
            return spread
        }
        guard reader.peek() == .object else {
            throw wrongType(expected: "a mode (\(Self.modes)) or an object of mode and window")
        }
        try members { (name) throws(AppFileError) in
            switch name {
            case "mode": spread.mode = try mode()
            case "window": spread.window = try duration(in: .seconds(1)...Self.day)
            default: throw unknownMember(known: "mode and window")
            }
        }
        return spread
    }

    private static var modes: String { quotedList(SpreadPolicy.Mode.allCases.map(\.rawValue)) }

    private func mode() throws(AppFileError) -> SpreadPolicy.Mode {
        let refusal = "there is no such mode; it must be \(Self.modes)"
        return try value(orElse: refusal) { SpreadPolicy.Mode(rawValue: $0) }
    }

    // MARK: - Origins

    /// Reads an element of an app's list of origins.
    func origin() throws(AppFileError) -> OriginDeclaration {
        var origin: String?
        var perSecond: Int?
        var undelayed: Int?
        try members { (name) throws(AppFileError) in
            switch name {
            case "origin": origin = try identifier()
            case "perSecond": perSecond = try number(in: 1...1_000_000)
            case "undelayed": undelayed = try number(in: 0...SlotLedger.undelayedLimit)
            default: throw unknownMember(known: "origin, perSecond and undelayed")
            }
        }
        guard let origin else { throw mistake("the origin has no member origin, its name") }
        guard let perSecond else {
            throw mistake(
                "the origin has no member perSecond, the requests a second that it serves"
            )
        }
        var declaration = OriginDeclaration(origin: origin, perSecond: perSecond)
        if let undelayed { declaration.undelayed = undelayed }
        return declaration
    }
}
