import AdminAPI
import ArgumentParser
import CommandSupport

/// `audit`: what an operator can do with the audit log.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Verify the audit log of a router.",
        subcommands: [VerifyAudit.self]
    )
}

/// `audit verify`: checks that the lines of the audit log are as the router has written them.
struct VerifyAudit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that no line of the audit log was changed, removed or moved.",
        discussion: """
            Each line ends with a code of its own, which only those can make who have the key in \
            FILE.key, and with that of the line before it, also across the former files FILE.1 to \
            FILE.7. FILE.end has the last line's number and code, so that lines that were cut off \
            at the end are noticed, too. Prints each line that is wrong, and the last line's code. \
            Who can put back older copies of all of these files leaves no trace in them: keep that \
            code elsewhere, and give it with --expect the next time, or let serve send each line \
            elsewhere (--audit-syslog).

            Exit status: 0 all lines are right, 1 not, or the log or its key cannot be read.
            """
    )

    @Argument(
        help: "The audit log, as --audit-log of serve names it.",
        completion: .file(extensions: ["jsonl"])
    )
    var file: String

    @Option(
        help: "The code of a line that must be there, such as the last one of an earlier time.",
        of: "code"
    )
    var expect: String?

    func run() throws {
        let found = try AuditVerification(file, expecting: expect)
        for problem in found.problems { writeStandardError("\(problem)\n") }
        if found.problems.count == AuditVerification.problemLimit {
            writeStandardError("\(file): further problems are not listed\n")
        }
        let isGood = found.problems.isEmpty
        let lines = counted(found.lineCount, noun: "line")
        printLine(isGood ? "\(file): ok (\(lines))" : "\(file): not as it was written")
        if let begin = found.begin {
            let end = found.isCut ? "; older files were dropped, or removed" : ""
            printLine("  it begins at \(begin)\(end)")
        }
        if let last = found.last {
            let line = "\(last.date) with line \(last.number)"
            printLine("  it ends at \(line), whose code is \(last.code)")
        }
        if !isGood { throw ExitStatus.refused }
    }
}
