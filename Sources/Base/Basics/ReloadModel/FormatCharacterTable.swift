/// The format characters (category Cf) of Unicode 15.0.0.
///
/// Written by `deploy/unicode/format_characters.py` from UnicodeData.txt.
enum FormatCharacterTable {
    /// Whether a scalar is one of the 170: they are in 21 runs.
    static func contains(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x00ad...0x00ad: true
        case 0x0600...0x0605: true
        case 0x061c...0x061c: true
        case 0x06dd...0x06dd: true
        case 0x070f...0x070f: true
        case 0x0890...0x0891: true
        case 0x08e2...0x08e2: true
        case 0x180e...0x180e: true
        case 0x200b...0x200f: true
        case 0x202a...0x202e: true
        case 0x2060...0x2064: true
        case 0x2066...0x206f: true
        case 0xfeff...0xfeff: true
        case 0xfff9...0xfffb: true
        case 0x0001_10bd...0x0001_10bd: true
        case 0x0001_10cd...0x0001_10cd: true
        case 0x0001_3430...0x0001_343f: true
        case 0x0001_bca0...0x0001_bca3: true
        case 0x0001_d173...0x0001_d17a: true
        case 0x000e_0001...0x000e_0001: true
        case 0x000e_0020...0x000e_007f: true
        default: false
        }
    }
}
