internal import StoreFormat

/// The rules by which inputs are decided: those of the router that logged them.
///
/// A state is a function of the inputs only as long as the function is the same. Where a later
/// version decides otherwise, a log of an earlier one is followed by the earlier rule, so that what
/// had been sent, charged and answered stays so. Each difference is a property here.
struct DecisionRules {
    /// The format of the journal records that were written by these rules.
    var version = JournalRecord.version

    /// Whether a TIMELINE ends the reload that repeats the RELOAD it answers, wherever that waits.
    /// Before, the RELOAD was sent again.
    var answersEndRepetitions: Bool { version >= 2 }
    /// Whether a RELOAD that is repeated outlives the push that was waiting for the same widget.
    /// Before, it expired with that, although it was sent for other pushes.
    var repetitionsNeverExpire: Bool { version >= 2 }
    /// Whether all that a device does to be reloaded at once counts as its request: TIMELINEs with
    /// a date that has come, movements, and widgets that come into sight. Before, only REQUESTs
    /// did.
    var echoesHaveAllCauses: Bool { version >= 2 }
    /// Whether a push token belongs to the device that has registered it last. Before, each device
    /// that had it got a push.
    var tokensHaveOneOwner: Bool { version >= 2 }
    /// Whether an app file leaves the rate of an origin alone that it declares as before. Before,
    /// each app file set all rates anew, and with them what is left of the present second.
    var unchangedOriginsStay: Bool { version >= 2 }
    /// Whether a push by APNs that a device has not answered ends what it has reported of its app's
    /// foreground and media.
    var pushesEndForeground: Bool { version >= 2 }
    /// Whether a push by APNs that was under way at every kill so far is made again until APNs
    /// answers. Before, it was given up at the second kill.
    var killedPushesStay: Bool { version >= 2 }
    /// Whether each app has a share of the refused lines that are remembered of requests with keys.
    /// Before, the first to come had all of them.
    var refusedLinesHaveShares: Bool { version >= 2 }
    /// Whether running time is counted at each sign of life of a device. Before, it was counted
    /// only when a session began or ended.
    var devicesGiveSignsOfLife: Bool { version >= 2 }
    /// Whether a widget has observed values for each entity of which a push is. Before, it had
    /// those of the last push.
    var observedValuesHaveKeys: Bool { version >= 3 }
    /// Whether a widget stays the same with another id, if it is the only one of its kind and
    /// family that went and came. Before, it was removed and a new one added.
    var editedWidgetsStay: Bool { version >= 3 }
    /// Whether widgets adopt what an app file has changed of their kinds some at a time, by inputs
    /// of their own. Before, all did at once.
    var rulesAreAdoptedInPortions: Bool { version >= 3 }
    /// Whether the refused lines that are remembered of a request with a key are its first ones.
    /// Before, they were those that were refused first.
    var firstRefusedLinesAreKept: Bool { version >= 3 }
}
