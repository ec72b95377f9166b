import AdminAPI
import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore
@testable import RouterServer

@Suite("A session that pushes over HTTP")
struct PushSessionTests {
    typealias Sent = PushStage.Sent

    private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    // MARK: - Frames

    @Test func pushesWithoutNumbersGoOnBehindTheProducersLast() {
        let stage = PushStage(lastSeq: 7)
        stage.append("x", "y")
        #expect(stage.take() == [Sent(seq: 8, body: "x"), Sent(seq: 9, body: "y")])
        #expect(stage.take().isEmpty)
    }

    @Test func numbersThatWereGivenAreKeptAlsoBelowTheProducersLast() {
        let stage = PushStage(producer: "lambda", lastSeq: 100)
        stage.append("x", "y", seq: 5)
        #expect(stage.take().map(\.seq) == [5, 6])
    }

    @Test func aRequestWaitsUntilTheOneBeforeIsAnswered() {
        let stage = PushStage()
        stage.append("x", "y")
        stage.append("z")
        #expect(stage.take().map(\.body) == ["x", "y"])
        #expect(stage.take().isEmpty)
        stage.ack(2)
        #expect(stage.answer() != nil)
        #expect(stage.take() == [Sent(seq: 3, body: "z")])
        #expect(stage.answer() == nil)
        stage.ack(3)
        #expect(stage.answer() == PushStage.answer(accepted: 1, lastSeq: 3))
        #expect(stage.session.jobs.isEmpty)
    }

    @Test func nothingIsToBeDoneWhileAllOfARequestIsWithTheRouter() {
        let stage = PushStage()
        stage.append("x", "y")
        #expect(!stage.session.isSettled)
        stage.take()
        #expect(stage.answer() == nil)
        #expect(stage.session.isSettled)
        stage.ack(1)
        #expect(!stage.session.isSettled)
        #expect(stage.answer() == nil && stage.session.isSettled)
        stage.append("z")
        #expect(!stage.session.isSettled)
        stage.ack(2)
        #expect(stage.answer() != nil)
        #expect(!stage.session.isSettled, "the next request is to be offered")
        stage.take()
        stage.ack(3)
        #expect(stage.answer() != nil && stage.answer() == nil)
        #expect(stage.session.isSettled == stage.session.key.isKept)
    }

