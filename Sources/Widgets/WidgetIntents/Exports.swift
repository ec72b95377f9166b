// On Apple's systems, AppIntents re-exports Foundation: code that imports only AppIntents uses
// `Date` and `UUID`, and must need no other import here.
@_exported public import Foundation
