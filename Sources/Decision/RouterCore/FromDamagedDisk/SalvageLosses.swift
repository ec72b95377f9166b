internal import Basics
internal import ReloadScheduling
internal import StoreFormat

/// What a salvage has read and cannot keep, by kind: an operator reads what devices and publishers
/// will miss.
package struct SalvageLosses: Equatable, Sendable {
    /// A kind of what is lost.
    package enum Kind: CaseIterable, Sendable {
        /// Widgets of which it is known that their budgets are charged.
        case budgets
        /// RELOADs of the journal, which were charged.
        case deliveries
        /// Dates of widgets' timelines.
        case dates
        /// Timelines of the journal, with their dates.
        case timelines
        /// Reloads that were under way.
        case pendingReloads
        /// Push tokens that were known to be of no use.
        case deadTokens
        /// Keys of requests that are not kept.
        case requestKeys
        /// Keys of which the number of matched widgets is not kept.
        case matchedCounts
        /// Revocations of apps that the app file does not declare.
        case revocations
        /// Producers of such apps.
        case producers
        /// Lists of widgets of such apps, or of sessions whose beginning is gone.
        case lists
        /// Removals of devices.
        case removals

        /// The name of one, and of several, for a sentence.
        package var nouns: (one: String, many: String) {
            switch self {
            case .budgets:
                (
                    "widget whose budget was charged, and begins anew",
                    "widgets whose budgets were charged, and begin anew"
                )
            case .deliveries:
                (
                    "delivery of RELOADs in the journal, which no budget counts",
                    "deliveries of RELOADs in the journal, which no budget counts"
                )
            case .dates: ("date of a widget's timeline", "dates of widgets' timelines")
            case .timelines:
                (
                    "TIMELINE in the journal, with its date",
                    "TIMELINEs in the journal, with their dates"
                )
            case .pendingReloads:
                ("reload that waited, or had no answer", "reloads that waited, or had no answer")
            case .deadTokens:
                (
                    "push token that was known to be dead, and is tried again",
                    "push tokens that were known to be dead, and are tried again"
                )
            case .requestKeys:
                (
                    "key of a request over HTTP: sent again, that has its effect again",
                    "keys of requests over HTTP: sent again, these have their effect again"
                )
            case .matchedCounts:
                (
                    "count of matched widgets, in the repeated answer to a request with a key",
                    "counts of matched widgets, in the repeated answers to requests with keys"
                )
            case .revocations:
                (
                    "revocation of a device's tokens, of an app that the app file does not declare: "
                        + "revoke them again when it does",
                    "revocations of devices' tokens, of apps that the app file does not declare: "
                        + "revoke them again when it does"
                )
            case .producers:
                (
                    "producer of an app that the app file does not declare",
                    "producers of apps that the app file does not declare"
                )
            case .lists:
                (
                    "list of widgets, of an app that the app file does not declare or of a session "
                        + "whose beginning is gone",
                    "lists of widgets, of apps that the app file does not declare or of sessions "
                        + "whose beginning is gone"
                )
            case .removals:
                (
                    "removal of a device, which may be there again: remove it again",
                    "removals of devices, which may be there again: remove them again"
                )
            }
        }
    }

    private var counts: [Kind: UInt64] = [:]
    /// Widgets whose budgets are charged, by page: a bit each. Some may be removed since.
    private var charged: [UInt32: UInt64] = [:]
    /// Whether the list of revoked tokens, which the table should have, could not be read, or
    /// records of the journal that may have changed it.
    package internal(set) var lacksRevocations = false

    /// How many of a kind are lost, as far as is known.
    package subscript(kind: Kind) -> UInt64 { counts[kind] ?? 0 }

    mutating func add(_ count: UInt64 = 1, of kind: Kind) {
        if count > 0 { counts[kind, default: 0] += count }
    }

    /// Counts the budget of a widget that is registered; registrations come after schedules.
    mutating func addBudget(of widget: UInt32) {
        let bits = charged[SlabPages.page(of: widget)] ?? 0
        add(bits >> UInt64(widget % SlabPages.length) & 1, of: .budgets)
    }

    /// Counts what a page of the table has that is not kept.
    mutating func add(
        _ record: StateRecord,
        of page: UInt32,
        from reader: inout StoreReader
    ) throws(StoreError) {
        var bit: UInt64 = 1
        while !reader.isAtEnd {
            switch record {
            case .widgets:
                var widget = WidgetRecord.empty
                try widget.read(&reader)
                let isPending = widget.stage != .idle || widget.has(WidgetRecord.unanswered)
                add(isPending ? 1 : 0, of: .pendingReloads)
            case .schedules:
                var schedule = WidgetSchedule(budget: ReloadBudget(now: .zero, phase: .zero))
                try schedule.read(&reader)
                if schedule.lastReloadAt != 0 { charged[page, default: 0] |= bit }
                bit <<= 1
                add(schedule.timelineAt != .max ? 1 : 0, of: .dates)
            case .pushes:
                var push = APNsRecord.empty
                try push.read(&reader)
                add(push.isTokenDead ? 1 : 0, of: .deadTokens)
            default: return
            }
        }
    }
}
