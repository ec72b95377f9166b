internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension DeviceReporter {
    /// Makes a report when it is about to be sent; nil if none is needed any more.
    typealias Maker = @Sendable (isolated DeviceReporter) throws(ReportError) -> Report?

    /// How often a registration is sent once more because another process has stored another one
    /// while it was under way; the next call sends what is stored later.
    private static var overtakings: Int { 3 }

    /// The last registration that the router has confirmed to any process.
    private var lastConfirmed: ConfirmedRegistration? { unsaved ?? memory.confirmed }

    /// The registration, if the router has not confirmed it lately.
    func unconfirmed() throws(ReportError) -> Report? {
        guard let registration = memory.registration else { return nil }
        let destination = try destination.text
        if let last = lastConfirmed, last.registration == registration,
            last.destination == destination
        {
            let age = system.now().timeIntervalSince(last.date)
            // A date in the future is one of a clock that was wrong.
            if 0 <= age && age < limits.registrationAge / .seconds(1) { return nil }
        }
        return try Report(registration)
    }

    /// Sends a report about registered widgets, after a registration that is not confirmed. If the
    /// router does not know the widgets, it has lost the registration, and gets it once more.
    ///
    /// - Parameters:
    ///   - report: the report.
    ///   - time: how long it may take with everything; nil for `ReportLimits.callTime`.
    /// - Returns: the answer's body.
    /// - Throws: the last attempt's error.
    @discardableResult
    func sendRegistered(_ report: Report, time: Duration? = nil) async throws(ReportError) -> Data {
        let end = system.uptime() + (time ?? limits.callTime)
        do throws(ReportError) {
            try await sendRegistration(until: end)
        } catch {
            // If it is refused for good, the router may know the widgets from an earlier one.
            guard case .refused(let status, _, _) = error, !error.isTemporary,
                status != 401, status != 403
            else { throw error }
        }
        do throws(ReportError) {
            return try await send({ _ in report }, until: end) ?? Data()
        } catch {
            guard case .refused(404, let code, _) = error,
                code == "device-unknown" || code == "widget-unknown",
                let widgets = memory.widgets, !widgets.isEmpty
            else { throw error }
        }
        let register: Maker = { reporter throws(ReportError) in
            guard let registration = reporter.memory.registration else { return nil }
            return try Report(registration)
        }
        _ = try await send(register, until: end)
        return try await send({ _ in report }, until: end) ?? Data()
    }

    /// Sends the registration until the router has confirmed it.
    ///
    /// - Parameter end: the uptime from which on no other attempt begins.
    /// - Returns: whether a request was needed.
    /// - Throws: the last attempt's error.
    @discardableResult
    func sendRegistration(until end: Duration) async throws(ReportError) -> Bool {
        let register: Maker = { reporter throws(ReportError) in try reporter.unconfirmed() }
        guard try await send(register, until: end) != nil else { return false }
        // Once more if another process has stored another registration in the meantime.
        for _ in 0..<Self.overtakings where lastConfirmed?.registration != memory.registration {
            _ = try await send(register, until: end)
        }
        return true
    }

    /// Sends a report until it is answered, or the time is over.
    ///
    /// - Parameters:
    ///   - make: makes the report.
    ///   - end: the uptime from which on no other attempt begins.
    /// - Returns: the answer's body; nil if there was nothing to send.
    /// - Throws: the last attempt's error.
    func send(_ make: Maker, until end: Duration) async throws(ReportError) -> Data? {
        var pauses = RetryPauses(limits)
        var hasRenewedToken = false
        while true {
            try await waitForRouter(until: end)
            // The app's backend is not asked for a credential in vain.
            if try make(self) == nil { return nil }
            do throws(Failure) {
                return try await attempt(make, until: end)
            } catch {
                if case .refused(401, _, _) = error.error, !hasRenewedToken {
                    hasRenewedToken = true
                    continue
                }
                guard error.error.isTemporary && !error.mayBeApplied else { throw error.error }
                let pause = pauses.next(random: system.random) + (error.retryAfter ?? .zero)
                guard system.uptime() + pause < end else { throw error.error }
                try await sleep(pause)
            }
        }
    }

    /// Waits until the date before which the router asks to be left alone.
    private func waitForRouter(until end: Duration) async throws(ReportError) {
        guard let date = memory.pauseEnd else { return }
        let rest = Duration.seconds(date.timeIntervalSince(system.now()))
        // A date that is further away is one of a clock that was wrong.
        guard rest > .zero && rest <= limits.longestRetryAfter else { return }
        guard system.uptime() + rest < end else { throw .postponed(until: date) }
        try await sleep(rest)
    }

    private func sleep(_ time: Duration) async throws(ReportError) {
        do {
            try await system.sleep(time)
        } catch {
            throw .cancelled
        }
    }

    /// Sends a report once, when no other request of this reporter is under way.
    private func attempt(_ make: Maker, until end: Duration) async throws(Failure) -> Data? {
        let credential = try await credential()
        await beginRequest()
        defer { endRequest() }
        let request: URLRequest
        let report: Report
        let place: Destination
        do throws(ReportError) {
            if Task.isCancelled { throw .cancelled }
            guard let made = try make(self) else { return nil }
            report = made
            place = try destination
            request = try place.request(
                report,
                token: credential,
                time: max(.seconds(1), min(limits.requestTime, end - system.uptime()))
            )
        } catch {
            throw Failure(error)
        }
        let data: Data
        do throws(Failure) {
            data = try await exchange(request, isRepeatable: report.isRepeatable)
        } catch {
            if case .refused(401, _, _) = error.error, token == credential { token = nil }
            throw error
        }
        if let registration = report.registration { confirm(registration, at: place) }
        return data
    }

    /// The credential: the last one, or another one of the app's backend.
    private func credential() async throws(Failure) -> String {
        if let token { return token }
        do {
            let token = try await provideToken()
            self.token = token
            return token
        } catch let error as URLError {
            throw Failure(ReportError(error))
        } catch {
            throw Failure(Task.isCancelled ? .cancelled : .tokenUnavailable("\(error)"))
        }
    }

    private func confirm(_ registration: Registration, at destination: Destination) {
        let confirmed = ConfirmedRegistration(
            registration: registration,
            destination: destination.text,
            date: system.now()
        )
        do {
            try memory.save(confirmed, at: .confirmed)
            unsaved = nil
        } catch {
            unsaved = confirmed
        }
    }

    /// Sends a request and judges the answer.
    private func exchange(_ request: URLRequest, isRepeatable: Bool) async throws(Failure) -> Data {
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await system.transport(request)
        } catch let error as URLError {
            let mayBeApplied = !isRepeatable && !error.isBeforeRequest
            throw Failure(
                Task.isCancelled ? .cancelled : ReportError(error),
                mayBeApplied: mayBeApplied
            )
        } catch {
            throw Failure(Task.isCancelled ? .cancelled : .unreachable("\(error)"))
        }
        guard let answer = response as? HTTPURLResponse else {
            throw Failure(.answerInvalid("it is none of HTTP"))
        }
        if (200..<300).contains(answer.statusCode) { return data }
        throw refusal(answer, data: data, isRepeatable: isRepeatable)
    }

    /// What a refusal means for another attempt; the time that the router asks for is remembered.
    private func refusal(_ answer: HTTPURLResponse, data: Data, isRepeatable: Bool) -> Failure {
        let problem = try? JSONDecoder().decode(ProblemBody.self, from: data)
        let error = ReportError.refused(
            status: answer.statusCode,
            code: problem?.code ?? "",
            message: problem?.detail
                ?? HTTPURLResponse.localizedString(forStatusCode: answer.statusCode)
        )
        var retryAfter: Duration?
        if error.isTemporary, let text = answer.value(forHTTPHeaderField: "Retry-After"),
            let wait = RetryAfter.duration(text, now: system.now())
        {
            let wait = min(wait, limits.longestRetryAfter)
            retryAfter = wait
            try? memory.save(system.now() + wait / .seconds(1), at: .pause)
        }
        // After `store-failing`, the change is made, and lasts once the store can be written. Other
        // answers, such as a proxy's, leave open whether it is.
        let isUnapplied =
            [408, 429].contains(answer.statusCode)
            || answer.statusCode == 503 && problem?.code != "store-failing"
        let mayBeApplied = !isRepeatable && !isUnapplied
        return Failure(error, retryAfter: retryAfter, mayBeApplied: mayBeApplied)
    }

    /// The date of SCHEDULED; nil if there is none.
    func scheduledDate(_ data: Data) throws(ReportError) -> Date? {
        if data.isEmpty { return nil }
        guard let body = try? JSONDecoder().decode(ScheduledBody.self, from: data) else {
            throw .answerInvalid("it is not the body of SCHEDULED")
        }
        return Date(timeIntervalSince1970: body.reloadAt / 1_000)
    }

    /// Waits until no request is under way.
    private func beginRequest() async {
        guard isSending else {
            isSending = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Lets the next task send its request.
    private func endRequest() {
        if waiting.isEmpty {
            isSending = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
