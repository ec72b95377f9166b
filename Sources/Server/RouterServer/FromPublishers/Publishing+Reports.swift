internal import AdminAPI
internal import Basics
internal import LibuvLoop
internal import Platform
internal import RouterCore
internal import RouterStore

/// Reports of devices that hold no session, which `PublishListener` reads.
extension Publishing {
    /// Applies a device's report, or queues it after those that wait.
    func report(_ report: DeviceReport, for exchange: PublishExchange) {
        let begin = core.now.monotonic
        let waiting = DeviceReports.Waiting(report: report, exchange: exchange, begin: begin)
        if !reports.waiting.isEmpty || !apply(waiting) {
            reports.waiting.append(waiting)
        }
        core.scheduleTick()
    }

    /// Applies reports that have waited, until `end`. Those of an app that has used up its share of
    /// the work do not delay others.
    func applyWaitingReports(until end: ExactTime) {
        reports.restEnd = nil
        if reports.waiting.isEmpty { return }
        var waiting: [DeviceReports.Waiting] = []
        swap(&waiting, &reports.waiting)
        var left: [DeviceReports.Waiting] = []
        var needsTick = false
        for report in waiting {
            let mayBegin = !core.router.isBusy && ExactTime.now < end
            let isDone = mayBegin && core.part(paidBy: report.exchange.payer) { apply(report) }
            // A tick submits and answers what was applied, and tries again what was not tried.
            // What was refused its share has seen to its own next time.
            if isDone || !mayBegin { needsTick = true }
            if !isDone { left.append(report) }
        }
        reports.waiting = left + reports.waiting
        if needsTick { core.scheduleTick() }
        if core.phase == .draining { endIfEmpty() }
    }

    /// Applies a report, or refuses it. Returns false if it has to wait: the router is busy, or the
    /// reports of its app were too costly.
    private func apply(_ waiting: DeviceReports.Waiting) -> Bool {
        if core.phase != .serving {
            waiting.exchange.answer(.problem(.draining))
            return true
        }
        let report = waiting.report
        if !admitReport(of: report.app) { return false }
        core.setArrivalTime()
        defer { core.limitWork() }
        do throws(AdminProblem) {
            try requireGood(waiting.exchange)
            try reading.requireStoreRoom()
            if reading.pauses.contains(.totalOutput) {
                throw .busy("no connection is read: too much output waits for devices")
            }
            let now = core.now
            let begin = core.loop.meter.mark
            defer {
                core.router.measured(core.loop.meter.time(since: begin), ofReports: report.app)
            }
            let answer = try refusing(
                try report.body.withByteView { (body) throws(ProtocolError) in
                    try core.router.report(
                        report.type,
                        of: report.device,
                        app: report.app,
                        isOfGateway: report.isOfGateway,
                        body: body,
                        isMeasured: true,
                        now: now
                    )
                }
            )
            reports.applied.append(
                DeviceReports.Applied(
                    exchange: waiting.exchange,
                    answer: PublishAnswer(answer),
                    begin: now.monotonic
                )
            )
        } catch {
            waiting.exchange.answer(PublishAnswer(error))
        }
        return true
    }

    /// Admits a report of an app or, if it has to wait, makes sure that it is tried again: once the
    /// app has rested (`restEnd`), or in the next tick, which counts the app among those that share
    /// its work. Returns false if it has to wait.
    private func admitReport(of app: String) -> Bool {
        if core.router.isBusy { return false }
        if let end = core.router.restEnd(ofReports: app) {
            reports.restEnd = min(reports.restEnd ?? .max, end)
            return false
        }
        if !core.router.isOverdrawn(reportsOf: app) { return true }
        core.router.waits(reportsOf: app)
        core.scheduleTick()
        return false
    }

    // MARK: - Answers

    /// Answers the reports that are durable now.
    func answerReports() {
        if reports.isEmpty { return }
        if !reports.applied.isEmpty {
            // Usually the tick has done that, and nothing is left to submit.
            core.submit()
            for var report in reports.applied {
                report.position = core.journalEnd
                reports.uncommitted.append(report)
            }
            reports.applied.removeAll(keepingCapacity: true)
        }
        let committed = core.driver?.committed ?? .max
        let ready = reports.uncommitted.prefix { $0.position <= committed }
        if ready.isEmpty { return }
        reports.uncommitted.removeFirst(ready.count)
        for report in ready { report.exchange.answer(report.answer) }
        if core.phase == .draining { endIfEmpty() }
    }

    /// Answers reports that have waited too long, for the router or for the store.
    func answerLateReports() {
        let now = core.now.monotonic
        let late = reports.waiting.prefix { $0.begin < now - Self.publisherPatience }
        reports.waiting.removeFirst(late.count)
        if reports.waiting.isEmpty { reports.restEnd = nil }
        for waiting in late {
            let app = waiting.report.app
            let isCostly = core.router.restEnd(ofReports: app) != nil
            let problem = isCostly ? Self.manyProblem("the reports of \(app) cost too much") : nil
            waiting.exchange.answer(.problem(problem ?? Self.lateProblem))
        }
        let overdue = reports.uncommitted.prefix {
            $0.begin < now - PushSessions.patience
        }
        reports.uncommitted.removeFirst(overdue.count)
        for report in overdue { report.exchange.answer(.problem(Self.undurableProblem)) }
        if core.phase == .draining { endIfEmpty() }
    }

    private static var undurableProblem: AdminProblem {
        AdminProblem(
            503,
            code: "store-failing",
            detail: "the report is applied, but not durable after \(PushSessions.patience) ms"
        )
    }
}
