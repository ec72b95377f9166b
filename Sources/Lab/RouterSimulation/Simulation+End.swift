internal import RouterCore

/// The checks at the end of a run.
extension Simulation {
    /// Checks everything that must hold at the end, and completes the record.
    ///
    /// - Throws: the first violation of a rule.
    mutating func finish() throws(Violation) {
        try step()
        try checker.balanced(driver.router.decisionSums(isCounted: true))
        try checker.balanced(driver.router.slotSums)
        if let number = publishers.unacknowledged.firstIndex(where: { !$0.isEmpty }) {
            throw Violation("reasons", "a push of publisher p-\(number) was never acknowledged")
        }
        checker.endPushes()
        try settleOwed()
        for widget in fleet.widgets.indices {
            try checker.spent(UInt32(widget), views: Int(fleet.widgets[widget].views))
        }
        record.budgets = budgetUse()
    }

    /// Checks that the router can explain every open cause for which no RELOAD was sent.
    private func settleOwed() throws(Violation) {
        var owed = 0
        var unexplained = 0
        for number in 0..<UInt32(fleet.widgets.count) where checker.isOwed(number, at: now) {
            let device = fleet.widgets[Int(number)].device
            let place = number - fleet.devices[Int(device)].firstWidget
            owed += 1
            let account = driver.router.account(ofWidget: place, device: device, start: start)
            if try !checker.settled(number, account, at: now) { unexplained += 1 }
        }
        try checker.settled(owed: owed, unexplained: unexplained)
    }
}
