import ReloadModel
import RouterCore
import Testing

@Suite("The sentence for a decision")
struct DecisionSentenceTests {
    private func text(observes: [String]) -> String {
        var policy = KindPolicy()
        policy.observes = observes
        return DecisionSentence(policy, perSecond: nil).text(.unchanged)
    }

    @Test func `names the observed fields, also when the kind observes none any more`() {
        for (fields, clause) in [
            (["hp"], "hp is"), (["hp", "level"], "hp, level are"), ([], "the observed fields are"),
        ] {
            #expect(text(observes: fields) == "no reload (unchanged): \(clause) as before")
        }
    }
}
