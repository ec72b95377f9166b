package import APNsConnections
package import APNsProtocol
internal import Basics
package import HTTP2
internal import LibuvLoop
internal import Logging
internal import Platform
internal import RouterCore

/// What becomes of pushes: kept here until the next tick reports it to the router.
extension APNsDelivery: APNsPoolOwner {
    /// Records an answer.
    package func pool(_ pool: APNsPool, answered number: UInt64, with answer: APNsAnswer) {
        guard let push = remove(number) else { return }
        metrics.answerTime.record(ExactTime.now - push.sentAt)
        if let strangeness = answer.strangeness {
            metrics.refusals[APNsMetrics.strangeReason, default: 0] &+= 1
            warn(of: strangeness, to: push)
        } else if answer.status != 200 {
            metrics.refusals[answer.reason?.rawValue ?? APNsMetrics.otherReason, default: 0] &+= 1
            logger.debug(
                "APNs refuses a push",
                metadata: [
                    "app": "\(push.lane.app)", "id": "\(id(of: push.number))",
                    "status": "\(answer.status)", "reason": "\(answer.text)",
                ]
            )
        }
        record(push, ending: .answered(answer))
    }

    /// Records that a push has no answer.
    package func pool(_ pool: APNsPool, ended number: UInt64, by ending: HTTP2Ending) {
        guard let push = remove(number) else { return }
        record(push, ending: .unanswered(ending))
        mailbox.wake()
    }

    /// Makes a tick follow if pushes wait for room.
    package func poolHasRoom(_ pool: APNsPool) {
        if hasWaiting { mailbox.wake() }
    }

    /// Logs that a connection is lost; what has become of its pushes is said after this.
    package func pool(_ pool: APNsPool, lostConnectionBecause reason: String) {
        metrics.lostConnectionCount &+= 1
        let service = services.first { $0.pool === pool }
        logger.notice(
            "a connection to APNs is lost",
            metadata: [
                "credential": "\(service.map { $0.provider.name.text } ?? "-")",
                "environment": "\(service.map { $0.environment.rawValue } ?? "-")",
                "reason": "\(reason)",
            ]
        )
        mailbox.wake()
    }

    private func warn(of strangeness: String, to push: PushesUnderWay.Entry) {
        let environment = push.service.environment
        logger.warning(
            "what answers for APNs is not APNs, and is not believed: pushes wait",
            metadata: [
                "app": "\(push.lane.app)", "environment": "\(environment.rawValue)",
                "host": "\(settings.target(of: environment).host)", "answer": "\(strangeness)",
            ]
        )
    }

    private func record(_ push: PushesUnderWay.Entry, ending: EndedPush.Ending) {
        // The answers of a callback are those of apps in turn: the first one pays for all.
        if payer == nil { payer = push.lane.group }
        ended.append(EndedPush(push: push, ending: ending))
    }

    /// What the end of a push means for the router, and for its lane.
    func outcome(of ended: EndedPush, at now: Instant) -> APNsPushOutcome {
        switch ended.ending {
        case .postponed(let pause): return .postponed(pause)
        case .unanswered(let ending):
            ended.push.lane.breaker.ended(at: now.monotonic)
            return ending == .notProcessed ? .postponed(.zero) : .unknown
        case .answered(let answer): return outcome(of: ended.push, by: answer, at: now)
        }
    }

