internal import Basics
internal import RouterCore

/// Compares two plays of a capture with different rules: which reloads are new, gone, or sent at
/// another time.
///
/// Two reloads of a widget, one of each play, are paired if the same input asked for them: a push,
/// a request, or the TIMELINE that contained the date. Inputs come at the same times in both plays.
/// Of the other reloads, two are paired if there was a time at which both waited. A pair is the
/// same reload, and has moved if the times of its RELOADs differ:
///
///     old  ├──p1── R      ├──p2── R          p1: moved, later
///     new  ├──p1────── R                     p2: gone
package struct DecisionDiff {
    /// How a reload differs.
    enum Change: String, CaseIterable, Sendable {
        case new, gone, moved
    }

    /// Numbers of reloads.
    struct Counts: Equatable, Sendable {
        /// Reloads with the old rules.
        var old = 0
        /// Reloads with the new rules.
        var new = 0
        /// Reloads that both plays have, at the same time.
        var same = 0
        /// Reloads that only the new rules have.
        var added = 0
        /// Reloads that only the old rules have.
        var gone = 0
        /// Reloads that both plays have, at different times.
        var moved = 0
    }

    /// The reloads of a kind.
    struct Row: Equatable, Sendable {
        /// The name of the app that the kind belongs to.
        var app: String
        /// The name of the kind.
        var kind: String
        /// The numbers of the kind's reloads.
        var counts = Counts()
    }

    /// One reload that differs, and why.
    struct Example: Equatable, Sendable {
        /// How the reload differs.
        var change: Change
        /// The names of the widget, its device and its app.
        var widget: WidgetDirectory.Widget
        /// The name of the widget's kind.
        var kind: String
        /// When it is sent with the old rules; nil if it is not.
        var oldAt: WallTime?
        /// When it is sent with the new rules; nil if it is not.
        var newAt: WallTime?
        /// When the first input came that asked for it.
        var asked: WallTime
        /// The cause of that input, as in RELOAD.
        var cause: String
        /// The name of the decision that explains the change; nil if the router made none.
        var reason: String?
        /// The explanation in a few words.
        var why: String
    }

    /// How many reloads had to wait for one reason in each play, and for how long.
    struct Postponement: Equatable, Sendable {
        /// The name of the last reason for which the reloads waited.
        var reason: String
        /// The number of these reloads with the old rules.
        var old: UInt64
        /// The number of these reloads with the new rules.
        var new: UInt64
        /// Their mean waiting time with the old rules; zero if there are none.
        var oldMean: Milliseconds
        /// Their mean waiting time with the new rules; zero if there are none.
        var newMean: Milliseconds
    }

    /// The numbers of reloads of all kinds.
    private(set) var counts = Counts()
    /// The counts by kind; the kinds with the most changes come first.
    private(set) var kinds: [Row] = []
    /// The earliest changes of each sort, explained.
    private(set) var examples: [Example] = []
    /// The waiting reloads by reason; reasons that neither play has are left out.
    private(set) var postponed: [Postponement] = []
    /// The median of the times by which reloads moved; positive for later.
    private(set) var medianMove = Milliseconds.zero

    private let old: DecisionStory
    private let new: DecisionStory
    /// By how much each moved reload has moved; positive for later.
    private var moves: ContiguousArray<Milliseconds> = []
    /// The earliest changes of each sort, until they are explained.
    private var chosen: [Change: EarliestChanges] = [:]
    /// The counts of each kind, by the directory's numbers.
    private var counted: [Counts] = []

    /// Compares two stories with the same directory, and explains some changes of each sort.
    package init(old: DecisionStory, new: DecisionStory, examples: Int) {
        precondition(old.directory === new.directory, "the stories share their widgets")
        self.old = old
        self.new = new
        for change in Change.allCases { chosen[change] = EarliestChanges(limit: examples) }
        counted = Array(repeating: Counts(), count: old.directory.kinds.count)
        compare()
        assert(counts.old == counts.same + counts.moved + counts.gone, "an old reload is lost")
        assert(counts.new == counts.same + counts.moved + counts.added, "a new reload is lost")
        assert(moves.count == counts.moved, "a move is not counted")
        moves.sort()
        if !moves.isEmpty { medianMove = moves[moves.count / 2] }
        sum()
        explain()
    }

    // MARK: - Pairs

    /// Compares the reloads of all widgets.
    private mutating func compare() {
        let widgets = old.directory.widgets.count
        let before = Self.numbers(old.reloads, widgets: widgets)
        let after = Self.numbers(new.reloads, widgets: widgets)
        for widget in 0..<widgets { compare(before[widget], with: after[widget]) }
    }

    /// The indices of each widget's reloads, in order of time.
    private static func numbers(
        _ reloads: ContiguousArray<DecisionStory.Reload>,
        widgets: Int
    ) -> [[UInt32]] {
        var numbers = [[UInt32]](repeating: [], count: widgets)
        for (index, reload) in reloads.enumerated() {
            numbers[Int(reload.widget)].append(UInt32(index))
        }
        return numbers
    }

    /// Compares the reloads of one widget, which are given by their indices in the two stories.
    private mutating func compare(_ before: [UInt32], with after: [UInt32]) {
        for number in before { count(old.reloads[Int(number)]) { $0.old += 1 } }
        for number in after { count(new.reloads[Int(number)]) { $0.new += 1 } }
        var (lost, found) = pairByCause(before, with: after)
        lost.sort { (old.reloads[Int($0)].asked, $0) < (old.reloads[Int($1)].asked, $1) }
        found.sort { (new.reloads[Int($0)].asked, $0) < (new.reloads[Int($1)].asked, $1) }
        pairByWait(lost, with: found)
    }

    /// The order in which reloads are paired: those for dates last, then by input and time.
    private func key(_ reload: DecisionStory.Reload) -> (Int, WallTime, WallTime) {
        (reload.cause.isDate ? 1 : 0, reload.asked, reload.at)
    }

    /// Pairs reloads that the same input asked for, and returns the others.
    private mutating func pairByCause(
        _ before: [UInt32],
        with after: [UInt32]
    ) -> (old: [UInt32], new: [UInt32]) {
        let before = before.sorted { key(old.reloads[Int($0)]) < key(old.reloads[Int($1)]) }
        let after = after.sorted { key(new.reloads[Int($0)]) < key(new.reloads[Int($1)]) }
        var (lost, found): ([UInt32], [UInt32]) = ([], [])
        var (first, second) = (0, 0)
        while first < before.count && second < after.count {
            let left = key(old.reloads[Int(before[first])])
            let right = key(new.reloads[Int(after[second])])
            if (left.0, left.1) == (right.0, right.1) {
                pair(before[first], with: after[second])
                first += 1
                second += 1
            } else if (left.0, left.1) < (right.0, right.1) {
                lost.append(before[first])
                first += 1
            } else {
                found.append(after[second])
                second += 1
            }
        }
        lost += before[first...]
        found += after[second...]
        return (lost, found)
    }

    /// Pairs reloads whose waits overlap; the others are gone or new. Reloads for dates are never
    /// paired here.
    private mutating func pairByWait(_ lost: [UInt32], with found: [UInt32]) {
        var (first, second) = (0, 0)
        while first < lost.count || second < found.count {
            let left = first < lost.count ? old.reloads[Int(lost[first])] : nil
            let right = second < found.count ? new.reloads[Int(found[second])] : nil
            if let left, let right, !left.cause.isDate, !right.cause.isDate,
                left.asked <= right.at, right.asked <= left.at
            {
                pair(lost[first], with: found[second])
                first += 1
                second += 1
            } else if let left, right == nil || left.asked <= right!.asked {
                addGone(lost[first], reload: left)
                first += 1
            } else if let right {
                addNew(found[second], reload: right)
                second += 1
            }
        }
    }

    /// Counts two reloads as one that both plays have, and that has moved if their times differ.
    private mutating func pair(_ before: UInt32, with after: UInt32) {
        let left = old.reloads[Int(before)]
        let right = new.reloads[Int(after)]
        if left.at == right.at { return count(right) { $0.same += 1 } }
        count(right) { $0.moved += 1 }
        moves.append(right.at - left.at)
        chosen[.moved]!.offer(ChosenChange(at: left.at, old: before, new: after))
    }

    private mutating func addGone(_ number: UInt32, reload: DecisionStory.Reload) {
        count(reload) { $0.gone += 1 }
        chosen[.gone]!.offer(ChosenChange(at: reload.at, old: number))
    }

    private mutating func addNew(_ number: UInt32, reload: DecisionStory.Reload) {
        count(reload) { $0.added += 1 }
        chosen[.new]!.offer(ChosenChange(at: reload.at, new: number))
    }

    /// Changes the counts of all kinds, and those of a reload's kind.
    private mutating func count(_ reload: DecisionStory.Reload, body: (inout Counts) -> Void) {
        body(&counts)
        body(&counted[Int(reload.kind)])
    }

    // MARK: - Sums

    /// Fills in the counts by kind and the waiting reloads by reason.
    private mutating func sum() {
        let names = old.directory.kinds
        let rows = counted.indices.filter { counted[$0].old + counted[$0].new > 0 }.map {
            Row(app: names[$0].app, kind: names[$0].kind, counts: counted[$0])
        }
        kinds = rows.sorted { left, right in
            let (less, more) = (left.counts.changes, right.counts.changes)
            return (more, left.app, left.kind) < (less, right.app, right.kind)
        }
        for reason in DecisionReason.allCases
        where old.postponed[reason] + new.postponed[reason] > 0 {
            postponed.append(
                Postponement(
                    reason: reason.name,
                    old: old.postponed[reason],
                    new: new.postponed[reason],
                    oldMean: old.meanWait(reason),
                    newMean: new.meanWait(reason)
                )
            )
        }
    }

    // MARK: - Why

    /// Fills in the examples, with the reasons for each.
    private mutating func explain() {
        let changes = Change.allCases.flatMap { change in
            chosen[change]!.sorted.map { (change, $0) }
        }
        let widgets = Set(changes.map { reload($0.1).widget })
        let before = DecisionReasons(old.notes.filter { widgets.contains($0.widget) })
        let after = DecisionReasons(new.notes.filter { widgets.contains($0.widget) })
        examples = changes.map { example($0.0, chosen: $0.1, before: before, after: after) }
        chosen = [:]
    }

    private func reload(_ change: ChosenChange) -> DecisionStory.Reload {
        if let number = change.new { return new.reloads[Int(number)] }
        return old.reloads[Int(change.old!)]
    }

    private func example(
        _ change: Change,
        chosen: ChosenChange,
        before: DecisionReasons,
        after: DecisionReasons
    ) -> Example {
        let left = chosen.old.map { old.reloads[Int($0)] }
        let right = chosen.new.map { new.reloads[Int($0)] }
        let reload = reload(chosen)
        let reported: (reason: DecisionReason?, text: String) =
            switch change {
            case .gone: after.whyNot(reload, rules: "the new rules")
            case .new: before.whyNot(reload, rules: "the old rules")
            case .moved: DecisionReasons.whyMoved(from: left!, to: right!)
            }
        return Example(
            change: change,
            widget: old.directory.widgets[Int(reload.widget)],
            kind: old.directory.kinds[Int(reload.kind)].kind,
            oldAt: left?.at,
            newAt: right?.at,
            asked: reload.asked,
            cause: reload.cause.rawValue,
            reason: reported.reason?.name,
            why: reported.text
        )
    }
}

extension DecisionDiff.Counts {
    /// The number of reloads that differ.
    var changes: Int { added + gone + moved }
}
