internal import Basics
internal import FrameCodec

/// Push tokens that come, move to another device, or are of no use any more.
///
/// Tokens are part of a device's registration. So these functions see the checkpoint too, for
/// which a registration is copied before it changes.
extension ReloadState {
    // MARK: - Registration

    /// What a list of widgets says of tokens.
    struct TokenChanges {
        /// Whether it says anything new.
        var areNew = false
        /// Whether it says what was known, of at least one token.
        var areConfirmed = false
        /// Whether a push to a former token was under way, which is to be repeated.
        var hasUnheardPush = false
    }

    /// Replaces the tokens of a device and its app by those of a list of widgets, whose controls
    /// have got theirs before (`hasNewControl`: one of them another).
    mutating func registerTokens(
        of device: DeviceID,
        by message: WidgetsMessage,
        hasNewControl: Bool,
        into out: inout Outbox
    ) -> TokenChanges {
        var changes = TokenChanges()
        changes.areNew = reloads.apns.replaceTokens(
            of: device,
            by: message,
            hasNewControl: hasNewControl,
            using: &scratch.identifiers,
            in: &reloads.delivery,
            now: reloads.clock.now.wall
        )
        if changes.areNew {
            out.agenda.lanes.remove(device)
            changes.hasUnheardPush = reloads.delivery.abandonPush(to: device)
            takeToken(reloads.delivery.devices[device].widgetsToken, of: device, into: &out)
            takeToken(reloads.apns.appToken(device), of: device, into: &out)
        } else {
            changes.areConfirmed = reloads.apns.confirmTokens(
                of: device,
                in: &reloads.delivery,
                clock: &reloads.clock
            )
        }
        return changes
    }

    /// Takes a device's token, if it is present, from other devices of the app that have it: the
    /// app was installed anew and has another device id, and two devices would make two pushes to
    /// one phone.
    private mutating func takeToken(
        _ token: StoredToken,
        of device: DeviceID,
        into out: inout Outbox
    ) {
        if !token.isPresent { return }
        while let other = reloads.apns.otherOwner(of: token, than: device, in: reloads.delivery) {
            copyBeforeWrite(of: other)
            reloads.apns.removeToken(equalTo: token, of: other, in: &reloads.delivery)
            recordChanged(of: other)
            out.agenda.lanes.remove(other)
            let hasUnheardPush = reloads.delivery.abandonPush(to: other)
            reloads.updateReach(of: other, into: &out)
            if hasUnheardPush { reloads.repeatPush(to: other, into: &out) }
            reloads.delivery.enqueuePending(other, apns: reloads.apns, in: &out.agenda)
        }
    }

    // MARK: - Tokens that are of no use

    /// Applies what became of a push; an outcome of another push than the one that is under way
    /// changes nothing.
    mutating func apnsPushEnded(
        _ device: DeviceID,
        number: UInt64,
        outcome: APNsPushOutcome,
        into out: inout Outbox
    ) {
        if !reloads.apns.isPushing(device, number: number, in: reloads.delivery) { return }
        if let loss = reloads.apnsPushEnded(device, outcome: outcome, into: &out) {
            giveUpToken(of: device, because: loss, into: &out)
        }
        if outcome == .acceptedOnTrial { reviveControls(of: device, into: &out) }
        reloads.delivery.enqueuePending(device, apns: reloads.apns, in: &out.agenda)
    }

    /// Gives up the token of a device's last push, which APNs has refused for good: its channel is
    /// not used until the device registers again. What the push was for goes by the device's other
    /// channel, if it has one.
    private mutating func giveUpToken(
        of device: DeviceID,
        because loss: Reloads.TokenLoss,
        into out: inout Outbox
    ) {
        let push = reloads.apns.pushes[device]
        let owner = TokenOwner(device: device, control: push.control, channel: push.channel)
        // A control may have been removed meanwhile.
        if reloads.apns.hasToken(owner, in: reloads.delivery) { endToken(of: owner, because: loss) }
        let reach = reloads.apns.reach(of: device, in: reloads.delivery, by: reloads.catalog)
        if push.channel == .controls || reach.channel == nil {
            reloads.apns.settle(device)
        }
        reloads.updateReach(of: device, into: &out)
    }

    /// Records that a token, which its owner must have, is of no use until its device registers
    /// again.
    private mutating func endToken(of owner: TokenOwner, because loss: Reloads.TokenLoss) {
        // The end of a widgets' token counts among the RELOADs.
        if owner.channel == .widgets { reloads.numbers.nextReload() }
        reloads.numbers.nextTokenEnd()
        let end = TokenEnd(
            number: reloads.numbers.tokenEnd,
            since: loss.since ?? reloads.clock.now.wall,
            fault: loss.fault
        )
        // The token of the widgets has its end in another record.
        let isRegistration = owner.channel != .widgets
        if isRegistration { copyBeforeWrite(of: owner.device) }
        reloads.apns.endToken(of: owner, as: loss.state, by: end, in: reloads.delivery)
        if isRegistration { recordChanged(of: owner.device) }
    }

    /// Decides anew whether APNs reaches a device, after an app file that gave its app another
    /// credential or bundle identifier, or took its settings away. Tokens that APNs has refused may
    /// be good for these.
    ///
    /// Until then it is reached as before, but for what `hasAPNsSettings` says: pushes go by the
    /// new credential, and to the tokens that were good for the former one.
    mutating func settingsChanged(of device: DeviceID, into out: inout Outbox) {
        out.work.charge(Int(reloads.delivery.devices[device].widgetCount) &* WorkCost.decision)
        if reloads.catalog.hasAPNsSettings(reloads.delivery.devices[device].app) {
            reviveRefusedTokens(of: device)
        }
        reloads.updateReach(of: device, into: &out)
    }

    /// Does so for all devices of apps at once, when an app file is installed as a whole: at a
    /// start, and where a log says so in which apps have no portions.
    mutating func settingsChanged(of apps: Set<AppID>, into out: inout Outbox) {
        if apps.isEmpty { return }
        for device in reloads.delivery.devices.ids
        where reloads.delivery.isStored(device)
            && apps.contains(reloads.delivery.devices[device].app)
        {
            settingsChanged(of: device, into: &out)
        }
    }

    /// Takes tokens of a device's controls that APNs has refused to be good again.
    private mutating func reviveControls(of device: DeviceID, into out: inout Outbox) {
        copyBeforeWrite(of: device)
        reloads.forEachWidget(of: device, into: &out) { reloads, _, widget in
            reloads.apns.forgetTokenEnd(of: .control(widget, of: device), onlyRefused: true)
        }
        recordChanged(of: device)
        reloads.updateReach(of: device, into: &out)
    }

    /// Takes tokens that APNs has refused to be good again.
    private mutating func reviveRefusedTokens(of device: DeviceID) {
        if !reloads.apns.hasToken(device, in: reloads.delivery)
            || !reloads.apns.pushes.has(device)
        {
            return
        }
        reloads.apns.pushes[device].trial &= ~APNsRecord.tried
        // The token of the widgets has its end in another record.
        let isRegistration =
            reloads.apns.appToken(device).state == .refused
            || reloads.apns.hasControl(device, in: reloads.delivery) { $0.state == .refused }
        if isRegistration { copyBeforeWrite(of: device) }
        reloads.apns.forgetTokenEnds(of: device, onlyRefused: true, in: reloads.delivery)
        if isRegistration { recordChanged(of: device) }
    }
}
