import Basics
import RouterCore
import Testing

@Suite("The sentence for a decision")
struct DecisionSentenceTests {
    private func text(observes: [String], newest: String? = nil) -> String {
        var policy = KindPolicy()
        policy.observes = observes
        policy.newest = newest
        return DecisionSentence(policy, kind: nil, perSecond: nil).text(.unchanged)
    }

    @Test func `An older push says by what it is older`() {
        var policy = KindPolicy()
        policy.newest = "at"
        policy.observes = ["hp"]
        func text() -> String {
            DecisionSentence(policy, kind: nil, perSecond: nil).text(.outdated)
        }
        #expect(text() == "no reload (outdated): the push is older than another one by at")
        policy.newest = nil
        #expect(text() == "no reload (outdated): the push is older than another one")
    }

    @Test func `names the observed fields, also when the kind observes none any more`() {
        for (fields, clause) in [
            (["hp"], "hp is"), (["hp", "level"], "hp, level are"), ([], "the observed fields are"),
        ] {
            for newest in [nil, "at"] {
                let text = text(observes: fields, newest: newest)
                #expect(text == "no reload (unchanged): \(clause) as before")
            }
        }
    }

    @Test func `says which kind was asked for, and that a push by APNs reloads more`() {
        var policy = KindPolicy()
        #expect(
            DecisionSentence(policy, kind: "news", perSecond: nil).text(.apns)
                == "goes by APNs (apns): asked for kind news, WidgetKit reloads all of the app's "
                + "widgets on the device, or the app in background those of the kinds that the push "
                + "names"
        )
        policy.isControl = true
        #expect(
            DecisionSentence(policy, kind: "lamp", perSecond: nil).text(.apns)
                == "goes by APNs (apns): WidgetKit reloads this control alone"
        )
    }
}
