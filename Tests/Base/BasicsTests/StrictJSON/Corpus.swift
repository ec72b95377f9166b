/// Documents that are used by many tests.
enum Corpus {
    /// Valid documents, with everything that JSON has.
    static let valid: [String] = [
        "{}",
        " \t\r\n{ \t\r\n} \t\r\n",
        #"{"":""}"#,
        #"{"event":"healing-potion","character":"elf-42","amount":25}"#,
        #"{"a":1,"b":-2,"c":0,"d":-0,"e":1.5,"f":1e3,"g":-1.25E-7,"h":0.0,"i":1E+2,"j":123456789012}"#,
        #"{"a":true,"b":false,"c":null}"#,
        #"{"a":[],"b":{},"c":[[]],"d":[{}],"e":{"f":{}},"g":[1,"2",true,null,[3],{"h":4}]}"#,
        "{ \"a\" : [ 1 , 2 ] , \"b\" : { \"c\" : \"d\" } }",
        #"{"escapes":"\"\\\/\b\f\n\r\t","u":"\u0041\u00e9\u20ac\uD83D\uDE00\u0000"}"#,
        #"{"caf\u00e9":"\n","k\u0065y":1,"\\":2}"#,
        "{\"ä\":\"é€😀\",\"日本語\":\"テキスト\",\"\u{10ffff}\":\"\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\"}",
        #"{"exactly7":"1234567","exactly8":"12345678","exactly9":"123456789"}"#,
        "{\"del\":\"\u{7f}\"}",
        #"{"kinds":["com.mygame.leaderboard"],"a":{"kinds":1},"b":{"kinds":1}}"#,
        #"{"long":"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}"#,
        #"{"a":{"b":{"c":{"d":[[[[{"e":[{}]}]]]]}}}}"#,
        #"{"big":1.7976931348623157e308,"small":5e-324,"tiny":1e-400,"zero":0e99999}"#,
    ]

    /// An object with many keys, all different, some of them written with escapes.
    static func manyKeys(_ count: Int) -> [String] {
        (0..<count).map { $0 % 7 == 3 ? "\\u006bey-\($0)" : "key-\($0)" }
    }

    static func object(keys: [String]) -> String {
        "{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
    }

    /// Objects (or arrays) in each other, `depth` in all.
    static func nested(depth: Int, arrays: Bool) -> String {
        let inner = depth - 1
        if inner == 0 { return "{}" }
        return arrays
            ? "{\"a\":" + String(repeating: "[", count: inner)
                + String(repeating: "]", count: inner)
                + "}"
            : String(repeating: "{\"a\":", count: inner) + "{}"
                + String(repeating: "}", count: inner)
    }
}
