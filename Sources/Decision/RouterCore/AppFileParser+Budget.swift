internal import ReloadModel
internal import StrictJSON

/// How many reloads a kind's widgets have.
extension AppFileParser {
    /// The members of a budget that are there; the others are those of `like`.
    private struct ReadBudget {
        var like = BudgetPolicy.widget
        var seldom: Int?
        var daily: Int?
        var often: Int?
        var oftenViews: Int?
        var learningDays: Int?
        var learningPercent: Int?
        var spacing: Int64?
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

    func budget(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> BudgetPolicy {
        if reader.peek() == .string { return try namedBudget(&reader, path) }
        guard reader.peek() == .object else {
            throw wrong(reader, path, "\(Self.budgets) or an object")
        }
        let start = reader.offset
        var read = ReadBudget()
        try members(&reader, path) { (name, reader, path) throws(AppFileError) in
            try budgetMember(name, &reader, path, &read)
        }
        let policy = read.policy
        try check(policy, start, path)
        return policy
    }

    private static var budgets: String { quotedList(["widget", "complication", "unlimited"]) }

    private func namedBudget(
        _ reader: inout JSONReader,
        _ path: String
    ) throws(AppFileError) -> BudgetPolicy {
        let start = reader.offset
        switch try string(&reader, path) {
        case "widget": return .widget
        case "complication": return .complication
        case "unlimited": return .unlimited
        default: throw error(at: start, path, "there is no such budget; it must be \(Self.budgets)")
        }
    }

    private func budgetMember(
        _ name: String,
        _ reader: inout JSONReader,
        _ path: String,
        _ budget: inout ReadBudget
    ) throws(AppFileError) {
        let counts = 0...BudgetPolicy.limit
        switch name {
        case "like": budget.like = try namedBudget(&reader, path)
        case "seldom": budget.seldom = try number(&reader, path, counts)
        case "daily": budget.daily = try number(&reader, path, counts)
        case "often": budget.often = try number(&reader, path, counts)
        case "oftenViews": budget.oftenViews = try number(&reader, path, 1...200)
        case "learningDays": budget.learningDays = try number(&reader, path, 0...250)
        case "learningPercent": budget.learningPercent = try number(&reader, path, 100...400)
        case "spacing": budget.spacing = try duration(&reader, path, 0...86_400_000)
        case "urgentPercent": budget.urgentPercent = try number(&reader, path, 0...90)
        default:
            throw unknown(
                reader,
                path,
                "like, seldom, daily, often, oftenViews, learningDays, learningPercent, spacing "
                    + "and urgentPercent"
            )
        }
    }

    private func check(
        _ policy: BudgetPolicy,
        _ start: Int,
        _ path: String
    ) throws(AppFileError) {
        if policy.seldom > policy.daily || policy.daily > policy.often {
            throw error(
                at: start,
                path,
                "seldom is \(policy.seldom), daily \(policy.daily) and often \(policy.often); "
                    + "seldom may not be above daily, nor daily above often"
            )
        }
        if policy.often * policy.learningPercent > BudgetPolicy.limit * 100 {
            throw error(
                at: start,
                path,
                "\(policy.learningPercent) per cent (learningPercent) of \(policy.often) (often) "
                    + "is above \(BudgetPolicy.limit) reloads in 24 hours; lower one of them"
            )
        }
    }
}
