internal import Foundation
internal import WidgetTimelines

/// Displays a team's match: the kickoff time, then the score.
struct TeamScore: Widget {
    var body: some WidgetConfiguration {
        IntentConfiguration(
            kind: "org.dailynews.team",
            intent: SelectTeamIntent.self,
            provider: TeamProvider()
        ) { entry in
            Group {
                TeamView(entry: entry)
            }
            .containerBackground(.background, for: .widget)
        }
        .configurationDisplayName("Team")
        .description("Your team's match.")
    }
}

/// The configuration of `TeamScore`: which team it follows.
final class SelectTeamIntent: INIntent, ChoosableIntent {
    var team: String?

    func setValue(_ value: Any, forKey key: String) {
        if key == "team" { team = value as? String }
    }
}

/// A team as the newspaper's server describes it.
struct Team: Decodable {
    var goals: Int?
    var against: Int?
    /// When the match begins, in ms since 1970.
    var kickoffAt: Double?
}

/// What `TeamScore` displays from a date on.
struct TeamEntry: TimelineEntry {
    enum Match: Equatable {
        case unknown
        case before(Date)
        case score(Int, Int)
    }

    let date: Date
    let team: String
    let match: Match
}

/// Displays a `TeamEntry`.
struct TeamView: View {
    let entry: TeamEntry

    var body: some View {
        Text(entry.team)
        switch entry.match {
        case .unknown: Text("– : –")
        case .before(let kickoff):
            Text("Kickoff \(kickoff, style: .time)")
            Text(kickoff, style: .timer)
        case .score(let goals, let against): Text("\(goals) : \(against)")
        }
    }
}

/// Makes the timelines of `TeamScore`.
struct TeamProvider: IntentTimelineProvider, ExampleProvider {
    func placeholder(in context: Context) -> TeamEntry {
        TeamEntry(date: .now, team: "Team", match: .unknown)
    }

    var example: TeamEntry { TeamEntry(date: .now, team: "team-7", match: .score(2, 1)) }

    func getTimeline(
        for configuration: SelectTeamIntent,
        in context: Context,
        completion: @escaping (Timeline<TeamEntry>) -> Void
    ) {
        guard let name = configuration.team else {
            let entry = TeamEntry(date: .now, team: "Choose a team", match: .unknown)
            return completion(Timeline(entries: [entry], policy: .never))
        }
        OriginSession.shared.object(Team.self, at: "/team/\(name)") { team in
            completion(timeline(name, team: team, now: .now))
        }
    }

    /// Makes entries for the time before the kickoff and for the kickoff itself. During the match,
    /// goals are pushed.
    func timeline(_ name: String, team: Team?, now: Date) -> Timeline<TeamEntry> {
        guard let team else {
            let entry = TeamEntry(date: now, team: name, match: .unknown)
            return Timeline(entries: [entry], policy: .retry(now))
        }
        let score = TeamEntry.Match.score(team.goals ?? 0, team.against ?? 0)
        guard let kickoff = team.kickoffAt?.serverDate, kickoff > now else {
            let entry = TeamEntry(date: now, team: name, match: score)
            return Timeline(entries: [entry], policy: .never)
        }
        return Timeline(
            entries: [
                TeamEntry(date: now, team: name, match: .before(kickoff)),
                TeamEntry(date: kickoff, team: name, match: .score(0, 0)),
            ],
            policy: .after(kickoff)
        )
    }
}
