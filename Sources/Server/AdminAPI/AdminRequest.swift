package import ReloadModel

/// What the admin server asks of the router: plain values, which are carried out on the loop.
///
/// Whatever can be checked without the router has been checked: names are no longer than they may be,
/// bodies are the JSON that they should be.
package enum AdminRequest: Sendable {
    case connections(after: UInt32?, limit: Int)
    /// Producers of an app, or of all: those whose number is above `after`.
    case producers(app: String?, after: UInt32?, limit: Int)
    case forgetProducer(app: String, producer: String)
    case apps
    case app(String)
    /// The app file that holds, without its tokens.
    case appFile
    /// Takes over an app file, with its source.
    case replaceAppFile(AppCatalog, source: [UInt8])
    case pause(app: String)
    case resume(app: String)
    case devices(app: String, after: String?, limit: Int)
    case device(app: String, device: String)
    case explain(ExplainRequest)
    case slots(SlotRequest)
    case push(PushRequest)
    case origins
    case hotKeys
    case drain
    case logLevel
    case setLogLevel(String)
    case backup(folder: String)
}

/// A push that is not made, to see what would become of it.
package struct ExplainRequest: Sendable {
    package var app: String
    /// A JSON object.
    package var payload: [UInt8]
    package var isUrgent = false
    /// Only this device's widgets.
    package var device: String?
    /// Only widgets of this kind.
    package var kind: String?
    /// The most widgets to tell of.
    package var limit = 100

    package init(app: String, payload: [UInt8]) {
        self.app = app
        self.payload = payload
    }
}

/// Dates for which an app that holds no connection wants places in its origin's ledger.
package struct SlotRequest: Sendable {
    package struct Date: Sendable {
        /// Given back with the place.
        package var id: String
        /// In ms since 1970.
        package var after: Int64

        package init(id: String, after: Int64) {
            self.id = id
            self.after = after
        }
    }

    package var app: String
    package var kind: String
    package var dates: [Date]

    package init(app: String, kind: String, dates: [Date]) {
        self.app = app
        self.kind = kind
        self.dates = dates
    }
}

/// Pushes that came over HTTP.
package struct PushRequest: Sendable {
    package var app: String
    /// Bodies, in the order of their lines; they may be no JSON.
    package var payloads: [[UInt8]]
    /// Who pushes, so that sending again is safe; nil for the router's own producer of the app.
    package var producer: String?
    /// The sequence number of the first one; nil without a producer.
    package var firstSeq: UInt64?
    package var isUrgent = false
    /// In ms since 1970.
    package var voidAt: Int64?

    package init(app: String, payloads: [[UInt8]]) {
        self.app = app
        self.payloads = payloads
    }
}
