internal import Basics
internal import Foundation
internal import FrameCodec
internal import ReloadRouterClient
internal import RouterSimulation
internal import WidgetTimelines

/// The actions of devices, and the widget code that answers their questions.
extension FleetEngine {
    /// Performs an action of a device.
    func perform(_ action: DeviceAction, of device: Int) {
        switch action {
        case .register: send(.widgets, body: widgetsBody(device), of: device)
        case .report(let report):
            let body = devices[device].body(of: report)
            send(.timeline, body: body, of: device, widget: report.widget)
        case .notify(let change): send(.state, body: devices[device].body(of: change), of: device)
        case .request(let kind, let isDownload):
            let body = devices[device].body(ofRequestFor: kind, isDownload: isDownload)
            send(.request, body: body, of: device)
            inbox?.expects(device)
        case .ask(let question): ask(question, of: device)
        case .rendered(let rendering):
            if rendering.occasion == .timeline(.added) { liveCount += 1 }
            recorder.rendered(
                widget: number(rendering.widget, of: device),
                rendering: rendering,
                at: ports.exactTime
            )
            onRendered?(device, rendering)
        case .coalesced: recorder.coalesced()
        case .postponed: recorder.postponed()
        case .ended(let widget): recorder.ended(widget: number(widget, of: device))
        }
    }

    /// The number of a device's widget among those of all devices.
    func number(_ widget: Int, of device: Int) -> Int {
        let number = Int(population.firstWidgets[device]) + widget
        assert(
            widget >= 0 && number < Int(population.firstWidgets[device + 1]),
            "the device has no such widget"
        )
        return number
    }

    // MARK: - Frames

    private func send(_ type: FrameType, body: [UInt8], of device: Int, widget: Int? = nil) {
        let frame = DeviceFrame(type, device: devices[device].name, body: body)
        if offline.keep(frame, of: device, widget: widget) { return }
        ports.send(frame, of: device, widget: widget)
    }

    private func widgetsBody(_ device: Int) -> [UInt8] {
        let device = devices[device]
        return WidgetsBody.write(
            device: device.name,
            token: token(device.name),
            widgets: device.widgets.map { (population.declarations[$0.kind].kind, $0) }
        )
    }

    // MARK: - Providers

    /// The device that a widget's code sees while it answers a question.
    func asked(
        _ question: ProviderQuestion,
        of device: Int,
        isDownload: Bool = false
    ) -> AskedDevice {
        AskedDevice(
            mailbox,
            device: device,
            question: question,
            widgets: widgetInfos(device),
            isOnline: isOnline(device),
            token: token(devices[device].name),
            downloads: downloads[number(question.widget, of: device)] ?? [:],
            isDownload: isDownload
        )
    }

    private func ask(_ question: ProviderQuestion, of device: Int) {
        let widget = devices[device].widgets[question.widget]
        if question.subject == .timeline {
            recorder.asked(widget: number(question.widget, of: device))
        }
        let asked = asked(question, of: device)
        let context = TimelineProviderContext(
            family: widget.family,
            isPreview: question.subject == .sample
        )
        let provider = population.declarations[widget.kind].provider
        let values = question.values.map { Data($0.utf8) }
        WidgetCenter.run(on: asked) {
            OriginSession.run(with: asked, pushedValues: values) {
                switch question.subject {
                case .placeholder: asked.answer(.sample(provider.placeholder(in: context)))
                case .sample:
                    // A choice of the population always has the type that the provider expects.
                    try? provider.getSnapshot(for: widget.choice, in: context) {
                        asked.answer(.sample($0))
                    }
                case .timeline:
                    try? provider.getTimeline(for: widget.choice, in: context) {
                        asked.answer($0)
                    }
                }
            }
        }
    }

    /// Processes what widget code has put into the mailbox.
    func readMailbox() {
        var isMore = true
        while isMore {
            let envelopes = mailbox.take()
            isMore = !envelopes.isEmpty
            for envelope in envelopes { read(envelope) }
            request(envelopes)
        }
    }

    /// Combines the reloads that one device's code requests at the same time into one request for
    /// each kind.
    private func request(_ envelopes: [FleetMailbox.Envelope]) {
        var asked: [(device: Int, isDownload: Bool, kinds: [String?])] = []
        for envelope in envelopes {
            guard case .request(let kind, let isDownload) = envelope.message else { continue }
            let known = asked.firstIndex {
                $0.device == envelope.device && $0.isDownload == isDownload
            }
            if let known {
                asked[known].kinds.append(kind)
            } else {
                asked.append((envelope.device, isDownload, [kind]))
            }
        }
        for (device, isDownload, kinds) in asked {
            act(device) { $0.request(kinds: kinds, isDownload: isDownload, into: &$1) }
        }
    }

    private func read(_ envelope: FleetMailbox.Envelope) {
        let (now, calendar) = (now, calendar)
        switch envelope.message {
        case .sample(let entry):
            act(envelope.device) { $0.answer(envelope.question, sample: entry, at: now, into: &$1) }
        case .timeline(let timeline, let shift):
            downloads[number(envelope.question.widget, of: envelope.device)] = nil
            act(envelope.device) {
                $0.answer(
                    envelope.question,
                    timeline: timeline,
                    shift: shift,
                    at: now,
                    calendar: calendar,
                    into: &$1
                )
            }
        case .request: break
        case .downloaded(let path, let identifier, let data):
            downloaded(path, identifier: identifier, data: data, for: envelope)
        case .download(let path, let identifier):
            download(path, identifier: identifier, for: envelope)
        case .fetch(let path, let completion):
            ask(fetches.open(path, device: envelope.device, completion: completion))
        }
    }

    // MARK: - Widgets and push handlers

    /// A device's widgets as its app's code sees them.
    func widgetInfos(_ device: Int) -> [WidgetInfo] {
        devices[device].widgets.map { widget in
            let declaration = population.declarations[widget.kind]
            return WidgetInfo(
                kind: declaration.kind,
                family: widget.family,
                name: widget.id,
                configuration: widget.choice,
                isControl: declaration.isControl
            )
        }
    }

    /// Calls the push handlers of all kinds with the device's token.
    func reportToPushHandlers(_ device: Int) {
        guard let token = token(devices[device].name) else { return }
        let widgets = widgetInfos(device)
        for declaration in population.declarations {
            declaration.pushHandler?.init()
                .pushTokenDidChange(WidgetPushInfo(token: token), widgets: widgets)
        }
    }
}

/// Encodes the body of a WIDGETS frame for a simulated device.
enum WidgetsBody {
    /// A token's bytes as hexadecimal digits.
    static func digits(_ token: Data) -> String {
        token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func write(
        device: String,
        token: Data?,
        widgets: [(kind: String, widget: SimulatedWidget)]
    ) -> [UInt8] {
        let widgets = widgets.map { kind, widget in
            let parameters = widget.choice.parameters.map {
                JSONValue.Member(name: $0.name, value: JSONValue($0.value))
            }
            return WidgetsMessage.Widget(
                id: widget.id,
                kind: kind,
                family: widget.family.description,
                configuration: parameters.isEmpty ? nil : parameters
            )
        }
        return WidgetsMessage.encode(device: device, pushToken: token.map(digits), widgets: widgets)
    }
}

extension JSONValue {
    fileprivate init(_ value: ParameterValue) {
        self =
            switch value {
            case .text(let text): .string(text)
            case .integer(let integer): .integer(integer)
            case .number(let number): .double(number)
            case .boolean(let boolean): .boolean(boolean)
            case .list(let values): .list(values.map { JSONValue($0) })
            }
    }
}
