import Basics
import TestSupport

/// App files as random as the rest.
extension SchedulingSimulation {
    static func declarations(
        _ random: inout SeededGenerator
    ) -> ([KindDeclaration], [OriginDeclaration]) {
        let origins = [
            OriginDeclaration(origin: "a", perSecond: 1 + random.below(3), undelayed: 0),
            OriginDeclaration(origin: "b", perSecond: 50, undelayed: random.below(20)),
        ]
        let kinds = (0..<kindCount).map { kind in
            KindDeclaration(
                kind: "k\(kind)",
                rule: .parameter("character"),
                policy: policy(&random)
            )
        }
        return (kinds, origins)
    }

    private static func policy(_ random: inout SeededGenerator) -> KindPolicy {
        var policy = KindPolicy()
        policy.budget = random.pick([
            .widget, .complication, .unlimited, .fixed(0), .fixed(3),
            .fixed(10, spacing: 60_000, urgentPercent: 20),
        ])
        policy.debounce = random.pick([
            nil, DebouncePolicy(wait: 1_000, longest: 10_000),
            DebouncePolicy(wait: 60_000, longest: 7_200_000),
        ])
        policy.spread.mode = random.pick(SpreadPolicy.Mode.allCases)
        policy.spread.window = random.pick([1_000, 5_000, 600_000])
        policy.origin = random.pick([nil, "a", "b"])
        policy.usesLocation = random.below(2) == 0
        policy.observes = random.pick([[], ["hp"]])
        policy.inlines = random.pick([[], ["hp"]])
        policy.newest = random.pick([nil, "version"])
        policy.atEndFloor = 60_000
        return policy
    }
}
