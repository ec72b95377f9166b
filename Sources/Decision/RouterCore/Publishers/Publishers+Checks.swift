internal import Basics
internal import FrameCodec

/// Checks: whether what a log says of publishers can be, and whether their tables agree.
extension Publishers {
    /// Checks that each publisher's session and its producer refer to each other, and that no
    /// session's number is higher than the last one given.
    func checkSpeakers(
        of delivery: borrowing DeliveryTable,
        lastSession: UInt64
    ) throws(InvariantViolation) {
        var publisherCount = 0
        for connection in delivery.sessions.ids {
            let record = delivery.sessions[connection]
            try checkInvariant(
                record.number <= lastSession,
                otherwise: "connection \(connection) has session \(record.number), "
                    + "and the last one was \(lastSession)"
            )
            if record.role != .publisher { continue }
            publisherCount += 1
            let producer = record.producer
            try checkInvariant(
                producers.isKnown(producer)
                    && producers[producer].app == record.app
                    && producers[producer].connection == connection
                    && producers[producer].session == record.number,
                otherwise: "the session on connection \(connection) speaks for producer "
                    + "\(producer), which has another one"
            )
        }
        var spokenFor = 0
        for producer in producers.slots.ids
        where producers.isKnown(producer) && producers[producer].hasSession {
            spokenFor += 1
        }
        try checkInvariant(
            publisherCount == spokenFor,
            otherwise:
                "\(publisherCount) sessions of publishers are open, and \(spokenFor) producers "
                + "have one"
        )
    }

    /// Why an input does not fit, as the beginning of a sentence; nil if it fits. So do all of
    /// these functions answer.
    func problem(with input: borrowing RouterInput) -> String? {
        switch input {
        case .producersForgotten(let list): problem(withForgetting: list)
        case .pushRejected(let producer, let seq, _): problem(withRejectionOf: seq, of: producer)
        case .rejectionWithdrawn(let producer, let seq):
            problem(withWithdrawalOf: seq, of: producer)
        case .requestBegan(let producer, let key, let firstSeq):
            problem(withRequestOf: producer, key: key, firstSeq: firstSeq)
        case .requestEnded(let producer, let lines):
            problem(withEndOfRequestOf: producer, lines: lines)
        case .requestKeysForgotten(let app, let count):
            problem(withForgettingKeysOf: app, count: count)
        default: preconditionFailure("\(input.tag) is not of publishers alone")
        }
    }

    /// Why producers cannot be forgotten.
    private func problem(withForgetting list: Span<ProducerID>) -> String? {
        var seen: Set<ProducerID> = []
        for index in list.indices {
            let producer = list[index]
            if !producers.isKnown(producer) || !seen.insert(producer).inserted {
                return "there is no producer \(producer)"
            }
            if !producers[producer].isIdle {
                return "producer \(producer) was forgotten while it was in use"
            }
        }
        return nil
    }

    /// Why a push cannot have been rejected.
    private func problem(withRejectionOf seq: UInt64, of producer: ProducerID) -> String? {
        if !producers.isKnown(producer) { return "there is no producer \(producer)" }
        return seq > 0 ? nil : "a push without a number was rejected"
    }

    /// Why the rejection of a push cannot be withdrawn.
    private func problem(withWithdrawalOf seq: UInt64, of producer: ProducerID) -> String? {
        if !producers.isKnown(producer) { return "there is no producer \(producer)" }
        return producers.rejections.has(seq, of: producer)
            ? nil : "push \(seq) of producer \(producer) was not rejected"
    }

    /// Why the last push of a batch cannot have this number.
    func problem(withBatchOf producer: ProducerID, lastSeq: UInt64, count: UInt64) -> String? {
        if !producers.isKnown(producer) { return "there is no producer \(producer)" }
        let former = producers[producer].lastSeq
        if lastSeq <= former {
            return "the push numbers of producer \(producer) go back from \(former) to \(lastSeq)"
        }
        guard let request = requestKeys.open[producer] else { return nil }
        let next = request.firstSeq + UInt64(request.lines)
        let end = request.firstSeq + UInt64(RequestKeyTable.linesLimit)
        return lastSeq < next || lastSeq >= end || count > lastSeq - next + 1
            ? "push \(lastSeq) of producer \(producer) is of no line of its request" : nil
    }

    /// Why a request cannot begin.
    private func problem(
        withRequestOf producer: ProducerID,
        key: RequestKey,
        firstSeq: UInt64
    ) -> String? {
        if !producers.isKnown(producer) || !producers[producer].hasSession {
            return "no session speaks for producer \(producer)"
        }
        if requestKeys.open[producer] != nil {
            return "a request of producer \(producer) begins within another"
        }
        if firstSeq <= producers[producer].lastSeq || firstSeq > RouterLimits.numberLimit {
            return "a request begins with push \(firstSeq) of producer \(producer)"
        }
        if let number = requestKeys.find(key) {
            let entry = requestKeys.slots[number]
            if entry.key != key || entry.isAnswered { return "a request that has ended begins" }
        }
        return nil
    }

    /// Why a request cannot end.
    private func problem(withEndOfRequestOf producer: ProducerID, lines: Int) -> String? {
        guard let request = requestKeys.open[producer] else {
            return "no request of producer \(producer) is under way"
        }
        return lines == 0 || lines >= request.lines
            ? nil : "a request of \(request.lines) lines ends after \(lines)"
    }

    /// Why this number of keys of an app cannot be forgotten.
    private func problem(withForgettingKeysOf app: AppID, count: Int) -> String? {
        count > 0 && count <= requestKeys.count(of: app)
            ? nil : "app \(app) has fewer than \(count) keys of requests"
    }

    // MARK: - Invariants

    /// Checks both tables, and that exactly the producers with a fan-out are marked as fanning out.
    func checkInvariants(
        fanningOut: Set<ProducerID>,
        running: Milliseconds
    ) throws(InvariantViolation) {
        try producers.checkInvariants(running: running)
        try requestKeys.checkInvariants()
        try checkHomes()
        for producer in producers.slots.ids where producers.isKnown(producer) {
            try checkInvariant(
                producers[producer].isFanningOut == fanningOut.contains(producer),
                otherwise: "producer \(producer) waits for its fan-out, and has none, "
                    + "or has one and does not wait"
            )
        }
    }

    /// Checks that exactly the producers of pushes that are not settled count them.
    private func checkHomes() throws(InvariantViolation) {
        try unsettled.checkInvariants()
        for home in evaluated { try home.checkInvariants() }
        var kept: [ProducerID: UInt32] = [:]
        var entries = unsettled.entries(after: unsettled.settled)
        while let entry = entries.next() { kept[entry.producer, default: 0] += 1 }
        for producer in producers.slots.ids where producers.isKnown(producer) {
            let count = kept.removeValue(forKey: producer) ?? 0
            try checkInvariant(
                producers[producer].unsettled == count,
                otherwise: "\(count) pushes of producer \(producer) are not settled, and it counts "
                    + "\(producers[producer].unsettled)"
            )
        }
        try checkInvariant(
            kept.isEmpty,
            otherwise: "pushes of producers that are not known are not settled"
        )
    }
}
