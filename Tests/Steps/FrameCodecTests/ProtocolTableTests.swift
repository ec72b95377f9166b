import Basics
import Foundation
import FrameCodec
import TestSupport
import Testing

/// The code and `protocol/protocol.json` say the same, both ways.
@Suite("The table of the protocol")
struct ProtocolTableTests {
    private let table: [String: Any]

    init() throws {
        table = try #require(try ProtocolFiles.read("protocol.json") as? [String: Any])
    }

    @Test("has the frame types of the code, with their names, senders and flags")
    func frames() throws {
        let frames = try ProtocolFiles.list(table["frames"])
        var types: [FrameType] = []
        for frame in frames {
            let number = try #require(frame["type"] as? Int)
            let type = try #require(FrameType(rawValue: UInt8(number)), "type \(number)")
            types.append(type)
            #expect(frame["name"] as? String == type.name)
            let senders = try #require(frame["from"] as? [String])
            #expect(Set(senders) == Set(type.senders.map(\.rawValue)), "\(type.name)")
            #expect(senders.count == type.senders.count, "\(type.name)")
            let bits = try ProtocolFiles.list(frame["flags"]).map { flag in
                UInt8(try #require(flag["bit"] as? Int))
            }
            #expect(bits.reduce(0, |) == type.knownFlags, "\(type.name)")
            #expect(bits.allSatisfy { $0.nonzeroBitCount == 1 }, "\(type.name)")
        }
        #expect(types.sorted { $0.rawValue < $1.rawValue } == FrameType.allCases)
        #expect(table["headerBytes"] as? Int == FrameHeader.byteCount)
    }

    @Test("has the error codes of the code, and whether another attempt may succeed")
    func errors() throws {
        var advices: [String: String] = [:]
        for error in try ProtocolFiles.list(table["errors"]) {
            let code = try #require(error["code"] as? String)
            #expect(advices[code] == nil, "\(code) stands twice")
            advices[code] = try #require(error["retry"] as? String)
        }
        let known = ErrorCode.allCases.map { ($0.rawValue, $0.retry.rawValue) }
        #expect(advices == Dictionary(uniqueKeysWithValues: known))
    }

    @Test("has the causes of a RELOAD of the code")
    func causes() throws {
        let causes = try #require(table["causes"] as? [String])
        #expect(causes.sorted() == ReloadCause.allCases.map(\.rawValue).sorted())
    }

    @Test("has the reasons of decisions of the code, in its order")
    func reasons() throws {
        let reasons = try ProtocolFiles.list(table["reasons"]).map { reason in
            try #require(reason["reason"] as? String)
        }
        #expect(reasons == DecisionReason.allCases.map(\.name))
    }

    @Test("has the reasons of unasked timelines of the code")
    func timelineReasons() throws {
        let schema = try #require(
            try ProtocolFiles.read("schemas/timeline.schema.json") as? [String: Any]
        )
        let members = try #require(schema["properties"] as? [String: Any])
        let because = try #require(members["because"] as? [String: Any])
        let names = try #require(because["enum"] as? [String])
        #expect(names == TimelineReason.allCases.map(\.rawValue))
    }

    @Test("has the default limits of the code")
    func limits() throws {
        let limits = RouterLimits()
        let expected: [String: Int] = [
            "maxBody": limits.maxBody, "window": limits.window,
            "seqJump": Int(limits.seqJump), "number": Int(RouterLimits.numberLimit),
            "helloTimeout": Int(limits.helloTimeout.wholeSeconds),
            "frameTimeout": Int(limits.frameTimeout.wholeSeconds),
            "pingInterval": Int(limits.pingInterval.wholeSeconds),
            "widgetsPerDevice": limits.widgetsPerDevice, "widgets": limits.widgets,
            "valuesPerDevice": RouterLimits.valuesPerDevice,
            "timelineEntries": limits.timelineEntries, "jsonDepth": RouterLimits.jsonDepth,
            "identifierBytes": RouterLimits.identifierBytes,
            "combinations": RouterLimits.combinations, "patternBytes": RouterLimits.patternBytes,
            "devicePatternBytes": RouterLimits.devicePatternBytes,
            "patternsPerDevice": RouterLimits.patternsPerDevice,
            "entrySpacing": Int(TimelineMessage.entrySpacing / 1_000),
            "undelayed": OriginDeclaration(origin: "", perSecond: 1).undelayed,
            "producers": limits.producers, "producersPerApp": limits.fairProducers,
            "rejectionsPerProducer": RouterLimits.rejectionsPerProducer,
            "rejections": RouterLimits.rejections,
            "devicesPerAttach": RouterLimits.devicesPerAttach,
            "producerIdle": Int(limits.producerIdle.wholeSeconds),
            "deviceIdle": Int(limits.deviceIdle.wholeSeconds),
            "connectionsPerAddress": limits.fairConnections, "helloBody": RouterLimits.helloBody,
            "totalOutput": limits.totalOutput, "totalInput": limits.totalInput,
            "quotedBytes": quotationBytes,
            "historyPushes": limits.historyPushes, "historyWidgets": limits.historyWidgets,
            "fieldsPerKind": KindPolicy.fieldLimit, "reloadsPerDay": BudgetPolicy.limit,
        ]
        var found: [String: Int] = [:]
        for limit in try ProtocolFiles.list(table["limits"]) {
            let name = try #require(limit["name"] as? String)
            if expected[name] != nil { found[name] = limit["default"] as? Int }
        }
        #expect(found == expected)
    }
}
