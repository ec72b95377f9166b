internal import Basics
internal import FrameCodec

/// The bodies of frames that a device sends to the router.
extension SimulatedDevice {
    /// The body of TIMELINE.
    package func body(of report: TimelineReport) -> [UInt8] {
        var reload: UInt64?
        var because: TimelineReason?
        switch report.occasion {
        // A push by APNs has no number that a timeline could answer.
        case .added, .push: break
        case .reload(let seq, _): reload = seq
        case .date: because = .date
        }
        return TimelineMessage.encode(
            device: name,
            widget: widgets[report.widget].id,
            reload: reload,
            because: because,
            entries: report.entries,
            policy: report.policy,
            ownTimer: report.hasOwnTimer && report.policy != .never
        )
    }

    /// The body of STATE.
    package func body(of change: DeviceChange) -> [UInt8] {
        let media: StateMessage.Media? =
            switch change.media {
            case nil: nil
            case .silent: StateMessage.Media.none
            case .audio: .audio
            }
        return StateMessage.encode(
            device: name,
            foreground: change.isForeground,
            media: media,
            visible: change.visible,
            hasMovedSignificantly: change.hasMoved
        )
    }

    /// The body of REQUEST.
    package func body(ofRequestFor kind: String?, isDownload: Bool) -> [UInt8] {
        RequestMessage.encode(device: name, kind: kind, isDownload: isDownload)
    }

    /// The whole state of the device, for a router that has missed changes.
    package var state: DeviceChange {
        var state = DeviceChange()
        state.isForeground = isForeground
        state.media = media
        state.visible = widgets.indices.filter { isVisible($0) }.map { widgets[$0].id }
        return state
    }
}
