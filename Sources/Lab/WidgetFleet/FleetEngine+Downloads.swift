internal import DeviceSimulation
internal import Foundation
internal import WidgetTimelines

/// Background downloads of widgets.
///
///     provider ─► downloadTask ─► origin ─► onBackgroundURLSessionEvents ─► reloadTimelines
///        └► timeline, at once                                               REQUEST, download
extension FleetEngine {
    /// Most downloads that a widget keeps until its next timeline; further ones are dropped.
    private static var downloadsLimit: Int { 16 }

    /// Starts a download; the widget's code is called when it ends, also if it fails.
    func download(
        _ path: String,
        _ identifier: String,
        _ letter: FleetMailbox.Letter
    ) {
        let (device, question) = (letter.device, letter.question)
        let fetch = fetches.open(path, device: device) { [mailbox] result in
            let mail = FleetMail.downloaded(
                path: path,
                identifier: identifier,
                data: try? result.get()
            )
            mailbox.put(mail, question, of: device)
        }
        ask(fetch)
    }

    /// Ends a download, and calls the widget's code.
    func downloaded(
        _ path: String,
        _ identifier: String,
        _ data: Data?,
        _ letter: FleetMailbox.Letter
    ) {
        let (device, question) = (letter.device, letter.question)
        let widget = number(question.widget, device)
        if let data, downloads[widget]?.count ?? 0 < Self.downloadsLimit {
            downloads[widget, default: [:]][path] = data
        }
        let asked = asked(question, device, isDownload: true)
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
