internal import Basics

/// Reads the member `budget` of a kind: how many reloads its widgets may have.
extension AppFileParser {
    /// Reads a budget: the name of a predefined one, or an object.
    func budget() throws(AppFileError) -> BudgetPolicy {
        if reader.peek() == .string { return try namedBudget() }
        guard reader.peek() == .object else {
            throw wrongType(expected: "\(Self.budgets) or an object")
        }
        // What the object does not state comes from the budget `like`, wherever that stands.
        var budget = Self.budget(named: ownName(of: reader, as: "like") ?? "") ?? .widget
        try members { (name) throws(AppFileError) in try budgetMember(name, into: &budget) }
        try check(budget)
        return budget
    }

    private static var budgets: String { quotedList(["widget", "complication", "unlimited"]) }

    private static func budget(named name: String) -> BudgetPolicy? {
        switch name {
        case "widget": .widget
        case "complication": .complication
        case "unlimited": .unlimited
        default: nil
        }
    }

    private func namedBudget() throws(AppFileError) -> BudgetPolicy {
        let refusal = "there is no such budget; it must be \(Self.budgets)"
        return try value(orElse: refusal, parse: Self.budget(named:))
    }

    private func budgetMember(
        _ name: String,
        into budget: inout BudgetPolicy
    ) throws(AppFileError) {
        let counts = 0...BudgetPolicy.limit
        switch name {
        case "like": _ = try namedBudget()
        case "seldom": budget.seldom = try number(in: counts)
        case "daily": budget.daily = try number(in: counts)
        case "often": budget.often = try number(in: counts)
        case "oftenViews": budget.oftenViews = try number(in: 1...200)
        case "learningDays": budget.learningDays = try number(in: 0...250)
        case "learningPercent": budget.learningPercent = try number(in: 100...400)
        case "spacing": budget.spacing = try duration(in: .zero...(.days(1)))
        case "urgentPercent": budget.urgentPercent = try number(in: 0...90)
        default:
            throw unknownMember(
                known: "like, seldom, daily, often, oftenViews, learningDays, learningPercent, "
                    + "spacing and urgentPercent"
            )
        }
    }

    private func check(_ policy: BudgetPolicy) throws(AppFileError) {
        if policy.seldom > policy.daily || policy.daily > policy.often {
            throw mistake(
                "seldom is \(policy.seldom), daily \(policy.daily) and often \(policy.often); "
                    + "seldom may not be above daily, nor daily above often"
            )
        }
        if policy.often * policy.learningPercent > BudgetPolicy.limit * 100 {
            throw mistake(
                "\(policy.learningPercent) per cent (learningPercent) of \(policy.often) (often) "
                    + "is above \(BudgetPolicy.limit) reloads in 24 hours; lower one of them"
            )
        }
    }
}
