import Foundation
import WidgetKit

/// The game's own backend: it knows the characters, and signs tokens for the router
/// (`deploy/examples/backend`).
struct Backend: Sendable {
    static let shared = Backend(url: URL(string: "https://api.mygame.example")!)

    let url: URL
    var session = URLSession.shared

    /// A token with which this device, and no other, may report to the router.
    func deviceToken(for device: String) async throws -> String {
        var request = URLRequest(url: url.appendingPathComponent("device-tokens/\(device)"))
        request.httpMethod = "POST"
        return String(decoding: try await data(request), as: UTF8.self)
    }

    /// A character.
    func character(_ name: String) async throws -> GameCharacter {
        let request = URLRequest(url: url.appendingPathComponent("characters/\(name)"))
        return try JSONDecoder().decode(GameCharacter.self, from: await data(request))
    }

    /// The answer to a request of the person who is signed in.
    private func data(_ request: URLRequest) async throws -> Data {
        var request = request
        // The reporter waits for the token: within the time that the system gives it.
        request.timeoutInterval = 10
        // A real app keeps it in the keychain, in an access group of app and extension.
        let proof = UserDefaults(suiteName: Game.group)?.string(forKey: "sign-in") ?? ""
        request.setValue("Bearer \(proof)", forHTTPHeaderField: "Authorization")
        let (data, answer) = try await session.data(for: request)
        guard (answer as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.userAuthenticationRequired)
        }
        return data
    }
}

/// A character as the backend describes it.
struct GameCharacter: Codable, Sendable {
    /// Health in per cent.
    var health: Int
}
