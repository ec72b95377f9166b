internal import Basics
internal import Credentials
internal import Cryptography
internal import FrameCodec
package import RouterCore

extension AppFile {
    /// Says which key verifies nothing, because it is no point of its curve, or anything, because
    /// it is one of small order; nil if all can be used.
    package var unusableKey: String? {
        for app in access {
            for role in AppAccess.roles {
                guard case .listed(let credentials) = app[role] else { continue }
                for credential in credentials {
                    guard case .signature(let key) = credential.proof, !key.isUsable else {
                        continue
                    }
                    let member = if case .eddsa = key { "x" } else { "x or y" }
                    return "the key \(quotation(credential.id)) of \(quotation(app.app)) is no "
                        + "point of its curve, or one of small order: \(member) is wrong"
                }
            }
        }
        return nil
    }

    /// Sentences about declarations that are valid, but seldom intended.
    package var warnings: [String] {
        var warnings: [String] = []
        for (app, access) in zip(catalog.apps, access) {
            warnings += access.warnings.map { "\(app.app): \($0)" }
            for role in AppAccess.roles where access[role] == .closed {
                warnings.append("\(app.app): nobody may be a \(role.rawValue): none is listed")
            }
            if app.kinds.isEmpty { warnings.append("\(app.app): no kinds are declared") }
        }
        return warnings + catalog.hints
    }
}