    /// What an answer means for the router, and for the lane of its push.
    private func outcome(
        of push: PushesUnderWay.Entry,
        by answer: APNsAnswer,
        at now: Instant
    ) -> APNsPushOutcome {
        let lane = push.lane
        switch answer.verdict {
        case .accepted:
            accepted(lane, by: push.device)
            return .accepted
        case .tokenDead(let date):
            accepted(lane, by: push.device)
            return .tokenDead(since: date, because: answer.fault)
        case .tokenRefused:
            if lane.breaker.refusedToken(of: push.device, at: now.monotonic) {
                stopped(lane, by: answer)
            }
            return .tokenRefused(answer.fault)
        case .stopped: return stop(lane, because: answer.cause, by: answer, at: now)
        case .renewToken where push.service.provider.isCertificate:
            // There is no token that could be renewed.
            return stop(lane, because: .credentials, by: answer, at: now)
        case .renewToken:
            if !push.service.provider.tokenExpired(push.tokenNumber, at: now) {
                return stop(lane, because: .clock, by: answer, at: now)
            }
            lane.breaker.ended(at: now.monotonic)
            return .postponed(.zero)
        case .dropped:
            lane.breaker.ended(at: now.monotonic)
            return .refused
        case .strange where answer.isBusy && lane.breaker.evidence.acceptedCount > 0:
            // Apple's, as far as can be known: it has accepted pushes before.
            lane.breaker.ended(at: now.monotonic)
            let pause = APNsAnswer.pauseAfterFailure
            return .postponed(pause.spread(by: Self.randomBits()))
        case .strange: return stop(lane, because: answer.cause, by: answer, at: now)
        case .later(let pause), .elsewhere(let pause):
            lane.breaker.ended(at: now.monotonic)
            return .postponed(pause.spread(by: Self.randomBits()))
        }
    }

    /// Stops a lane; its push waits until it continues.
    private func stop(
        _ lane: APNsLane,
        because cause: LaneBreaker.Cause,
        by answer: APNsAnswer,
        at now: Instant
    ) -> APNsPushOutcome {
        if lane.breaker.stop(cause, at: now.monotonic) { stopped(lane, by: answer) }
        return .postponed(.zero)
    }

    private func accepted(_ lane: APNsLane, by device: DeviceID) {
        if !lane.breaker.accepted(device) || !lane.isCurrent { return }
        logger.notice("pushes of an app are sent again", metadata: metadata(of: lane))
    }

    /// Counts and logs that a lane has stopped.
    private func stopped(_ lane: APNsLane, by answer: APNsAnswer) {
        guard let cause = lane.breaker.cause, lane.isCurrent else { return }
        metrics.stops[cause.rawValue, default: 0] &+= 1
        var metadata = metadata(of: lane)
        metadata["reason"] = "\(answer.strangeness ?? answer.text)"
        if cause == .tokens {
            metadata["refused_devices"] = "\(lane.breaker.evidence.refusedCount)"
            metadata["accepted_pushes"] = "\(lane.breaker.evidence.acceptedCount)"
        }
        logger.error(cause.message, metadata: metadata)
    }

    private func metadata(of lane: APNsLane) -> Logger.Metadata {
        [
            "app": "\(lane.app)", "environment": "\(lane.lane.environment.rawValue)",
            "type": "\(lane.type.rawValue)",
        ]
    }
}

extension APNsAnswer {
    /// Why APNs accepts no push to the token, if that is the verdict.
    fileprivate var fault: TokenFault {
        switch reason {
        case .unregistered: .unregistered
        case .expiredToken: .expired
        case .badDeviceToken: .bad
        case .deviceTokenNotForTopic: .foreign
        default: .unknown
        }
    }
}

extension LaneBreaker.Cause {
    /// What has happened, and what an operator can do.
    fileprivate var message: Logger.Message {
        switch self {
        case .credentials:
            """
            pushes of an app are stopped: APNs refuses its key or certificate; correct "team" and \
            "key", or "certificate", in the app file, or the file that they name, and send SIGHUP
            """
        case .topic:
            """
            pushes of an app are stopped: APNs refuses its topic; correct "bundle" in the app file, \
            or let the key push for it, and send SIGHUP
            """
        case .tokens:
            """
            pushes of an app are stopped: APNs refuses the tokens of nearly all devices lately; correct \
            "bundle" in the app file, or the "environment" that devices give, and send SIGHUP
            """
        case .clock:
            """
            pushes of an app are stopped: APNs takes a new provider token for an old one; set the \
            clock of this machine
            """
        case .answer:
            """
            pushes of an app are stopped: what answers is not APNs; correct "apns-production" or \
            "apns-sandbox", or let the relay pass on what APNs answers
            """
        }
    }
}
