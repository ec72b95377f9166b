package import Basics

/// Returns an app file without its secrets, as stores, recordings of it and operators may see it:
/// the keys of HS256, by which tokens are signed. Digests of tokens and public keys stay. The
/// members stay in their order, without white space between those of apps; anything that is not a
/// JSON object gives an empty one.
package func appFileWithoutSecrets(_ source: ByteView) -> [UInt8] {
    JSONWriter.copy(source, depth: 64) { name, reader, writer in
        if name != "apps" { return false }
        writer.copyList(&reader, each: copyApp)
        return true
    }
}

private func copyApp(_ reader: inout JSONReader, to writer: inout JSONWriter) {
    writer.copyObject(&reader) { name, reader, writer in
        guard name == "publishers" || name == "devices" || name == "gateways" else { return false }
        writer.copyList(&reader, each: copyCredential)
        return true
    }
}

private func copyCredential(_ reader: inout JSONReader, to writer: inout JSONWriter) {
    writer.copyObject(&reader) { name, reader, writer in
        if name != "jwk" { return false }
        writer.copyObject(&reader) { name, reader, writer in
            guard name == "k" || name == "d" else { return false }
            reader.skipValue()
            writer.string("(secret)")
            return true
        }
        return true
    }
}
