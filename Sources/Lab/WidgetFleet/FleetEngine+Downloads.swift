internal import DeviceSimulation
internal import Foundation
internal import WidgetTimelines

/// Background downloads of widgets.
///
///     provider ─► downloadTask ─► origin ─► onBackgroundURLSessionEvents ─► reloadTimelines
///        └► timeline, at once                                               REQUEST, download
extension FleetEngine {
    /// The most downloads that a widget keeps until its next timeline; further ones are dropped.
    private static var downloadsLimit: Int { 16 }

    /// Starts a download. When it ends or fails, the widget's code is called.
    func download(
        _ path: String,
        identifier: String,
        for envelope: FleetMailbox.Envelope
    ) {
        let (device, question) = (envelope.device, envelope.question)
        let fetch = fetches.open(path, device: device) { [mailbox] result in
            let message = FleetMessage.downloaded(
                path: path,
                identifier: identifier,
                data: try? result.get()
            )
            mailbox.put(message, for: question, of: device)
        }
        ask(fetch)
    }

    /// Ends a download, and calls the widget's code.
    func downloaded(
        _ path: String,
        identifier: String,
        data: Data?,
        for envelope: FleetMailbox.Envelope
    ) {
        let (device, question) = (envelope.device, envelope.question)
        let widget = number(question.widget, of: device)
        if let data, downloads[widget]?.count ?? 0 < Self.downloadsLimit {
            downloads[widget, default: [:]][path] = data
        }
        let asked = asked(question, of: device, isDownload: true)
        let kind = devices[device].widgets[question.widget].kind
        WidgetCenter.run(on: asked) {
            OriginSession.run(with: asked, pushedValues: nil) {
                population.declarations[kind].handleBackgroundEvents(of: identifier) {
                    asked.finish()
                }
            }
        }
    }
}
