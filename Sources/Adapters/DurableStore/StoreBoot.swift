internal import Basics
internal import Glibc
package import StoreFormat

extension StoreDescription.Identifier {
    /// The machine's present boot, as Linux identifies it; nil if it does not say.
    ///
    /// As long as it stays the same, everything that a process has written can be read, whether it
    /// is on the disk or not.
    package static var ofThisBoot: StoreDescription.Identifier? {
        let folder = StoreFolder(path: "/proc/sys/kernel/random")
        var text = ""
        try? folder.readBlocks("boot_id", of: 64) { block throws(StoreError) in
            text = block.string
            return false
        }
        return StoreDescription.Identifier(text.prefix { $0 != "\n" })
    }
}
