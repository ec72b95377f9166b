import Basics
import FrameCodec
import TestSupport
import Testing

@Suite("The body of TIMELINE")
struct TimelineMessageTests {
    @Test(
        "TIMELINE is read whole, with every policy",
        arguments: [
            (#""atEnd""#, .atEnd), (#""never""#, .never), (#"{"after":1700}"#, .after(1_700)),
            (#"{"x":0,"after":17e2}"#, .after(1_700)),
        ] as [(String, TimelinePolicy)]
    )
    func timeline(text: String, policy: TimelinePolicy) throws {
        let body = #"{"device":"d","widget":"w","reload":7,"entries":[1,1,5],"policy":\#(text)}"#
        try accepted(body) { view throws(ProtocolError) in
            let message = try TimelineMessage(view, entryLimit: 3)
            #expect(message.device.string == "d" && message.widget.string == "w")
            #expect(message.reload == 7 && message.lastEntry?.date == 5)
            #expect(message.policy == policy)
        }
    }

    @Test(
        "The first entry that is not 0 and the last one have their positions",
        arguments: [
            ("[]", nil, nil), ("[0,0]", nil, 1), ("[7]", 0, 0), ("[0,7,9]", 1, 2), ("[7,7]", 0, 1),
        ] as [(String, Int?, Int?)]
    )
    func ends(entries: String, first: Int?, last: Int?) throws {
        try accepted(body("", entries: entries)) { view throws(ProtocolError) in
            let message = try TimelineMessage(view, entryLimit: 3)
            #expect(message.firstEntry?.index == first && message.lastEntry?.index == last)
            #expect(first == nil || message.firstEntry?.date == 7)
        }
    }

    @Test("TIMELINE may answer no RELOAD and may have no entries")
    func emptyTimeline() throws {
        let body = #"{"device":"d","widget":"w","entries":[],"policy":"never"}"#
        try accepted(body) { view throws(ProtocolError) in
            let message = try TimelineMessage(view, entryLimit: 3)
            #expect(message.reload == nil && message.lastEntry == nil)
        }
    }

    @Test(
        "TIMELINE names the member that is missing or wrong",
        arguments: [
            (#""widget":"w","entries":[],"policy":"never""#, .bodyInvalid, "device"),
            (#""device":1,"widget":"w","entries":[],"policy":"never""#, .bodyInvalid, "device"),
            (#""device":"d","entries":[],"policy":"never""#, .bodyInvalid, "widget"),
            (#""device":"d","widget":0,"entries":[],"policy":"never""#, .bodyInvalid, "widget"),
            (#""device":"d","widget":"w","policy":"never""#, .bodyInvalid, "entries"),
            (#""device":"d","widget":"w","entries":1,"policy":"never""#, .bodyInvalid, "entries"),
            (
                #""device":"d","widget":"w","entries":[1,"x"],"policy":"never""#, .bodyInvalid,
                "entries[1]"
            ),
            (
                #""device":"d","widget":"w","entries":[-1],"policy":"never""#, .bodyInvalid,
                "entries[0]"
            ),
            (
                #""device":"d","widget":"w","entries":[1.5],"policy":"never""#, .bodyInvalid,
                "entries[0]"
            ),
            (#""device":"d","widget":"w","entries":[]"#, .bodyInvalid, "policy"),
            (#""device":"d","widget":"w","entries":[],"policy":1"#, .bodyInvalid, "policy"),
            (#""device":"d","widget":"w","entries":[],"policy":"end""#, .bodyInvalid, "policy"),
            (#""device":"d","widget":"w","entries":[],"policy":{}"#, .bodyInvalid, "policy.after"),
            (
                #""device":"d","widget":"w","entries":[],"policy":{"after":"x"}"#, .bodyInvalid,
                "policy.after"
            ),
            (
                #""device":"d","widget":"w","entries":[],"policy":"never","reload":"7""#,
                .bodyInvalid, "reload"
            ),
            (
                #""device":"d","widget":"w","entries":[2,1],"policy":"never""#, .timelineInvalid,
                "entries[1]"
            ),
            (
                #""device":"d","widget":"w","entries":[1,2,3,4],"policy":"never""#,
                .timelineInvalid, "3 entries"
            ),
        ] as [(String, ErrorCode, String)]
    )
    func invalidTimeline(members: String, code: ErrorCode, path: String) {
        verify("{" + members + "}", code, path) { view throws(ProtocolError) in
            _ = try TimelineMessage(view, entryLimit: 3)
        }
    }

    /// A body with these members besides.
    private func body(_ members: String, entries: String = "[]") -> String {
        #"{"device":"d","widget":"w","entries":\#(entries),"policy":"never"\#(members)}"#
    }

    @Test("Every reason of an unasked timeline is read, and what budget takes of it")
    func because() throws {
        for reason in TimelineReason.allCases {
            let text = body(#","because":"\#(reason.rawValue)""#)
            try accepted(text) { view throws(ProtocolError) in
                #expect(try TimelineMessage(view, entryLimit: 3).because == reason)
            }
        }
        #expect(TimelineReason.allCases.filter { !$0.isFree } == [.date, .request])
        try accepted(body("")) { view throws(ProtocolError) in
            #expect(try TimelineMessage(view, entryLimit: 3).because == nil)
        }
    }

    @Test("A timeline that answers a RELOAD has no other reason, in whichever order they stand")
    func becauseBesideReload() throws {
        for members in [#","because":"intent","reload":7"#, #","reload":7,"because":"intent""#] {
            try accepted(body(members)) { view throws(ProtocolError) in
                let message = try TimelineMessage(view, entryLimit: 3)
                #expect(message.because == nil && message.reload == 7)
            }
        }
    }

    @Test("A device's own timer is read, and is not there by itself")
    func ownTimer() throws {
        for (members, ownTimer) in [
            ("", false), (#","ownTimer":false"#, false), (#","ownTimer":true"#, true),
        ] {
            try accepted(body(members)) { view throws(ProtocolError) in
                #expect(try TimelineMessage(view, entryLimit: 3).ownTimer == ownTimer)
            }
        }
    }

    @Test(
        "because and ownTimer are refused by name if they are none",
        arguments: [
            (#","because":"push""#, "because"), (#","because":"""#, "because"),
            (#","because":null"#, "because"), (#","because":["intent"]"#, "because"),
            (#","because":1,"reload":7"#, "because"), (#","ownTimer":1"#, "ownTimer"),
            (#","ownTimer":"true""#, "ownTimer"), (#","ownTimer":null"#, "ownTimer"),
        ]
    )
    func invalid(members: String, path: String) {
        verify(body(members), .bodyInvalid, path) { view throws(ProtocolError) in
            _ = try TimelineMessage(view, entryLimit: 3)
        }
    }

    @Test(
        "Entries are close if any two that follow each other are less than 300 s apart",
        arguments: [
            ("[]", false), ("[7]", false), ("[0,300000]", false), ("[0,299999]", true),
            ("[5,5]", true), ("[0,300000,600000]", false), ("[0,1,600000]", true),
            ("[0,600000,600001]", true),
        ]
    )
    func closeEntries(entries: String, areClose: Bool) throws {
        try accepted(body("", entries: entries)) { view throws(ProtocolError) in
            #expect(try TimelineMessage(view, entryLimit: 3).hasCloseEntries == areClose)
        }
    }
}
