internal import Basics
internal import FrameCodec
internal import ReloadScheduling
internal import WidgetMatching

/// Checks that an input of a log fits the state, so that applying it cannot trap.
extension ReloadState {
    /// Why an input does not fit this state, as the beginning of a sentence; nil if it fits.
    mutating func problem(
        with input: borrowing RouterInput,
        charging out: inout Outbox
    ) -> String? {
        switch input {
        case .clock(let time, let schedule):
            return reloads.clock.problem(with: time, schedule: schedule)
        case .sessionOpened(_, _, let app, _), .appPaused(let app, _):
            return reloads.catalog.apps.has(app) ? nil : "there is no app \(app)"
        case .deviceReported(let app, _, _):
            if fanOuts.isSearching { return "a report within a batch" }
            return reloads.catalog.apps.has(app) ? nil : "there is no app \(app)"
        case .deviceFrame(let connection, _, _):
            // The frame may remove a widget that a match of the batch names.
            if fanOuts.isSearching { return "a frame within a batch" }
            return reloads.delivery.problem(withSessionOn: connection)
        case .sessionEnded(let connection):
            return reloads.delivery.problem(withSessionOn: connection)
        case .deviceAttached(let connection, let device):
            return reloads.delivery.problem(withSessionOn: connection)
                ?? reloads.delivery.problem(with: device)
        case .tokensConfirmed(let device):
            return reloads.apns.problem(withTokensOf: device, in: reloads.delivery)
        case .deviceForgotten(let device): return problem(withEndOf: device)
        case .tokensRevoked(let app, let device, let before):
            let count = reloads.catalog.apps.count
            return revocations.problem(with: before, of: device, app: app, apps: count)
        case .matched(let source, let areApplied, let pushes, let matches):
            return problem(with: source, areApplied: areApplied)
                ?? problem(with: pushes, of: source, charging: &out)
                ?? problem(with: matches, of: pushes)
        case .batchEnded(let source, let last, let count):
            return problem(withBatchOf: source, last: last, count: count)
        case .pushesAccepted, .pushesSettled, .permitsLent, .permitsBorrowed:
            return problemOfPartition(with: input, charging: &out)
        case .timersFired(let widgets):
            for index in widgets.indices where !matcher.index.isStored(widgets[index]) {
                return "there is no widget \(widgets[index])"
            }
            return nil
        case .delivered(let device):
            if let problem = reloads.delivery.problem(with: device) { return problem }
            return reloads.delivery.isAttached(reloads.delivery.devices[device])
                || reloads.delivery.isAPNsPushDue(to: device)
                ? nil : "no session speaks for device \(device)"
        case .catalogInstalled(let declarations, _, let revision, let change):
            if let problem = problem(withRevision: revision) { return problem }
            return change == nil ? problem(withInstalling: declarations) : problemOfFanOuts
        case .catalogChanged(let declared, _, _, _, _):
            return problem(withInstalling: declared, isPortion: true)
        case .portionApplied(let count):
            return count <= fanOuts.first?.count ?? -1
                ? nil : "\(count) matches are more than wait"
        case .slotsTaken(let kind, _):
            return reloads.catalog.kinds.has(kind) ? nil : "there is no kind \(kind)"
        case .producersForgotten, .pushRejected, .rejectionWithdrawn, .requestBegan, .requestEnded,
            .requestKeysForgotten:
            return publishers.problem(with: input)
        case .apnsPushEnded(let device, let number, _):
            return reloads.apns.problem(withPush: number, to: device, in: reloads.delivery)
        case .rulesAdopted(let count):
            return reloads.catalog.problem(withAdoptionBy: count, in: reloads.delivery)
        case .permitsGranted, .originsPassed, .restarted: return nil
        }
    }

    /// Why no app file can be installed now, nor a portion of one; nil if it can.
    private var problemOfFanOuts: String? {
        fanOuts.isEmpty && batch.pushes.isEmpty ? nil : "an app file is installed during a fan-out"
    }

    private func problem(
        withInstalling declarations: AppCatalog,
        isPortion: Bool = false
    ) -> String? {
        if isPortion,
            reloads.catalog.missingKindNumbers(declarations, limit: limits.kindNumbers) > 0
        {
            return "there are no numbers for more kinds"
        }
        return problemOfFanOuts
            ?? reloads.catalog.problemOfNumbers(
                with: declarations,
                limits: limits,
                matcher: matcher
            )
    }

    private func problem(withEndOf device: DeviceID) -> String? {
        // A match of the batch may name its widgets.
        if fanOuts.isSearching { return "a device is removed within a batch" }
        return reloads.delivery.problem(with: device)
    }

    private func problem(with source: PushSource, areApplied: Bool) -> String? {
        switch source {
        case .producer(let producer):
            if !publishers.producers.isKnown(producer) {
                return "there is no producer \(producer)"
            }
        case .home(let source): if let problem = problem(withHome: source) { return problem }
        }
        if fanOuts.isSearching && (areApplied || fanOuts.last?.source != source) {
            return "a batch begins within another"
        }
        if !areApplied && !fanOuts.isSearching && fanOuts.has(source) {
            return "a producer's pushes overtake each other"
        }
        return nil
    }

    private func problem(withBatchOf source: PushSource, last: UInt64, count: UInt64) -> String? {
        switch source {
        case .producer(let producer):
            let problem = publishers.problem(withBatchOf: producer, lastSeq: last, count: count)
            if let problem { return problem }
        case .home(let source):
            if let problem = problem(withHome: source) { return problem }
            let evaluated = publishers.evaluated[source.home.index]
            let problem = evaluated.problem(withRecording: batch.numbers, upTo: last)
            if let problem { return problem }
        }
        if fanOuts.isSearching && fanOuts.last?.source != source {
            return "another producer's batch ends"
        }
        if count < UInt64(batch.pushes.count) || count > UInt64(WidgetMatcher.batchLimit) {
            return "a batch of \(count) pushes, of which \(batch.pushes.count) are known"
        }
        return nil
    }

    private mutating func problem(
        with pushes: Span<MatchedPush>,
        of source: PushSource,
        charging out: inout Outbox
    ) -> String? {
        var last = batch.numbers.last ?? 0
        for index in pushes.indices {
            if case .home(let source) = source {
                let number = pushes[index].number
                let problem = problem(withNumber: number, after: last, of: source.home)
                if let problem { return problem }
                last = number
            }
            // This number decides whether a widget was removed after the push came.
            if pushes[index].fanOut != UInt64(pushes[index].tag) + 1 {
                return "push \(pushes[index].tag) of a batch has the number \(pushes[index].fanOut)"
            }
            guard let payload = pushes[index].payload else { continue }
            do throws(ProtocolError) {
                try scratch.validate(payload, charging: &out)
            } catch {
                return "a payload was refused (\(error.message))"
            }
        }
        return nil
    }

    private func problem(with matches: Span<WidgetMatch>, of pushes: Span<MatchedPush>) -> String? {
        var known: UInt64 = 0
        for tag in batch.pushes.indices where batch.pushes[tag].isKnown {
            known |= 1 << UInt64(tag)
        }
        for index in pushes.indices { known |= 1 << UInt64(pushes[index].tag) }
        for index in matches.indices {
            let match = matches[index]
            if known & 1 << UInt64(match.tag) == 0 { return "a match is of no push" }
            if !matcher.index.isStored(match.widget) { return "there is no widget \(match.widget)" }
        }
        return nil
    }
}