    @Test func whatBecameOfAPushIsInTheAnswerOfItsRequest() {
        let stage = PushStage()
        stage.append("x")
        stage.append("y")
        stage.take()
        stage.receive(.outcome, 0, #"{"paused":true}"#)
        stage.receive(.outcome, 1, #"{"matched":1,"counts":{"sent":1},"widgets":[]}"#)
        stage.ack(1, matched: 1)
        let sent = #""missed":0,"duplicates":0,"counts":{"sent":1},"widgets":[]"#
        #expect(
            stage.answer() == PushStage.answer(accepted: 1, matched: 1, lastSeq: 1, outcome: sent)
        )
        stage.take()
        stage.receive(.outcome, 2, #"{"matched":0,"counts":{},"widgets":[],"registered":3}"#)
        stage.ack(2)
        let missed = #""missed":1,"duplicates":0,"counts":{},"widgets":[],"registered":3"#
        #expect(stage.answer() == PushStage.answer(accepted: 1, lastSeq: 2, outcome: missed))
    }

    @Test func ownNumbersGoOnBehindThoseThatWereRefused() {
        let stage = PushStage()
        stage.append("x")
        stage.append("y")
        stage.take()
        stage.reject(1)
        #expect(stage.answer() != nil)
        #expect(stage.take() == [Sent(seq: 2, body: "y")])
    }

    @Test func urgencyIsAFlagAndExpiryADateBeforeThePayload() {
        let stage = PushStage()
        let date = "\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}"
        let zero = String(repeating: "\0", count: 8)
        stage.append("x") { $0.isUrgent = true }
        stage.append("x") { $0.expiresAt = 0x0102_0304_0506_0708 }
        stage.append("x") { ($0.isUrgent, $0.expiresAt) = (true, 0) }
        stage.append("x") { $0.expiresAt = -1 }
        let expected: [(flags: UInt8, body: String)] = [
            (0x01, "x"), (0x02, date + "x"), (0x03, zero + "x"), (0x02, zero + "x"),
        ]
        for (index, push) in expected.enumerated() {
            let seq = UInt64(index) + 1
            #expect(stage.take() == [Sent(flags: push.flags, seq: seq, body: push.body)])
            stage.ack(seq)
            #expect(stage.answer() != nil)
        }
    }

    @Test func noMoreIsMadeThanTheWindowHasRoomFor() {
        let stage = PushStage()
        stage.append("1", "2", "3", "4", "5")
        #expect(stage.take(window: 2).map(\.seq) == [1, 2])
        #expect(stage.take(window: 0).isEmpty)
        #expect(stage.take(window: 2).map(\.seq) == [3, 4])
        #expect(stage.take(window: 2).map(\.seq) == [5])
    }

    @Test func noMoreIsMadeBeforeTheLastFramesWereTaken() {
        let stage = PushStage()
        stage.append("1", "2", "3")
        stage.session.makeFrames(maxBody: 10, window: 2)
        stage.session.makeFrames(maxBody: 10, window: 2)
        #expect(stage.waiting.map(\.seq) == [1, 2])
        stage.session.taken(FrameHeader.byteCount + 1)
        #expect(stage.take(window: 2).map(\.seq) == [2])
        #expect(stage.take(window: 2).map(\.seq) == [3])
    }

    @Test func aPortionEndsBehindTheFrameThatFillsIt() {
        let stage = PushStage()
        let half = PushSession.portion / 2 - FrameHeader.byteCount
        let (under, exact) = (text(half - 1), text(half))
        let whole = text(2 * PushSession.portion)
        stage.append(under, exact, exact, exact, exact, whole, "x")
        #expect(stage.take().map(\.seq) == [1, 2, 3])
        #expect(stage.take().map(\.seq) == [4, 5])
        #expect(stage.take().map(\.seq) == [6])
        #expect(stage.take().map(\.seq) == [7])
    }

    @Test func aPayloadThatIsTooLongIsRefusedWithItsLineAndKeepsItsNumber() {
        let stage = PushStage()
        stage.append(text(10), text(11), "x")
        #expect(stage.take(maxBody: 10).map(\.seq) == [1, 3])
        stage.ack(3)
        let line =
            #"{"line":2,"code":"frame-length","detail":"the payload has 11 bytes; the longest "#
            + #"here is 10 bytes (max-body)"}"#
        #expect(stage.answer() == PushStage.answer(accepted: 2, lastSeq: 3, rejected: line))
    }

    @Test func aRepeatedAnswerSaysOfEachLineWhatTheFirstSaid() throws {
        let stage = PushStage()
        stage.append("bad event", text(11), "[", "x", "event") {
            $0.refused.add(1) { ("event-invalid", "it has no id") }
        }
        stage.take(maxBody: 10)
        stage.reject(3)
        stage.ack(5)
        let job = try #require(stage.session.jobs.first)
        let known = RequestProgress(
            key: RequestKey(high: 1, low: 2, content: 3),
            lines: 5,
            accepted: 2,
            matched: 0,
            isAnswered: true,
            rejected: [(1, .frameLength), (2, .frameLength), (3, .payloadNotJSON)]
        )
        let again = known.refused(of: job.request, maxBody: 10)
        #expect(again.named.map(\.code) == ["event-invalid", "frame-length", "payload-not-json"])
        #expect(again.named.map(\.code) == job.refused.named.map(\.code))
        #expect(again.named.prefix(2) == job.refused.named.prefix(2))
        #expect((again.count, again.unnamedCount) == (3, 0))
        let raised = known.refused(of: job.request, maxBody: 20)
        #expect(raised.named.map(\.code) == again.named.map(\.code))
    }

    @Test func aRequestOfFewerLinesThanAreKnownOfItIsAnswered() {
        let stage = PushStage()
        let key = RequestKey(high: 1, low: 2, content: 3)
        stage.append("x", "[") { $0.key = key }
        let known = RequestProgress(
            key: key,
            lines: 8,
            accepted: 3,
            matched: 0,
            isAnswered: false,
            rejected: [(2, .payloadNotJSON), (5, .payloadNotJSON)]
        )
        stage.session.begin(after: known, maxBody: 10)
        #expect(stage.take().isEmpty)
        let answer = stage.answer()
        #expect(answer?.hasPrefix(#"{"accepted":1,"matched":0,"#) == true)
        #expect(answer?.contains(#""rejected":[{"line":2,"#) == true)
    }

    @Test func theDateTakesEightBytesOfTheLongestBody() {
        let stage = PushStage()
        stage.append(text(2), text(3)) { $0.expiresAt = 1 }
        #expect(stage.take(maxBody: 10).map(\.seq) == [1])
        let refused = stage.session.jobs[0].refused.named
        #expect(refused.map(\.line) == [2])
        #expect(refused.first?.detail.contains("longest here is 2 bytes") == true)
    }

    @Test func ownNumbersEndBeforeTheyOverflow() {
        let last = PushSession.lastOwnSeq
        #expect(UInt64.max - last >= UInt64(PushSessions.jobLimit) * 10_000)
        let stage = PushStage(lastSeq: last - 1)
        stage.append("x", "y")
        #expect(stage.session.hasOwnNumbers)
        stage.take(window: 1)
        #expect(stage.session.hasOwnNumbers)
        #expect(stage.take().map(\.seq) == [last + 1])
        #expect(!stage.session.hasOwnNumbers)
        #expect(!PushStage(lastSeq: .max).session.hasOwnNumbers)
    }

    // MARK: - Answers

    @Test func theAckOfTheLastPushAnswersWithAllMatches() {
        let stage = PushStage()
        stage.append("x", "y", "z")
        stage.take()
        #expect(stage.answer() == nil)
        stage.ack(1, matched: 4)
        stage.ack(2, matched: 0)
        #expect(stage.answer() == nil)
        stage.ack(3, matched: 3)
        #expect(stage.answer() == PushStage.answer(accepted: 3, matched: 7, lastSeq: 3))
        #expect(stage.answer() == nil)
    }

    @Test func oneAckCoversAllBeforeIt() {
        let stage = PushStage()
        stage.append("x", "y", "z")
        stage.take()
        stage.ack(3, matched: 200)
        #expect(stage.answer() == PushStage.answer(accepted: 3, matched: 200, lastSeq: 3))
    }

    @Test func nothingIsAnsweredWhileLinesAreLeft() {
        let stage = PushStage()
        stage.append("x", "y")
        stage.take(window: 1)
        stage.ack(1)
        #expect(stage.answer() == nil)
        stage.session.makeFrames(maxBody: 10, window: 1)
        stage.ack(2)
        #expect(stage.answer() == nil, "the last frame has not been taken")
        stage.take()
        #expect(stage.answer() != nil)
    }

    @Test func aRejectOfTheLastLineAndTheAckBeforeItComeInEitherOrder() {
        let line = PushStage.refused(line: 2, seq: 2)
        let answer = PushStage.answer(accepted: 1, matched: 5, lastSeq: 1, rejected: line)
        for isRejectFirst in [true, false] {
            let stage = PushStage()
            stage.append("x", "{")
            stage.take()
            if isRejectFirst { stage.reject(2) } else { stage.ack(1, matched: 5) }
            #expect(stage.answer() == nil)
            if isRejectFirst { stage.ack(1, matched: 5) } else { stage.reject(2) }
            #expect(stage.answer() == answer)
        }
    }

    @Test func aRejectInTheMiddleWaitsForTheAckBehindIt() {
        let stage = PushStage()
        stage.append("{", "x", "[", "y")
        stage.take()
        stage.reject(1)
        #expect(stage.answer() == nil)
        stage.ack(2, matched: 1)
        stage.reject(3, "payload-not-object")
        #expect(stage.answer() == nil)
        stage.ack(4, matched: 1)
        let lines = [
            PushStage.refused(line: 1, seq: 1),
            PushStage.refused(line: 3, seq: 3, "payload-not-object"),
        ].joined(separator: ",")
        let answer = PushStage.answer(accepted: 2, matched: 2, lastSeq: 4, rejected: lines)
        #expect(stage.answer() == answer)
    }

    @Test func refusedLinesAreAnsweredInTheirOrder() {
        let stage = PushStage()
        stage.append(text(11), "{", text(11), "[")
        stage.take(maxBody: 10)
        stage.reject(2)
        stage.reject(4)
        let lines = (stage.answer() ?? "").split(separator: #"{"line":"#).dropFirst()
        #expect(lines.map(\.first) == ["1", "2", "3", "4"])
    }

    @Test func ofManyRefusedLinesTheFirstAreNamedAndTheLastAcceptedOneIsFound() {
        let stage = PushStage()
        stage.session.append(stage.job((1...500).map { $0 == 400 ? "x" : "{" }))
        stage.take()
        for seq in 1...500 where seq != 400 { stage.reject(UInt64(seq)) }
        #expect(stage.answer() == nil, "the accepted line is not acknowledged")
        stage.ack(400)
        let answer = stage.answer() ?? ""
        #expect(answer.hasPrefix(#"{"accepted":1,"matched":0,"lastSeq":400,"#))
        #expect(answer.contains(#""moreRejected":435,"#))
    }

    @Test func ifAllLinesAreRefusedNoAckComes() {
        let stage = PushStage(producer: "lambda", lastSeq: 4)
        stage.append("{", "[", seq: 8)
        stage.take()
        stage.reject(8)
        #expect(stage.answer() == nil)
        stage.reject(9)
        let lines = [PushStage.refused(line: 1, seq: 8), PushStage.refused(line: 2, seq: 9)]
            .joined(separator: ",")
        #expect(stage.answer() == PushStage.answer(accepted: 0, lastSeq: 4, rejected: lines))
    }

    @Test func ifAllLinesAreTooLongThereIsNoFrame() {
        let stage = PushStage(lastSeq: 4)
        stage.append(text(11), text(12))
        #expect(stage.answer() == nil)
        #expect(stage.take(maxBody: 10).isEmpty)
        let found = stage.answer() ?? ""
        #expect(found.hasPrefix(#"{"accepted":0,"matched":0,"lastSeq":4,"rejected":[{"line":1,"#))
    }

    @Test func aLineThatIsTooLongAtTheEndDoesNotHoldUpTheAnswer() {
        let stage = PushStage()
        stage.append("x", text(11))
        stage.take(maxBody: 10)
        #expect(stage.answer() == nil)
        stage.ack(1)
        let found = stage.answer() ?? ""
        #expect(found.hasPrefix(#"{"accepted":1,"matched":0,"lastSeq":1,"rejected":[{"line":2,"#))
    }

    @Test func theLastNumberIsThatOfThePushesBeforeIfAllLinesAreRefused() {
        let stage = PushStage()
        stage.append("x", "y")
        stage.take()
        stage.ack(2)
        #expect(stage.answer() != nil)
        stage.append("{")
        stage.take()
        stage.reject(3)
        let line = PushStage.refused(line: 1, seq: 3)
        #expect(stage.answer() == PushStage.answer(accepted: 0, lastSeq: 2, rejected: line))
    }

    @Test func pushesThatWereSentBeforeAreAcceptedAndTheLastNumberStays() {
        let stage = PushStage(producer: "lambda", lastSeq: 100)
        stage.append("x", "y", seq: 5)
        stage.take()
        stage.ack(5)
        #expect(stage.answer() == nil)
        stage.ack(6)
        #expect(stage.answer() == PushStage.answer(accepted: 2, lastSeq: 100))
    }

    @Test func theLastNumberDoesNotGoBackFromRequestToRequest() {
        let stage = PushStage(producer: "lambda", lastSeq: 100)
        stage.append("x", "y", seq: 200)
        stage.append("z", seq: 150)
        stage.take()
        stage.ack(201, matched: 2)
        #expect(stage.answer() == PushStage.answer(accepted: 2, matched: 2, lastSeq: 201))
        #expect(stage.take().map(\.seq) == [150])
        stage.ack(201)
        #expect(stage.answer() == PushStage.answer(accepted: 1, lastSeq: 201))
    }

    @Test func partlyRepeatedPushesAreAnsweredWithTheAckOfTheNewOnes() {
        let stage = PushStage(producer: "lambda", lastSeq: 6)
        stage.append("x", "y", "z", seq: 5)
        stage.take()
        stage.ack(6)
        #expect(stage.answer() == nil)
        stage.ack(7, matched: 1)
        #expect(stage.answer() == PushStage.answer(accepted: 3, matched: 1, lastSeq: 7))
    }

    @Test func anAckWithoutANumberOfMatchesCountsNone() {
        let stage = PushStage()
        stage.append("x")
        stage.take()
        stage.ack(1, matched: nil)
        #expect(stage.answer() == PushStage.answer(accepted: 1, lastSeq: 1))
    }

    @Test func anAckThatNamesLessTakesNothingBack() {
        let stage = PushStage()
        stage.append("x", "y")
        stage.take(window: 1)
        stage.ack(1)
        stage.take()
        stage.ack(2)
        stage.ack(1)
        #expect(stage.answer() != nil)
    }

    @Test func framesThatAreOfNoRequestAreIgnored() {
        let stage = PushStage(lastSeq: 9)
        stage.ack(9, matched: 3)
        stage.reject(9)
        stage.receive(.ping, 0, "")
        stage.append("x")
        stage.take()
        stage.reject(9)
        #expect(stage.session.jobs[0].refused.count == 0)
        stage.ack(10, matched: 1)
        #expect(stage.answer() == PushStage.answer(accepted: 1, matched: 1, lastSeq: 10))
        #expect(stage.session.failure == nil)
    }

    @Test func anErrorEndsTheSessionWithItsCode() {
        let stage = PushStage()
        stage.append("x")
        stage.append("y")
        stage.take()
        #expect(stage.session.failure == nil)
        let error = #"{"v":[1,{}],"code":"session-replaced","more":null,"message":"by another"}"#
        stage.receive(.error, 0, error)
        #expect(stage.session.failure?.code == "session-replaced")
        #expect(stage.session.failure?.message == "by another")
        #expect(stage.answer() == nil)
        #expect(stage.session.popAll().names == ["x", "y"])
        #expect(stage.session.jobs.isEmpty)
    }

    // MARK: - Requests that are taken out

    @Test func requestsOfWhichNothingWasTakenAreThoseBehindTheFirst() {
        let stage = PushStage()
        stage.append("a", "b")
        stage.append("c")
        stage.append("d")
        stage.take(window: 1)
        #expect(stage.session.popUntouched().names == ["c", "d"])
        #expect(stage.session.popUntouched().isEmpty)
        #expect(stage.take().map(\.body) == ["b"])
        stage.ack(2)
        #expect(stage.answer() == PushStage.answer(accepted: 2, lastSeq: 2))
    }

    @Test func ifNothingWasTakenAllRequestsAreTakenOut() {
        let stage = PushStage()
        #expect(stage.session.popUntouched().isEmpty)
        stage.append("a")
        stage.append("b")
        #expect(stage.session.popUntouched().names == ["a", "b"])
        #expect(stage.session.jobs.isEmpty)
        stage.append("c")
        #expect(stage.take() == [Sent(seq: 1, body: "c")])
    }

    @Test func requestsThatWereNotTakenWholeAreTakenOutWithTheirFrames() {
        let stage = PushStage()
        #expect(stage.session.popUnsent().isEmpty)
        stage.append("a", "b")
        stage.append("c")
        stage.take(window: 1)
        #expect(stage.session.popUnsent().names == ["a", "c"])
        #expect(stage.session.jobs.isEmpty)

        stage.append("d")
        stage.session.makeFrames(maxBody: 10, window: 1)
        #expect(stage.session.popUnsent().names == ["d"])
        #expect(stage.session.input.isEmpty)
    }

    @Test func aRequestThatWasTakenWholeWaitsForItsAnswer() {
        let stage = PushStage()
        stage.append("a")
        stage.append("b")
        stage.take()
        #expect(stage.session.popUnsent().names == ["b"])
        #expect(stage.session.popUnsent().isEmpty)
        stage.ack(1)
        #expect(stage.answer() == PushStage.answer(accepted: 1, lastSeq: 1))
    }

    @Test func anAnswerToWhatWasTakenOutIsOfNoOther() {
        let stage = PushStage()
        stage.append("{", "b")
        stage.take(window: 1)
        #expect(stage.session.popUnsent().count == 1)
        stage.append("c")
        stage.reject(1)
        #expect(stage.take() == [Sent(seq: 2, body: "c")])
        #expect(stage.session.jobs[0].refused.count == 0)
    }

    @Test func aClientThatWaitsTooLongIsAnsweredOnceAndThePushesContinue() {
        let stage = PushStage()
        stage.append("a", begin: 100)
        stage.append("b", begin: 200)
        stage.append("c", begin: 300)
        stage.take()
        #expect(stage.session.takeOverdue(before: 100).isEmpty)
        #expect(stage.session.takeOverdue(before: 101).names == ["a"])
        #expect(stage.session.takeOverdue(before: 300).names == ["b"])
        #expect(stage.session.takeOverdue(before: 300).isEmpty)
        #expect(stage.session.jobs.map(\.isAnswered) == [true, true, false])
        stage.ack(1)
        let job = stage.session.popFinished()?.job
        #expect(job?.isAnswered == true)
        #expect(stage.take() == [Sent(seq: 2, body: "b")])
    }
}

@Suite("The sessions that push over HTTP")
struct PushSessionsTests {
    @Test func aSessionIsFoundByItsProducerAndByItsSlot() throws {
        let sessions = PushSessions()
        #expect(sessions.all.isEmpty)
        let late = PushStage("a", slot: 5).session
        let named = PushStage("a", producer: "p", slot: 2).session
        let other = PushStage("b", slot: 3).session
        for session in [late, named, other] { sessions.insert(session) }
        try sessions.checkInvariants()
        #expect(sessions[PushSession.Key(app: "a")] === late)
        #expect(sessions[PushSession.Key(app: "a", producer: "p")] === named)
        #expect(sessions[PushSession.Key(app: "b", producer: "p")] == nil)
        #expect(sessions[slot: 3] === other)
        #expect(sessions[slot: 4] == nil)
        #expect(sessions.all.map(\.slot).sorted() == [2, 3, 5])
        sessions.remove(late)
        #expect(sessions[PushSession.Key(app: "a")] == nil)
        #expect(sessions[slot: 5] == nil)
        #expect(sessions.all.map(\.slot).sorted() == [2, 3])
        try sessions.checkInvariants()
    }

    @Test func sendersThatMayDoLessHaveSessionsOfTheirOwn() throws {
        let sessions = PushSessions()
        var key = PushSession.Key(app: "a", sender: "ci 0123456789abcdef")
        let own = PushSession(key, slot: 1, lastSeq: 0)
        let shared = PushStage("a", slot: 2).session
        sessions.insert(own)
        sessions.insert(shared)
        #expect(sessions[key] === own && sessions[PushSession.Key(app: "a")] === shared)
        #expect(own.key.producerName == "(http ci 0123456789abcdef)")
        #expect(shared.key.producerName == "(http)" && shared.key.isKept && !own.key.isKept)
        own.append(PushStage("a").job([""]))
        #expect(sessions.leastBusy(of: key, mayBeNew: true).lane == 1)
        #expect(sessions.leastBusy(of: PushSession.Key(app: "a"), mayBeNew: true).lane == 0)
        key.lane = 1
        #expect(key.producerName == "(http ci 0123456789abcdef 2)")
        try sessions.checkInvariants()
        sessions.remove(own)
        #expect(sessions.laneCount == 1)
        try sessions.checkInvariants()
    }

    @Test func theEndOfASessionLeavesItsSuccessor() throws {
        let sessions = PushSessions()
        let (old, new) = (PushStage(slot: 1).session, PushStage(slot: 2).session)
        sessions.insert(old)
        sessions.insert(new)
        sessions.remove(old)
        #expect(sessions[PushSession.Key(app: "a")] === new)
        #expect(sessions.all.map(\.slot) == [2])
        try sessions.checkInvariants()
    }

    @Test func soManyRequestsAreTakenAndNoMore() {
        let sessions = PushSessions()
        let job = PushStage().job([""])
        for _ in 0..<PushSessions.jobLimit {
            #expect(sessions.hasRoom(for: 0, isOfPublisher: false))
            sessions.began(job)
        }
        #expect(sessions.jobCount == PushSessions.jobLimit)
        #expect(sessions.hasRoom(for: 0, isOfPublisher: true), "publishers have slots of their own")
        #expect(!sessions.hasRoom(for: 0, isOfPublisher: false))
        sessions.ended(job)
        #expect(sessions.hasRoom(for: 0, isOfPublisher: false))
    }

    @Test func soManyBytesAreTakenAndNoMore() {
        let sessions = PushSessions()
        let job = PushStage().job(["12345"])
        sessions.began(job)
        #expect(sessions.byteCount == 5)
        #expect(sessions.hasRoom(for: sessions.byteLimit - 5, isOfPublisher: false))
        #expect(!sessions.hasRoom(for: sessions.byteLimit - 4, isOfPublisher: false))
        sessions.ended(job)
        #expect((sessions.jobCount, sessions.byteCount) == (0, 0))
    }

    @Test func aSingleRequestMayHaveAnySize() {
        let sessions = PushSessions()
        #expect(sessions.hasRoom(for: 2 * sessions.byteLimit, isOfPublisher: false))
        sessions.began(PushStage().job([""]))
        #expect(!sessions.hasRoom(for: 2 * sessions.byteLimit, isOfPublisher: false))
    }
}
