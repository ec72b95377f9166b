#!/usr/bin/env bash
# Foundation of Swift 6.3.1 on Linux has `.sortedKeys` twice, so that equal values are equal bytes, as for a hash, a signature or
# a cache: JSONEncoder sorts keys by their bytes, as Python's sort_keys does, and JSONSerialization as a person would, a2
# before a10, and b before B before c. The same object thus has two sorted texts in one library. Of a name that comes twice,
# which JSON allows, JSONDecoder gives the first value and JSONSerialization the last.
# Expected: the keys as each sorts them; then the value that each reader gives.
set -euo pipefail
command -v swiftc >/dev/null || { echo "needs Swift 6.3" && exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >keys.swift <<'END'
import Foundation

let names = ["a2", "a10", "B", "b", "c", "Z", "_", "x-y", "xz"]
let values = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
func keys(_ json: Data) -> String {
    String(decoding: json, as: UTF8.self).filter { !"{}\"".contains($0) }.replacing(":1", with: "").replacing(",", with: " ")
}
let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys
print("JSONEncoder:", keys(try encoder.encode(values)))
print("JSONSerialization:", keys(try JSONSerialization.data(withJSONObject: values, options: .sortedKeys)))
let twice = Data("{\"a\":1,\"a\":2}".utf8)
print("JSONDecoder:", try JSONDecoder().decode([String: Int].self, from: twice)["a"]!)
print("JSONSerialization:", (try JSONSerialization.jsonObject(with: twice) as! [String: Any])["a"]!)
END
swiftc -swift-version 5 -o keys keys.swift 2>log || { cat log && exit 1; }
{
    swiftc --version 2>/dev/null | grep -o 'Swift version [0-9.]*'
    ./keys
    python3 -c 'import json; print("Python:", *json.loads(json.dumps(dict.fromkeys("a2 a10 B b c Z _ x-y xz".split()), sort_keys=True)))'
} | tee found
diff found - <<'END'
Swift version 6.3.1
JSONEncoder: B Z _ a10 a2 b c x-y xz
JSONSerialization: _ a2 a10 b B c x-y xz Z
JSONDecoder: 1
JSONSerialization: 2
Python: B Z _ a10 a2 b c x-y xz
END
