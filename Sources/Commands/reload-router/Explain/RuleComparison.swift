import ArgumentParser
import Basics
import CommandSupport
import EventPatterns
import RouterCore

/// A service whose rules look like those of the app file.
enum ComparedService: String, ExpressibleByArgument, CaseIterable {
    case eventbridge
}

/// `match --like`: which rules of a file mean something else to that service.
struct RuleComparison {
    /// A rule with the name by which the file has it, which is empty for a file of one pattern.
    fileprivate struct Rule {
        let name: String
        /// The differences of a valid rule; the refusal of one that is not.
        let findings: [String]
    }

    private let rules: [Rule]

    /// Prints the differences of the rules in a file, one a line, and how many rules have any.
    static func run(_ path: String) throws -> ExitCode {
        let comparison: RuleComparison
        do {
            comparison = try RuleComparison(path)
        } catch {
            let text = "\(error)"
            writeStandardError(text.hasPrefix(path) ? "\(text)\n" : "\(path): \(text)\n")
            return ExitStatus.notJudged
        }
        for rule in comparison.rules {
            let place = rule.name.isEmpty ? "" : rule.name + ": "
            for finding in rule.findings { printLine(place + finding) }
        }
        let differing = comparison.rules.count { !$0.findings.isEmpty }
        printLine(
            "\(path): rules that mean something else to EventBridge: "
                + "\(differing) of \(comparison.rules.count)"
        )
        return differing == 0 ? .success : ExitStatus.refused
    }

    /// Reads an app file, a list of EventBridge's rules or one pattern.
    private init(_ path: String) throws {
        let text = try LineReader.content(of: path)
        let json = (try? JSONValue(text)) ?? .null
        if json["apps"].isListOfObjects {
            let catalog = try text.withByteView { (view) throws(AppFileError) in
                try AppFile.parse(view)
            }.catalog
            rules = Self.rules(of: catalog)
        } else if let listed = json["Rules"].listedRules {
            rules = listed.map { Rule(name: quotation($0.name), pattern: Array($0.pattern.utf8)) }
        } else {
            rules = [Rule(name: "", pattern: try text.pattern())]
        }
    }

    private static func rules(of catalog: AppCatalog) -> [Rule] {
        catalog.apps.flatMap { app in
            app.kinds.compactMap { kind in
                kind.rule.map {
                    Rule(name: "\(quotation(app.app)), kind \(quotation(kind.kind))", pattern: $0)
                }
            }
        }
    }
}

extension RuleComparison.Rule {
    fileprivate init(name: String, pattern: EventPattern) {
        let differences = pattern.differencesFromEventBridge
        self.init(name: name, findings: differences.map { "\($0.path): \($0.sentence)" })
    }

    /// Reads a pattern as EventBridge lists it.
    fileprivate init(name: String, pattern text: [UInt8]) {
        do throws(PatternError) {
            self.init(name: name, pattern: try text.pattern())
        } catch {
            self.init(
                name: name,
                findings: ["\(error.path): refused here (\(error.code.rawValue)): \(error.message)"]
            )
        }
    }
}

extension [UInt8] {
    /// Parses the text of a rule.
    func pattern() throws(PatternError) -> EventPattern {
        try withByteView { (view) throws(PatternError) in try PatternParser.parse(view) }
    }
}

extension JSONValue {
    fileprivate var isListOfObjects: Bool {
        guard case .list(let elements) = self else { return false }
        return elements.allSatisfy(\.isObject)
    }

    /// The rules with a pattern in what `aws events list-rules` writes; nil if it is not of that
    /// form. Rules without a pattern have a schedule.
    fileprivate var listedRules: [(name: String, pattern: String)]? {
        guard isListOfObjects else { return nil }
        var rules: [(name: String, pattern: String)] = []
        for element in elements {
            guard let name = element["Name"].string else { return nil }
            if let pattern = element["EventPattern"].string { rules.append((name, pattern)) }
        }
        return rules
    }
}
