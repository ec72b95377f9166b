import Basics
import TestSupport
import Testing

@testable import AdminAPI

@Suite("The status as JSON")
struct StatusJSONTests {
    private func text(_ status: RouterStatus) -> String {
        var writer = JSONWriter()
        status.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func isValid(_ text: String) -> Bool {
        Array(text.utf8).withByteView { view in
            var scanner = JSONScanner(depthLimit: 32)
            do throws(JSONError) {
                try validateJSON(view, using: &scanner)
                return true
            } catch {
                return false
            }
        }
    }

    private func expect(_ parts: [String], in status: RouterStatus) {
        let text = text(status)
        #expect(isValid(text))
        for part in parts { #expect(text.contains(part), "\(part)\n\(text)") }
    }

    @Test func whatHasHappenedIsCounted() {
        expect(
            [
                #"{"at":1700000012345,"version":"1.2.3","uptime":11845,"isReady":false,"#,
                #""warnings":[],"hints":[],"files":[{"file":"apps","readAt":7000,"refusal":null},"#
                    + #"{"file":"operators","readAt":8999,"#
                    + #""refusal":{"reason":"line 1","since":9000}}],"isDraining":false"#,
                #""pushes":{"accepted":1,"duplicate":2,"rejected":{"payload-not-json":3}}"#,
                #""matched":30,"reloads":{"sent":5,"byCause":{"push":0,"after":0,"#,
                #""budget":5,"download":0},"void":6}"#, #""budget":12"#,
                #""sessionsFailed":{"token-invalid":4},"quotaRefusals":{"devices":0,"widgets":186,"#,
                #""wishes":{"begun":7,"ended":13,"pending":200,"debounced":38,"deferred":39,"#,
            ],
            in: .numbered
        )
    }

    @Test func everyPartPresentIsReported() {
        expect(
            [
                #""connections":{"publisher":34,"device":35,"gateway":36,"awaitingHello":37,"#,
                #""stored":{"apps":48,"devices":49,"widgets":50,"#
                    + #""undeclaredWidgets":192,"producers":51,"#
                    + #""bytes":181,"bytesLimit":182,"#
                    + #""producersForgotten":190,"devicesForgotten":194,"#
                    + #""producersRefused":191,"producersAhead":193}"#,
                #""queues":{"ready":43,"fanOut":44,"paced":40,"timers":45,"heldConnections":46,"#
                    + #""journalBytes":17,"heldAnswerBytes":18,"outputBytes":47,"outputBytesMax":171,"#
                    + #""inputBytes":172,"inputBytesMax":173}"#, #""refused":1059}"#,
                #""bytes":{"in":31,"out":32}"#, #""memory":{"index":52,"widgets":53,"#,
                #""isFailing":true,"failingFor":1500,"#, #""committed":16,"#,
                #""checkpoint":{"number":70,"sealed":20,"bytes":21,"milliseconds":22}"#,
                #""recording":{"records":25,"lost":26,"bytes":28,"isFailing":true}"#,
            ],
            in: .numbered
        )
    }

    @Test func `Pushes by APNs are counted, and the stopped ones named`() {
        expect(
            [
                #""apns":{"sent":200,"accepted":201,"refused":202,"tokensDead":203,"#
                    + #""tokensRefused":204,"postponed":205,"unanswered":206,"#
                    + #""waiting":208,"underWay":210,"deadTokens":209,"connections":211,"#
                    + #""connectionsLost":212,"answer":{"count":1,"#,
                #""stopped":216,"stoppedLanes":[{"app":"com.game","environment":"sandbox","#
                    + #""cause":"credentials"}]}"#,
            ],
            in: .numbered
        )
    }

    @Test func listsHaveAnObjectForEach() {
        expect(
            [
                #""apps":[{"app":"com.game","pushes":60,"matched":61,"reloads":62,"isPaused":true,"#
                    + #""used":{"devices":183,"storedBytes":184},"quotas":{"storedBytes":185}},"#
                    + #"{"app":"(others)","#,
                #""hotKeys":[{"app":"com.game","kind":"detail","key":"character=elf-42","#
                    + #""pushes":66,"matched":67}]"#,
                #""origins":[{"app":"com.game","origin":"feed","waiting":63,"peakAsked":64,"#
                    + #""peakGiven":65},{"app":"(others)","#,
            ],
            in: .numbered
        )
    }

    @Test func latenciesAreInMicroseconds() {
        expect(
            [
                #""pushToAck":{"count":3,"p50":"#, #""max":60000000}"#,
                #""turn":{"count":2,"p50":5.0,"p90":5.0,"p99":5.0,"p999":5.0,"max":5.0}"#,
                #""commit":{"count":0,"p50":0.0,"#,
            ],
            in: .numbered
        )
    }

    @Test func withoutAStoreAndARecordingTheyAreNull() {
        var status = RouterStatus(time: 0)
        status.isDraining = true
        expect(
            [
                #""store":null,"recording":null,"apns":null"#,
                #""isReady":false,"reasons":["draining: "#,
                #""rejected":{}"#, #""apps":[],"hotKeys":[],"origins":[]}"#,
            ],
            in: status
        )
        expect([#""isReady":true,"reasons":[]"#], in: RouterStatus(time: 0))
    }

    @Test func namesMayBeAnyText() {
        var status = RouterStatus(time: 0)
        status.version = "a\"b\\c\nd"
        expect([#""version":"a\"b\\c\nd""#], in: status)
    }
}
