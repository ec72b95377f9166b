import Credentials
import Testing

@Suite("Patterns of names")
struct NamePatternsTests {
    @Test("match whole names, and names that begin as a pattern does before its *")
    func matching() throws {
        let patterns = try NamePatterns(["shard-*", "cms"])
        for name in ["shard-1", "shard-", "cms"] { #expect(patterns.matches(Array(name.utf8))) }
        for name in ["shard", "cms-2", "", "Shard-1"] {
            #expect(!patterns.matches(Array(name.utf8)))
        }
        #expect(!patterns.isAll && !patterns.isSingle)
        #expect(try NamePatterns(["*"]).isAll)
        #expect(try NamePatterns(["cms"]).isSingle)
    }

    @Test("refuse an empty pattern, and a * before the end", arguments: ["", "a*b", "*a", "**"])
    func problems(pattern: String) {
        #expect(throws: NamePatternProblem.self) { try NamePatterns([pattern]) }
    }

    @Test("include others only if all of the others' names match")
    func including() throws {
        func includes(_ patterns: [String], _ others: [String]) throws -> Bool {
            try NamePatterns(patterns).includes(try NamePatterns(others))
        }
        #expect(try includes(["eu-*"], ["eu-de-*", "eu-1"]))
        #expect(try includes(["*"], ["*"]))
        #expect(try !includes(["eu-*"], ["e*"]))
        #expect(try !includes(["eu"], ["eu*"]))
        #expect(try !includes(["eu-*"], ["us-1"]))
    }
}
