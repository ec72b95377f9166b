import Basics
import RouterCore
import TestSupport
import Testing

extension AppCatalog {
    /// The app file that says what the catalog says; for rules of one field, and policies of
    /// every kind.
    var source: [UInt8] {
        let text = #"{"apps":[\#(apps.map(\.source).joined(separator: ","))]}"#
        return Array(text.utf8)
    }
}

extension AppDeclaration {
    fileprivate var source: String {
        var members = [#""app":"\#(app)""#]
        let quotas = Quota.allCases.compactMap { quota in
            self.quotas[quota].map { #""\#(quota.rawValue)":\#($0)"# }
        }
        if !quotas.isEmpty { members.append(#""quotas":{\#(quotas.joined(separator: ","))}"#) }
        if let apns {
            let environments = apns.environments.map { #""\#($0.rawValue)""# }.sorted()
            members.append(
                #""apns":{\#(apns.credential.source),"bundle":"\#(apns.bundle)","#
                    + #""pushesPerDay":\#(apns.pushesPerDay),"#
                    + #""backgroundPushesPerHour":\#(apns.backgroundPushesPerHour),"#
                    + #""grace":\#(seconds(apns.grace)),"#
                    + #""environments":[\#(environments.joined(separator: ","))]}"#
            )
        }
        if !origins.isEmpty {
            let list = origins.map {
                #"{"origin":"\#($0.origin)","perSecond":\#($0.perSecond),"undelayed":\#($0.undelayed)}"#
            }
            members.append(#""origins":[\#(list.joined(separator: ","))]"#)
        }
        members.append(#""kinds":[\#(kinds.map(\.source).joined(separator: ","))]"#)
        return "{\(members.joined(separator: ","))}"
    }
}

extension KindDeclaration {
    fileprivate var source: String {
        var members = [#""kind":"\#(kind)""#]
        if let rule, case .field(let name, let tests)? = rule.conditions.first {
            var operand = "${configuration.\(name)}"
            if case .equals(.value(.string(let text)))? = tests.first { operand = text }
            members.append(#""match":{"\#(name)":["\#(operand)"]}"#)
        }
        members += policy.members
        return "{\(members.joined(separator: ","))}"
    }
}

extension KindPolicy {
    fileprivate var members: [String] {
        var members = [
            #""budget":\#(budget.source)"#,
            #""atEndFloor":\#(seconds(atEndFloor))"#,
            #""spread":{"mode":"\#(spread.mode.rawValue)","window":\#(seconds(spread.window))}"#,
            #""usesLocation":\#(usesLocation)"#,
        ]
        if isControl { members.append(#""control":true"#) }
        if let debounce {
            let (wait, longest) = (seconds(debounce.wait), seconds(debounce.longest))
            members.append(#""debounce":{"wait":\#(wait),"longest":\#(longest)}"#)
        }
        if let origin { members.append(#""origin":"\#(origin)""#) }
        if !observes.isEmpty { members.append(#""observes":\#(observes)"#) }
        if let newest { members.append(#""newest":"\#(newest)""#) }
        if !inlines.isEmpty { members.append(#""inlines":\#(inlines)"#) }
        return members
    }
}

extension BudgetPolicy {
    fileprivate var source: String {
        if !isLimited { return #"{"like":"unlimited","spacing":\#(seconds(spacing))}"# }
        return
            #"{"seldom":\#(seldom),"daily":\#(daily),"often":\#(often),"oftenViews":\#(oftenViews),"#
            + #""learningDays":\#(learningDays),"learningPercent":\#(learningPercent),"#
            + #""spacing":\#(seconds(spacing)),"urgentPercent":\#(urgentPercent)}"#
    }
}

private func seconds(_ length: Milliseconds) -> String {
    let milliseconds = length.rawValue
    let rest = milliseconds % 1_000
    return rest == 0 ? "\(milliseconds / 1_000)" : "\(Double(milliseconds) / 1_000)"
}

extension APNsCredential {
    fileprivate var source: String {
        switch self {
        case .key(let key, let team): #""team":"\#(team)","key":"\#(key)""#
        case .certificate(let name): #""certificate":"\#(name)""#
        }
    }
}
