internal import RouterCore

/// The checks at the end of a run.
extension Simulation {
    /// Checks everything that must hold at the end, and completes the record.
    ///
    /// - Throws: the first violation of a rule.
    mutating func finish() throws(Violation) {
        try step()
        try checker.balanced(DecisionSums(of: driver.router, isCounted: true))
        try checkSlots()
        try checkTables()
        if let number = publishers.unacknowledged.firstIndex(where: { !$0.isEmpty }) {
            throw Violation(
                "reasons",
                text: "a push of publisher p-\(number) was never acknowledged"
            )
        }
        checker.endPushes()
        try checkOpenReloads()
        for widget in fleet.widgets.indices {
            try checker.judgeCharges(UInt32(widget), views: fleet.widgets[widget].views)
        }
        record.budgets = budgetUse()
    }

    /// Checks that the router can explain every open cause for which no RELOAD was sent.
    private func checkOpenReloads() throws(Violation) {
        var openCount = 0
        var unexplained = 0
        for number in 0..<UInt32(fleet.widgets.count) where checker.isReloadOpen(number, at: now) {
            let device = fleet.widgets[Int(number)].device
            let position = number - fleet.devices[Int(device)].firstWidget
            openCount += 1
            let account = ReloadAccount(
                ofWidget: "w\(position)",
                device: fleet.devices[Int(device)].model.name,
                in: driver.router,
                start: start
            )
            if try !checker.settled(number, account: account, at: now) { unexplained += 1 }
        }
        try checker.settled(openCount: openCount, unexplained: unexplained)
    }
}
