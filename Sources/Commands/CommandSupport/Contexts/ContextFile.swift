import Basics
import Glibc
import Platform

/// The file with a user's contexts, and which of them is in use. Commands trust it: a file that
/// others could change is refused.
///
///     {"use":"game","contexts":{"game":{"to":"router.example:7410","token-file":"/home/…"}}}
package struct ContextFile {
    /// The variable of the environment that names another context for one call; empty for none.
    package static var variable: String { "RELOAD_ROUTER_CONTEXT" }

    private static var subject: String { "the file of contexts" }

    /// Where the user's file is; nil if the environment names no folder of the user.
    private static var path: String? {
        UserFile.path("contexts.json", in: "XDG_CONFIG_HOME", orHome: ".config")
    }

    /// All contexts, by name.
    package private(set) var contexts: [String: CommandContext] = [:]
    /// The one that commands use; nil for none.
    package private(set) var used: String?

    /// Reads the user's file; without one there are no contexts.
    package init() throws(SettingsProblem) {
        guard let path = Self.path else { return }
        if unsafe access(path, F_OK) != 0 && errno == ENOENT { return }
        let bytes = try SecretFile.trusted(path, of: Self.subject, from: .files)
        let json: JSONValue
        do throws(JSONError) {
            json = try bytes.withByteView { view throws(JSONError) in try JSONValue(parsing: view) }
        } catch {
            throw Self.damaged(path, reason: error.message)
        }
        try read(json, in: path)
    }

    /// The context that commands use: that of `RELOAD_ROUTER_CONTEXT`, or else that of the file. A
    /// home that is none, or is closed to this user, has no contexts unless the variable names one.
    package static func inUse() throws(SettingsProblem) -> CommandContext? {
        let named = environmentVariable(variable)
        if named == "" { return nil }
        if named == nil, let path {
            if unsafe access(path, F_OK) != 0 && [ENOTDIR, EACCES].contains(errno) { return nil }
        }
        let file = try ContextFile()
        if let named { return try file.context(named, of: variable) }
        return file.used.flatMap { file.contexts[$0] }
    }

    /// The context of a name, which `source` has given.
    package func context(
        _ name: String,
        of source: String? = nil
    ) throws(SettingsProblem) -> CommandContext {
        if let context = contexts[name] { return context }
        let names = contexts.keys.sorted()
        let hint = Spelling.hint(for: name, among: names)
        let known = names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))"
        throw SettingsProblem(
            "\(source.map { "\($0): " } ?? "")there is no context \(quotation(name))"
                + (hint.isEmpty ? "; \(known)" : hint)
        )
    }

    // MARK: - Changing it

    /// Changes the user's file: what `body` does to all contexts, as no other process changes them
    /// meanwhile. It is written only if `body` throws nothing.
    package static func change(
        _ body: (inout ContextFile) throws(SettingsProblem) -> Void
    ) throws(SettingsProblem) {
        guard let path else {
            throw SettingsProblem("HOME is not set: \(subject) has no folder")
        }
        // A link would be replaced, and what it leads to would stay as it was.
        let target = UserFile.target(of: path)
        for path in [path, target] { UserFile.makeFolders(to: path) }
        // The file itself is replaced, so another one is locked, until it is closed; it stays.
        let lock = unsafe open("\(target).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if lock < 0 { throw SettingsProblem(unwritable: target) }
        defer { close(lock) }
        if flock(lock, LOCK_EX) != 0 { throw SettingsProblem(unwritable: target) }
        var file = try ContextFile()
        try body(&file)
        try file.write(to: target)
    }

    /// Adds a context.
    package mutating func add(_ context: CommandContext) throws(SettingsProblem) {
        if contexts[context.name] != nil {
            throw SettingsProblem(
                "there is a context \(context.name) already: remove it first, with "
                    + "`reload-router context remove \(context.name)`"
            )
        }
        contexts[context.name] = context
    }

    /// Uses a context from now on, or none.
    package mutating func use(_ name: String?) throws(SettingsProblem) {
        if let name { _ = try context(name) }
        used = name
    }

    /// Removes a context. If it was in use, none is.
    package mutating func remove(_ name: String) throws(SettingsProblem) {
        _ = try context(name)
        contexts[name] = nil
        if used == name { used = nil }
    }

    private func write(to path: String) throws(SettingsProblem) {
        let all = contexts.mapValues { context in
            let members = context.members.map { ($0.key.rawValue, JSONValue.string($0.value)) }
            return JSONValue.object(Dictionary(uniqueKeysWithValues: members))
        }
        var members: [String: JSONValue] = ["contexts": .object(all)]
        if let used { members["use"] = .string(used) }
        let text = JSONValue.object(members).text + "\n"
        try SecretFile.write(Array(text.utf8), to: path, isSecret: true)
    }

    // MARK: - Reading it

    private mutating func read(_ json: JSONValue, in path: String) throws(SettingsProblem) {
        for member in json.members {
            switch (member.name, member.value) {
            case ("use", .string(let name)): used = name
            case ("contexts", .object(let all)):
                for one in all { contexts[one.name] = try Self.context(one, in: path) }
            default:
                throw Self.damaged(path, reason: "it has the member \(quotation(member.name))")
            }
        }
        if let used, contexts[used] == nil {
            throw Self.damaged(path, reason: "there is no context \(quotation(used)) to use")
        }
    }

    private static func context(
        _ json: JSONValue.Member,
        in path: String
    ) throws(SettingsProblem) -> CommandContext {
        guard case .object(let members) = json.value else {
            throw damaged(path, reason: "\(quotation(json.name)) is no object")
        }
        do throws(SettingsProblem) {
            return try context(json.name, of: members)
        } catch {
            throw damaged(path, reason: "\(quotation(json.name)): \(error)")
        }
    }

    private static func context(
        _ name: String,
        of members: [JSONValue.Member]
    ) throws(SettingsProblem) -> CommandContext {
        var context = try CommandContext(name)
        for member in members {
            guard let known = CommandContext.Member(rawValue: member.name),
                case .string(let text) = member.value
            else {
                throw SettingsProblem("it has the member \(quotation(member.name))")
            }
            context.members[known] = text
        }
        try context.check()
        return context
    }

    private static func damaged(_ path: String, reason: String) -> SettingsProblem {
        SettingsProblem("\(subject) is \(path), and is damaged: \(reason); mend or remove it")
    }
}
