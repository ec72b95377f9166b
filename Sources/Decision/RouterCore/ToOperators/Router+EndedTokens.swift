package import Basics
internal import FrameCodec

/// A list of the ended tokens of an app while it is made, some entries at a time.
package struct EndedTokenWalk {
    fileprivate let app: AppID
    fileprivate let limit: Int
    /// The number of the last end that was examined.
    fileprivate var last: UInt64
    /// The tokens found so far, in the order of their ends.
    package fileprivate(set) var tokens: [EndedTokenView] = []
    /// The number of the last token in `tokens`, if there are more of them; nil otherwise.
    package fileprivate(set) var next: UInt64?
}

/// Push tokens to which APNs accepts nothing, as operators see them.
extension Router {
    /// Begins a list, still empty until `resume`, of at most `limit` of an app's tokens that have
    /// ended, in the order in which they have, after the end with a number (0 for the first). The
    /// tokens of a device that registers again are in the list no more. If one of them ends again,
    /// that is a new end, with a higher number: so a client that asks for what follows the last
    /// number of the previous answer misses none.
    ///
    /// - Throws: `app-unknown`.
    package func beginEndedTokens(
        app: String,
        after number: UInt64,
        limit: Int
    ) throws(ProtocolError) -> EndedTokenWalk {
        EndedTokenWalk(app: try declaredApp(app), limit: limit, last: number)
    }

    /// Examines the next `count` ends for a list. Returns whether the list is complete.
    package func resume(_ walk: inout EndedTokenWalk, count: Int) -> Bool {
        let first = state.reloads.apns.endedTokens.index(after: walk.last)
        let end = min(first + count, state.reloads.apns.endedTokens.entries.count)
        for index in first..<end {
            let entry = state.reloads.apns.endedTokens.entries[index]
            if !entry.isEmpty && state.reloads.delivery.devices[entry.owner.device].app == walk.app
            {
                if walk.tokens.count == walk.limit {
                    walk.next = walk.tokens.last?.number
                    return true
                }
                walk.tokens.append(endedToken(entry.owner))
            }
            walk.last = entry.number
        }
        return end == state.reloads.apns.endedTokens.entries.count
    }

    private func endedToken(_ owner: TokenOwner) -> EndedTokenView {
        let end = state.reloads.apns.tokenEnd(of: owner)
        return EndedTokenView(
            number: end.number,
            device: state.reloads.delivery.deviceName(owner.device).string,
            channel: owner.channel,
            control: owner.control.isNone ? nil : endedControl(owner.control),
            token: state.reloads.apns.text(of: owner, in: state.reloads.delivery).array,
            environment: state.reloads.delivery.devices[owner.device].environment,
            state: state.reloads.apns.tokenState(of: owner),
            fault: end.fault,
            since: end.since,
            registeredAt: state.reloads.apns.pushes[owner.device].registeredAt
        )
    }

    private func endedControl(_ widget: WidgetID) -> EndedTokenView.Control {
        EndedTokenView.Control(
            widget: state.reloads.delivery.widgetName(widget).string,
            kind: kindName(state.reloads.delivery.widgets[widget].kind)
        )
    }
}
