internal import Basics

/// Reads the member `budget` of a kind: how many reloads its widgets may have.
extension AppFileParser {
    /// The members of a budget that the file states; the others come from the budget `like`.
    private struct ParsedBudget {
        var like = BudgetPolicy.widget
        var seldom: Int?
        var daily: Int?
        var often: Int?
        var oftenViews: Int?
        var learningDays: Int?
        var learningPercent: Int?
        var spacing: Milliseconds?
        var urgentPercent: Int?

        var policy: BudgetPolicy {
            var policy = like
            policy.seldom = seldom ?? like.seldom
            policy.daily = daily ?? like.daily
            policy.often = often ?? like.often
            policy.oftenViews = oftenViews ?? like.oftenViews
            policy.learningDays = learningDays ?? like.learningDays
            policy.learningPercent = learningPercent ?? like.learningPercent
            policy.spacing = spacing ?? like.spacing
            policy.urgentPercent = urgentPercent ?? like.urgentPercent
            return policy
        }
    }

    /// Reads a budget: the name of a predefined one, or an object.
    func budget(_ reader: inout JSONReader, path: String) throws(AppFileError) -> BudgetPolicy {
        if reader.peek() == .string { return try namedBudget(&reader, path: path) }
        guard reader.peek() == .object else {
            throw wrongType(reader, path: path, expected: "\(Self.budgets) or an object")
        }
        let start = reader.offset
        var read = ParsedBudget()
        try members(&reader, path: path) { (name, reader, path) throws(AppFileError) in
            try budgetMember(name, from: &reader, path: path, into: &read)
        }
        let policy = read.policy
        try check(policy, at: start, path: path)
        return policy
    }

    private static var budgets: String { quotedList(["widget", "complication", "unlimited"]) }

    private func namedBudget(
        _ reader: inout JSONReader,
        path: String
    ) throws(AppFileError) -> BudgetPolicy {
        let start = reader.offset
        switch try string(&reader, path: path) {
        case "widget": return .widget
        case "complication": return .complication
        case "unlimited": return .unlimited
        default:
            throw error(
                at: start,
                path: path,
                message: "there is no such budget; it must be \(Self.budgets)"
            )
        }
    }

    private func budgetMember(
        _ name: String,
        from reader: inout JSONReader,
        path: String,
        into budget: inout ParsedBudget
    ) throws(AppFileError) {
        let counts = 0...BudgetPolicy.limit
        switch name {
        case "like": budget.like = try namedBudget(&reader, path: path)
        case "seldom": budget.seldom = try number(&reader, path: path, in: counts)
        case "daily": budget.daily = try number(&reader, path: path, in: counts)
        case "often": budget.often = try number(&reader, path: path, in: counts)
        case "oftenViews": budget.oftenViews = try number(&reader, path: path, in: 1...200)
        case "learningDays": budget.learningDays = try number(&reader, path: path, in: 0...250)
        case "learningPercent":
            budget.learningPercent = try number(&reader, path: path, in: 100...400)
        case "spacing": budget.spacing = try duration(&reader, path: path, in: .zero...(.days(1)))
        case "urgentPercent": budget.urgentPercent = try number(&reader, path: path, in: 0...90)
        default:
            throw unknownMember(
                reader,
                path: path,
                known:
                    "like, seldom, daily, often, oftenViews, learningDays, learningPercent, spacing "
                    + "and urgentPercent"
            )
        }
    }

    private func check(_ policy: BudgetPolicy, at start: Int, path: String) throws(AppFileError) {
        if policy.seldom > policy.daily || policy.daily > policy.often {
            throw error(
                at: start,
                path: path,
                message:
                    "seldom is \(policy.seldom), daily \(policy.daily) and often \(policy.often); "
                    + "seldom may not be above daily, nor daily above often"
            )
        }
        if policy.often * policy.learningPercent > BudgetPolicy.limit * 100 {
            throw error(
                at: start,
                path: path,
                message:
                    "\(policy.learningPercent) per cent (learningPercent) of \(policy.often) (often) "
                    + "is above \(BudgetPolicy.limit) reloads in 24 hours; lower one of them"
            )
        }
    }
}
